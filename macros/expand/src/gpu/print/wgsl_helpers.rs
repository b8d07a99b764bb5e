//! Functions that WGSL texts start with, where they use them: a flat table. `$T` stands for the type, `$1` for its 1.

/// One function.
pub(super) struct Helper {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
    /// Others that it calls, of the same type.
    pub(super) calls: &'static [&'static str],
}

const fn helper(name: &'static str, calls: &'static [&'static str], text: &'static str) -> Helper {
    Helper { name, text, calls }
}

/// Every function. What WGSL leaves open for NaN and infinities is settled by bits and comparisons, as Rust has it.
pub(super) const HELPERS: &[Helper] = &[
    helper(
        "is_nan",
        &["magnitude_bits"],
        "fn is_nan_$T(x: $T) -> bool { return magnitude_bits_$T(x) > 0x7f800000u; }\n",
    ),
    helper(
        "is_infinite",
        &["magnitude_bits"],
        "fn is_infinite_$T(x: $T) -> bool { return magnitude_bits_$T(x) == 0x7f800000u; }\n",
    ),
    helper(
        "is_finite",
        &["magnitude_bits"],
        "fn is_finite_$T(x: $T) -> bool { return magnitude_bits_$T(x) < 0x7f800000u; }\n",
    ),
    helper(
        "magnitude_bits",
        &[],
        "fn magnitude_bits_$T(x: $T) -> u32 { return bitcast<u32>(f32(x)) & 0x7fffffffu; }\n",
    ),
    helper(
        "infinity",
        &[],
        "var<private> infinity_bits: u32 = 0x7f800000u;\nfn infinity_$T() -> $T { return bitcast<f32>(infinity_bits); }\n",
    ),
    helper("neg_infinity", &["infinity"], "fn neg_infinity_$T() -> $T { return -infinity_$T(); }\n"),
    helper(
        "nan",
        &[],
        "var<private> nan_bits: u32 = 0x7fc00000u;\nfn nan_$T() -> $T { return bitcast<f32>(nan_bits); }\n",
    ),
    helper("max", &["is_nan"], "fn max_$T(x: $T, y: $T) -> $T { return select(y, x, x > y || is_nan_$T(y)); }\n"),
    helper("min", &["is_nan"], "fn min_$T(x: $T, y: $T) -> $T { return select(y, x, x < y || is_nan_$T(y)); }\n"),
    helper(
        "clamp",
        &[],
        "fn clamp_$T(x: $T, low: $T, high: $T) -> $T { return select(select(x, high, x > high), low, x < low); }\n",
    ),
    helper(
        "copysign",
        &[],
        "fn copysign_$T(x: $T, y: $T) -> $T { return select(abs(x), -abs(x), (bitcast<u32>(f32(y)) >> 31u) != 0u); }\n",
    ),
    helper(
        "signum",
        &["is_nan", "copysign"],
        "fn signum_$T(x: $T) -> $T { return select(copysign_$T($1, x), x, is_nan_$T(x)); }\n",
    ),
    helper(
        "round",
        &["copysign"],
        "fn round_$T(x: $T) -> $T {\n    let t = trunc(x);\n    return select(t, t + copysign_$T($1, x), abs(x - t) >= \
         $1 / ($1 + $1));\n}\n",
    ),
    helper(
        "mul_hi",
        &[],
        "fn mul_hi_$T(x: $T, y: $T) -> $T {\n    let low = (x & 0xffffu) * (y & 0xffffu);\n    let one = (x >> 16u) * (y & 0xffffu) + \
         (low >> 16u);\n    let two = (x & 0xffffu) * (y >> 16u) + (one & 0xffffu);\n    return (x >> 16u) * (y >> 16u) + (one >> \
         16u) + (two >> 16u);\n}\n",
    ),
    helper(
        "rotate_left",
        &[],
        "fn rotate_left_$T(x: $T, n: u32) -> $T { return (x << (n & 31u)) | (x >> ((32u - n) & 31u)); }\n",
    ),
    helper("fract", &[], "fn fract_$T(x: $T) -> $T { return x - trunc(x); }\n"),
    helper("recip", &[], "fn recip_$T(x: $T) -> $T { return $1 / x; }\n"),
    // Polynomial of the Cephes library: an error of some units in the last place, where Vulkan allows hundreds.
    helper(
        "asin",
        &[],
        "fn asin_$T(x: $T) -> $T {\n    let a = abs(x);\n    let outer = a > 0.5f;\n    let z = select(x * x, (1.0f - a) * 0.5f, \
         outer);\n    let s = select(a, sqrt(z), outer);\n    let p = s + s * z * ((((4.2163199048e-2f * z + 2.4181311049e-2f) * z \
         + 4.5470025998e-2f) * z + 7.4953002686e-2f) * z + 1.6666752422e-1f);\n    let r = select(p, 1.5707963268f - 2.0f * p, \
         outer);\n    return select(r, -r, x < 0.0f);\n}\n",
    ),
    helper(
        "acos",
        &["asin"],
        "fn acos_$T(x: $T) -> $T {\n    if x > 0.5f { return 2.0f * asin_$T(sqrt((1.0f - x) * 0.5f)); }\n    if x < -0.5f { return \
         3.1415926536f - 2.0f * asin_$T(sqrt((1.0f + x) * 0.5f)); }\n    return 1.5707963268f - asin_$T(x);\n}\n",
    ),
    helper(
        "tanh",
        &["is_nan"],
        "fn tanh_$T(x: $T) -> $T { return select(tanh(clamp(x, -15.0f, 15.0f)), x, abs(x) < 0.0001f || is_nan_$T(x)); }\n",
    ),
    helper(
        "exp_m1",
        &[],
        "fn exp_m1_$T(x: $T) -> $T {\n    let u = exp(x);\n    let v = u - 1.0f;\n    if u == 1.0f { return x; }\n    if v \
         == -1.0f { return v; }\n    if (bitcast<u32>(u) & 0x7fffffffu) >= 0x7f800000u { return u; }\n    return v * x / \
         log(u);\n}\n",
    ),
    helper(
        "ln_1p",
        &[],
        "fn ln_1p_$T(x: $T) -> $T {\n    let u = 1.0f + x;\n    if u == 1.0f { return x; }\n    if (bitcast<u32>(u) & \
         0x7fffffffu) >= 0x7f800000u { return u; }\n    return log(u) * (x / (u - 1.0f));\n}\n",
    ),
    helper("log10", &[], "fn log10_$T(x: $T) -> $T { return log2(x) * 0.30102999566f; }\n"),
    helper(
        "cbrt",
        &[],
        "fn cbrt_$T(x: $T) -> $T { return select(sign(x) * pow(abs(x), 0.33333333333f), x, x == 0.0f); }\n",
    ),
    helper(
        "hypot",
        &[],
        "fn hypot_$T(x: $T, y: $T) -> $T {\n    let high = max(abs(x), abs(y));\n    let low = min(abs(x), abs(y));\n    if \
         high == 0.0f { return high; }\n    let ratio = low / high;\n    return high * sqrt(1.0f + ratio * ratio);\n}\n",
    ),
    helper(
        "powf",
        &["nan"],
        "fn powf_$T(x: $T, y: $T) -> $T {\n    if y == 0.0f { return 1.0f; }\n    if x >= 0.0f { return pow(x, y); }\n    let \
         size = pow(-x, y);\n    if !(trunc(y) == y) { return nan_$T(); }\n    return select(size, -size, abs(y - 2.0f * trunc(y * \
         0.5f)) == 1.0f);\n}\n",
    ),
    helper(
        "pow",
        &[],
        "fn pow_$T(x: $T, count: u32) -> $T {\n    var result = $T(1);\n    var base = x;\n    for (var n = count; n > 0u; n = n \
         >> 1u) {\n        if (n & 1u) != 0u { result = result * base; }\n        base = base * base;\n    }\n    return \
         result;\n}\n",
    ),
];
