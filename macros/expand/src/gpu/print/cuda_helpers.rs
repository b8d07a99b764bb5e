//! Functions that CUDA texts start with, where they use them: a flat table.

/// Rust's names of types.
pub(super) const TYPES: &str = "\
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned long long usize;
typedef float f32;
typedef double f64;
";

/// Each function's name and text.
pub(super) const HELPERS: &[(&str, &str)] = &[
    ("is_nan", "template <typename T> __device__ bool is_nan(T x) { return !(x == x); }\n"),
    ("is_infinite", "template <typename T> __device__ bool is_infinite(T x) { return x == x && x - x != x - x; }\n"),
    ("is_finite", "template <typename T> __device__ bool is_finite(T x) { return x - x == x - x; }\n"),
    (
        "fract_of",
        "__device__ f32 fract_of(f32 x) { return x - truncf(x); }\n__device__ f64 fract_of(f64 x) { return x - trunc(x); }\n",
    ),
    (
        "signum_of",
        "__device__ f32 signum_of(f32 x) { return x == x ? copysignf(1.0f, x) : x; }\n\
         __device__ f64 signum_of(f64 x) { return x == x ? copysign(1.0, x) : x; }\n",
    ),
    (
        "sigmoid_of",
        "__device__ f32 sigmoid_of(f32 x) { return 1.0f / (1.0f + expf(-x)); }\n\
         __device__ f64 sigmoid_of(f64 x) { return 1.0 / (1.0 + exp(-x)); }\n",
    ),
    // Reflection, recurrence up to 10, and the asymptotic series (DLMF 5.11.2).
    (
        "digamma_of",
        "__device__ f64 digamma_of(f64 x) {\n    f64 below = 0.0;\n    if (x <= 0.0) {\n        if (x == floor(x)) return \
         __hiloint2double(0x7ff80000, 0);\n        below = 3.141592653589793 / tan(3.141592653589793 * (x - rint(x)));\n        x = 1.0 - \
         x;\n    }\n    for (; x < 10.0; x += 1.0) below += 1.0 / x;\n    if (!(x - x == 0.0)) return x;\n    const f64 s = 1.0 / (x * \
         x);\n    const f64 series = s * (1.0 / 12.0 - s * (1.0 / 120.0 - s * (1.0 / 252.0 - s * (1.0 / 240.0 - s * (1.0 / 132.0 - s * \
         (691.0 / 32760.0 - s / 12.0))))));\n    return log(x) - 0.5 / x - series - below;\n}\n",
    ),
    ("sign_of", "template <typename T> __device__ T sign_of(T x) { return (T)((x > 0) - (x < 0)); }\n"),
    ("absolute", "template <typename T> __device__ T absolute(T x) { return x < 0 ? (T)(0ull - (u64)x) : x; }\n"),
    ("larger", "template <typename T> __device__ T larger(T x, T y) { return x > y ? x : y; }\n"),
    ("smaller", "template <typename T> __device__ T smaller(T x, T y) { return x < y ? x : y; }\n"),
    (
        "clamp_to",
        "template <typename T> __device__ T clamp_to(T x, T low, T high) { return x < low ? low : x > high ? high : x; }\n",
    ),
    (
        "power",
        "template <typename T> __device__ T power(T x, u32 n) {\n    u64 result = 1, base = (u64)x;\n    for (; n > 0; n >>= 1) \
         {\n        if (n & 1u) result *= base;\n        base *= base;\n    }\n    return (T)result;\n}\n",
    ),
    (
        "saturated",
        "template <typename I, typename F> __device__ I saturated(F x, F low, F high, I least, I most) {\n    return x != x ? \
         (I)0 : x <= low ? least : x >= high ? most : (I)x;\n}\n",
    ),
    (
        "atomic_larger",
        "__device__ void atomic_larger(f32* place, f32 value) {\n    u32* bits = (u32*)place;\n    u32 seen = *bits;\n    while \
         (value > __uint_as_float(seen)) {\n        const u32 found = atomicCAS(bits, seen, __float_as_uint(value));\n        \
         if (found == seen) break;\n        seen = found;\n    }\n}\n",
    ),
    (
        "atomic_smaller",
        "__device__ void atomic_smaller(f32* place, f32 value) {\n    u32* bits = (u32*)place;\n    u32 seen = *bits;\n    while \
         (value < __uint_as_float(seen)) {\n        const u32 found = atomicCAS(bits, seen, __float_as_uint(value));\n        \
         if (found == seen) break;\n        seen = found;\n    }\n}\n",
    ),
    (
        "subgroup_add",
        "template <typename T> __device__ T subgroup_add(T x) {\n    for (int k = 16; k > 0; k >>= 1) x = x + \
         __shfl_xor_sync(0xffffffffu, x, k);\n    return x;\n}\n",
    ),
    (
        "subgroup_max",
        "template <typename T> __device__ T subgroup_max(T x) {\n    for (int k = 16; k > 0; k >>= 1) {\n        T y = \
         __shfl_xor_sync(0xffffffffu, x, k);\n        x = x > y || !(y == y) ? x : y;\n    }\n    return x;\n}\n",
    ),
    (
        "subgroup_min",
        "template <typename T> __device__ T subgroup_min(T x) {\n    for (int k = 16; k > 0; k >>= 1) {\n        T y = \
         __shfl_xor_sync(0xffffffffu, x, k);\n        x = x < y || !(y == y) ? x : y;\n    }\n    return x;\n}\n",
    ),
];
