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
    helper(
        "round_ties_even",
        &["copysign"],
        "fn round_ties_even_$T(x: $T) -> $T {\n    let middle = $1 / ($1 + $1);\n    let low = floor(x);\n    let rest = x - low;\n    let \
         odd = !(low - floor(low * middle) * ($1 + $1) == $1 - $1);\n    return copysign_$T(select(low, low + $1, rest > middle || (rest \
         == middle && odd)), x);\n}\n",
    ),
    helper("sigmoid", &[], "fn sigmoid_$T(x: $T) -> $T { return 1.0f / (1.0f + exp(-x)); }\n"),
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
    // Rational approximations of W. J. Cody, Mathematics of Computation 23 (1969): `near` up to 15/32, `far` beyond.
    helper(
        "erf_near",
        &[],
        "fn erf_near_$T(x: $T) -> $T {\n    let s = x * x;\n    let above = (((0.1857777061846032f * s + 3.161123743870566f) * s + \
         113.8641541510502f) * s + 377.485237685302f) * s + 3209.377589138469f;\n    let below = (((s + 23.60129095234412f) * s + \
         244.0246379344442f) * s + 1282.616526077372f) * s + 2844.236833439171f;\n    return x * above / below;\n}\n",
    ),
    helper(
        "erfc_far",
        &[],
        "fn erfc_far_$T(y: $T) -> $T {\n    if y > 27.5f { return 0.0f; }\n    let head = floor(y * 16.0f) / 16.0f;\n    let scale = \
         exp(-head * head) * exp(-(y - head) * (y + head));\n    if y <= 4.0f {\n        let above = ((((((((2.15311535474404e-8f * y + \
         0.5641884969886701f) * y + 8.883149794388376f) * y + 66.11919063714163f) * y + 298.6351381974001f) * y + \
         881.9522212417691f) * y + 1712.047612634071f) * y + 2051.078377826071f) * y) + 1230.339354797997f;\n        let below = \
         (((((((y + 15.74492611070983f) * y + 117.6939508913125f) * y + 537.1811018620099f) * y + 1621.389574566690f) * y + \
         3290.799235733460f) * y + 4362.619090143247f) * y + 3439.367674143722f) * y + 1230.339354803749f;\n        return scale * \
         above / below;\n    }\n    let s = 1.0f / (y * y);\n    let above = ((((0.01631538713730210f * s + 0.3053266349612323f) * s + \
         0.3603448999498044f) * s + 0.1257817261112292f) * s + 0.01608378514874228f) * s + 0.0006587491615298378f;\n    let below = \
         ((((s + 2.568520192289822f) * s + 1.872952849923467f) * s + 0.5279051029514284f) * s + 0.06051834131244132f) * s + \
         0.002335204976268692f;\n    return scale * (0.5641895835477563f - s * above / below) / y;\n}\n",
    ),
    helper(
        "erf",
        &["erf_near", "erfc_far", "copysign", "is_nan"],
        "fn erf_$T(x: $T) -> $T {\n    let y = abs(x);\n    if is_nan_$T(x) { return x; }\n    if y <= 0.46875f { return erf_near_$T(x); }\n    \
         return copysign_$T(1.0f - erfc_far_$T(y), x);\n}\n",
    ),
    helper(
        "erfc",
        &["erf_near", "erfc_far", "is_nan"],
        "fn erfc_$T(x: $T) -> $T {\n    let y = abs(x);\n    if is_nan_$T(x) { return x; }\n    if y <= 0.46875f { return 1.0f - \
         erf_near_$T(x); }\n    let size = erfc_far_$T(y);\n    return select(size, 2.0f - size, x < 0.0f);\n}\n",
    ),
    // M. Giles, Approximating the erfinv function, GPU Computing Gems (2011).
    helper(
        "erfinv",
        &["infinity", "nan", "copysign", "is_nan"],
        "fn erfinv_$T(x: $T) -> $T {\n    let y = abs(x);\n    if y > 1.0f || is_nan_$T(x) { return nan_$T(); }\n    if y == 1.0f { \
         return copysign_$T(infinity_$T(), x); }\n    let w = -log((1.0f - x) * (1.0f + x));\n    if w < 5.0f {\n        let v = w - \
         2.5f;\n        let p = (((2.81022636e-8f * v + 3.43273939e-7f) * v - 3.5233877e-6f) * v - 4.39150654e-6f) * v + \
         0.00021858087f;\n        return ((((p * v - 0.00125372503f) * v - 0.00417768164f) * v + 0.246640727f) * v + 1.50140941f) * \
         x;\n    }\n    let v = sqrt(w) - 3.0f;\n    let p = (((-0.000200214257f * v + 0.000100950558f) * v + 0.00134934322f) * v - \
         0.00367342844f) * v + 0.00573950773f;\n    return ((((p * v - 0.0076224613f) * v + 0.00943887047f) * v + 1.00167406f) * v + \
         2.83297682f) * x;\n}\n",
    ),
    // Cephes' polynomials about the zeros at 1 and 2, the recurrence from there up to 8, then Stirling's series;
    // reflection below 1/2. The sine of the fraction's multiple of pi is exact at whole numbers, where the result is
    // infinite.
    helper(
        "lgamma",
        &["infinity", "is_nan", "is_finite"],
        "fn lgamma_above_$T(x: $T) -> $T {\n    let near = x - 1.0f;\n    if abs(near) <= 0.25f {\n        var p = \
         0.1369488127f;\n        p = p * near - 0.1590086328f;\n        p = p * near + 0.1692415924f;\n        p = p * \
         near - 0.2067882816f;\n        p = p * near + 0.2705806208f;\n        p = p * near - 0.4006931651f;\n        p = \
         p * near + 0.8224670749f;\n        return near * (p * near - 0.5772156502f);\n    }\n    if x >= 8.0f \
         {\n        let s = 1.0f / (x * x);\n        let series = (0.08333333333f - s * (0.002777777778f - s * \
         0.0007936507937f)) / x;\n        return (x - 0.5f) * log(x) - x + 0.9189385332f + series;\n    }\n    var y = \
         x;\n    var product = 1.0f;\n    if y < 1.5f {\n        product = 1.0f / y;\n        y = y + \
         1.0f;\n    }\n    loop {\n        if y <= 2.5f { break; }\n        y = y - 1.0f;\n        product = product * \
         y;\n    }\n    let t = y - 2.0f;\n    var p = 0.0006055172732f;\n    p = p * t - 0.001311620816f;\n    p = p * t \
         + 0.002863437556f;\n    p = p * t - 0.007366775109f;\n    p = p * t + 0.02058355475f;\n    p = p * t - \
         0.06735323259f;\n    p = p * t + 0.3224669577f;\n    return t * (p * t + 0.4227843422f) + \
         log(product);\n}\nfn lgamma_$T(x: $T) -> $T {\n    if is_nan_$T(x) { return x; }\n    if !is_finite_$T(x) { \
         return infinity_$T(); }\n    if x >= 0.5f { return lgamma_above_$T(x); }\n    let fraction = abs(x - \
         round(x));\n    if fraction == 0.0f { return infinity_$T(); }\n    return log(3.1415926536f / sin(3.1415926536f * \
         fraction)) - lgamma_above_$T(1.0f - x);\n}\n",
    ),
    helper(
        "digamma",
        &["nan", "is_finite"],
        "fn digamma_$T(x: $T) -> $T {\n    var y = x;\n    var below = 0.0f;\n    if x <= 0.0f {\n        if x == floor(x) { return \
         nan_$T(); }\n        below = 3.1415926536f / tan(3.1415926536f * (x - round(x)));\n        y = 1.0f - x;\n    }\n    if \
         !is_finite_$T(y) { return y; }\n    loop {\n        if y >= 8.0f { break; }\n        below = below + 1.0f / y;\n        y = y + \
         1.0f;\n    }\n    let s = 1.0f / (y * y);\n    return log(y) - 0.5f / y - s * (0.08333333333f - s * (0.008333333333f - s * \
         0.003968253968f)) - below;\n}\n",
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
