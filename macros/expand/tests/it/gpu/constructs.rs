//! Single constructs of Rust, each in both languages.

use expect_test::expect;

use super::*;

#[test]
fn shadowed_locals_get_names_of_their_own() {
    check_body(
        "f32",
        "let x = x + x; let mut y = x; { let x = x * y; y = x; } y",
        expect![[r#"
            const f32 x_1 = (x_0 + x_0);
            f32 y_2 = x_1;
            const f32 x_3 = (x_1 * y_2);
            y_2 = x_3;
            return y_2;
        --
            let x_1: f32 = (x_0 + x_0);
            var y_2: f32 = x_1;
            let x_3: f32 = (x_1 * y_2);
            y_2 = x_3;
            return y_2;
    "#]],
    );
}

#[test]
fn blocks_inside_of_expressions_become_statements() {
    check_body(
        "f32",
        "let y = T::one() + if x > T::zero() { let z = x * x; z } else { -x };
         if x > T::zero() && { let z = x.sqrt(); z > y } { return y; }
         y - T::from_f32(0.5)",
        expect![[r#"
                f32 value_1;
                if (x_0 > 0.0f) {
                    const f32 z_2 = (x_0 * x_0);
                    value_1 = z_2;
                } else {
                    value_1 = (-x_0);
                }
                const f32 y_3 = (1.0f + value_1);
                bool value_5;
                value_5 = (x_0 > 0.0f);
                if (value_5) {
                    const f32 z_4 = sqrtf(x_0);
                    value_5 = (z_4 > y_3);
                }
                if (value_5) {
                    return y_3;
                }
                return (y_3 - 0.5f);
            --
                var value_1: f32;
                if (x_0 > 0.0f) {
                    let z_2: f32 = (x_0 * x_0);
                    value_1 = z_2;
                } else {
                    value_1 = (-x_0);
                }
                let y_3: f32 = (1.0f + value_1);
                var value_5: bool;
                value_5 = (x_0 > 0.0f);
                if (value_5) {
                    let z_4: f32 = sqrt(x_0);
                    value_5 = (z_4 > y_3);
                }
                if (value_5) {
                    return y_3;
                }
                return (y_3 - 0.5f);
        "#]],
    );
}

#[test]
fn loops() {
    check_body(
        "f32",
        "let mut sum = T::zero(); let mut n = 0;
         for i in 0..8u32 { if i == 3 { continue; } sum = sum + x; n += i; }
         while n < 20 { n = n * 2 + 1; }
         loop { if sum > T::one() { break; } sum = sum + sum; }
         sum + T::from_f32(n as f32)",
        expect![[r#"
                f32 sum_1 = 0.0f;
                u32 n_2 = 0u;
                for (u32 i_3 = 0u; i_3 < 8u; i_3 += 1u) {
                    if (i_3 == 3u) {
                        continue;
                    }
                    sum_1 = (sum_1 + x_0);
                    n_2 = (n_2 + i_3);
                }
                while (true) {
                    if (!(n_2 < 20u)) {
                        break;
                    }
                    n_2 = ((n_2 * 2u) + 1u);
                }
                while (true) {
                    if (sum_1 > 1.0f) {
                        break;
                    }
                    sum_1 = (sum_1 + sum_1);
                }
                return (sum_1 + (f32)n_2);
            --
                var sum_1: f32 = 0.0f;
                var n_2: u32 = 0u;
                for (var i_3: u32 = 0u; i_3 < 8u; i_3 += 1u) {
                    if (i_3 == 3u) {
                        continue;
                    }
                    sum_1 = (sum_1 + x_0);
                    n_2 = (n_2 + i_3);
                }
                loop {
                    if (!(n_2 < 20u)) {
                        break;
                    }
                    n_2 = ((n_2 * 2u) + 1u);
                }
                loop {
                    if (sum_1 > 1.0f) {
                        break;
                    }
                    sum_1 = (sum_1 + sum_1);
                }
                return (sum_1 + f32(n_2));
        "#]],
    );
}

#[test]
fn integers_wrap() {
    let item = "fn f(x: i8, n: i64) -> i8 {
        let a = (x as i32) * 3 - i32::MIN;
        let b = (a as u32) << 5 >> 2;
        let c = (b as i64).abs() % 7 / 2 + n;
        let d = (c as u8).max(3).pow(2) as i8;
        d.wrapping_mul(-x) ^ !x
    }";
    let programs = programs(UNARY, "Relu, device = GPU, T = [i8]", item);
    check_programs(
        &programs[..1],
        expect![[r#"
            params: & [FormulaParam :: Input (DType :: Int8) , FormulaParam :: Attr (DType :: Int64)]
            result: DType :: Int8
            shapes: InputShapes :: Broadcast
            needs: & [ProgramFeature :: I64]
            // CUDA
            template <typename T> __device__ T absolute(T x) { return x < 0 ? (T)(0ull - (u64)x) : x; }
            template <typename T> __device__ T larger(T x, T y) { return x > y ? x : y; }
            template <typename T> __device__ T power(T x, u32 n) {
                u64 result = 1, base = (u64)x;
                for (; n > 0; n >>= 1) {
                    if (n & 1u) result *= base;
                    base *= base;
                }
                return (T)result;
            }
            static __device__ __forceinline__ i8 value_of(i8 x_0, i64 n_1) {
                const i32 a_2 = (i32)((u32)(i32)((u32)(i32)x_0 * (u32)3) - (u32)(-2147483647 - 1));
                const u32 b_3 = (u32)((u32)((u32)(u32)a_2 << ((u32)5 & 31u)) >> ((u32)2 & 31u));
                const i64 c_4 = (i64)((u64)((absolute((i64)b_3) % 7ll) / 2ll) + (u64)n_1);
                const i8 d_5 = (i8)power(larger((u8)c_4, (u8)(3)), 2u);
                return (i8)((i8)((u32)d_5 * (u32)(i8)((u32)0 - (u32)x_0)) ^ (i8)(~x_0));
            }
            // WGSL
            fn pow_u32(x: u32, count: u32) -> u32 {
                var result = u32(1);
                var base = x;
                for (var n = count; n > 0u; n = n >> 1u) {
                    if (n & 1u) != 0u { result = result * base; }
                    base = base * base;
                }
                return result;
            }
            fn value_of(x_0: i32, n_1: i64) -> i32 {
                let a_2: i32 = ((x_0 * 3i) - i32(-2147483648));
                let b_3: u32 = ((u32(a_2) << (u32(5i) & 31u)) >> (u32(2i) & 31u));
                let c_4: i64 = (((abs(i64(u64(b_3))) % 7li) / 2li) + n_1);
                let d_5: i32 = extractBits(i32((pow_u32(max((u32(c_4) & 255u), 3u), 2u) & 255u)), 0u, 8u);
                return (extractBits((d_5 * extractBits((-x_0), 0u, 8u)), 0u, 8u) ^ extractBits((~x_0), 0u, 8u));
            }
        "#]],
    );
}

#[test]
fn floats_become_integers_as_in_rust() {
    check_body(
        "f16",
        "let n = x.to_f32() as i32; let m = (n as f64) as u64; T::from_f32(n as f32 + m as f32)",
        expect![[r#"
                const i32 n_1 = saturated<i32>(x_0, -2147483648.0f, 2147483648.0f, (-2147483647 - 1), 2147483647);
                const u64 m_2 = saturated<u64>((f64)n_1, 0.0, 18446744073709551616.0, 0ull, 18446744073709551615ull);
                return ((f32)n_1 + (f32)m_2);
            --
                let n_1: i32 = f32_to_i32(x_0);
                let m_2: u64 = f64_to_u64(f64(n_1));
                return (f32(n_1) + f32(m_2));
        "#]],
    );
}

#[test]
fn constants() {
    check_body(
        "f32",
        "let a = T::infinity() + T::LOWEST + T::nan() + T::epsilon() + T::max_value();
         a * T::from_f32(std::f32::consts::PI) + T::from_f32(1e-5)",
        expect![[r#"
                const f32 a_1 = ((((__int_as_float(0x7f800000) + __int_as_float(0xff800000)) + __int_as_float(0x7fc00000)) + (1.1920929e-7f)) + (3.4028235e38f));
                return ((a_1 * 3.141592653589793f) + 1e-5f);
            --
                let a_1: f32 = ((((infinity_f32() + neg_infinity_f32()) + nan_f32()) + 1.1920929e-7f) + 3.4028235e38f);
                return ((a_1 * 3.141592653589793f) + 1e-5f);
        "#]],
    );
}

const METHODS: &[&str] = &[
    "exp()",
    "exp2()",
    "exp_m1()",
    "ln()",
    "ln_1p()",
    "log2()",
    "log10()",
    "sqrt()",
    "cbrt()",
    "sin()",
    "cos()",
    "tan()",
    "asin()",
    "acos()",
    "atan()",
    "sinh()",
    "cosh()",
    "tanh()",
    "asinh()",
    "acosh()",
    "atanh()",
    "floor()",
    "ceil()",
    "round()",
    "trunc()",
    "fract()",
    "recip()",
    "abs()",
    "signum()",
    "round_ties_even()",
    "sigmoid()",
    "erf()",
    "erfc()",
    "erfinv()",
    "lgamma()",
    "digamma()",
    "powf(x)",
    "atan2(x)",
    "hypot(x)",
    "copysign(x)",
    "mul_add(x, x)",
    "powi(3)",
    "max(x)",
    "min(x)",
    "clamp(x, x)",
];

#[test]
fn every_method_of_floats() {
    for method in METHODS {
        let formulas = unary("f32, f16, f64, bf16", &format!("x.{method}"));
        assert!(formulas.len() == 2 && !formulas[0].wgsl.is_empty(), "{method}");
        let grid = format!("fn f<T: Float>(x: &[T], y: &mut [T]) {{ let x = x[0]; y[0] = x.{method}; }}");
        let programs = launched("block = 64, T = [f32, f16, f64, bf16]", &grid);
        let has_wgsl: Vec<bool> = programs.iter().map(|texts| !texts.wgsl.is_empty()).collect();
        assert!(has_wgsl[0] && has_wgsl[1] && !has_wgsl[3], "{method}: {has_wgsl:?}");
    }
    for test in ["is_nan()", "is_infinite()", "is_finite()", "is_nan_value()"] {
        unary("f32, f16", &format!("if x.{test} {{ x }} else {{ T::zero() }}"));
    }
}

#[test]
fn every_method_of_integers() {
    let methods =
        ["max(x)", "min(x)", "clamp(x, x)", "wrapping_add(&x)", "wrapping_sub(x)", "wrapping_mul(x)", "pow(3)"];
    for method in methods {
        let item = format!("fn f<T: Integer>(x: T) -> T {{ x.{method} }}");
        programs(UNARY, "Relu, device = GPU, T = [i8, i32, u16, u32, i64, u64]", &item);
    }
    let signed = "fn f(x: i32) -> i32 { x.abs() + x.signum() + x.count_ones() as i32 }";
    programs(UNARY, "Relu, device = GPU, T = [i32]", signed);
}

#[test]
fn larger_and_smaller_are_those_of_rust() {
    check_body(
        "f16",
        "x.max(T::one()).min(-x)",
        expect![[r#"
                return fminf(fmaxf(x_0, 1.0f), (-x_0));
            --
                return min_f32(max_f32(x_0, 1.0f), (-x_0));
        "#]],
    );
}
