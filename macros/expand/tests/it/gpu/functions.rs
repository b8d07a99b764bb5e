//! Functions that bodies call, `match`, and ranges with their end.

use expect_test::expect;

use super::*;

#[test]
fn functions_are_put_in_the_place_of_their_calls() {
    check_body(
        "f32",
        "fn twice<U: Float>(x: U) -> U { let y = x + x; y } twice(x) * twice::<f32>(1.0) + twice(x.abs())",
        expect![[r#"
                const f32 x_1 = x_0;
                f32 value_2;
                const f32 y_3 = (x_1 + x_1);
                value_2 = y_3;
                const f32 x_4 = 1.0f;
                f32 value_5;
                const f32 y_6 = (x_4 + x_4);
                value_5 = y_6;
                const f32 x_7 = fabsf(x_0);
                f32 value_8;
                const f32 y_9 = (x_7 + x_7);
                value_8 = y_9;
                return ((value_2 * value_5) + value_8);
            --
                let x_1: f32 = x_0;
                var value_2: f32;
                let y_3: f32 = (x_1 + x_1);
                value_2 = y_3;
                let x_4: f32 = 1.0f;
                var value_5: f32;
                let y_6: f32 = (x_4 + x_4);
                value_5 = y_6;
                let x_7: f32 = abs(x_0);
                var value_8: f32;
                let y_9: f32 = (x_7 + x_7);
                value_8 = y_9;
                return ((value_2 * value_5) + value_8);
        "#]],
    );
}

#[test]
fn an_early_return_leaves_a_loop() {
    check_body(
        "f32",
        "fn root(mut x: f32) -> f32 { if x < 0.0 { return 0.0; } x += 1.0; x.sqrt() } let y = root(x); y",
        expect![[r#"
                f32 x_1 = x_0;
                f32 value_2;
                while (true) {
                    if (x_1 < 0.0f) {
                        value_2 = 0.0f;
                        break;
                    }
                    x_1 = (x_1 + 1.0f);
                    value_2 = sqrtf(x_1);
                    break;
                }
                const f32 y_3 = value_2;
                return y_3;
            --
                var x_1: f32 = x_0;
                var value_2: f32;
                loop {
                    if (x_1 < 0.0f) {
                        value_2 = 0.0f;
                        break;
                    }
                    x_1 = (x_1 + 1.0f);
                    value_2 = sqrt(x_1);
                    break;
                }
                let y_3: f32 = value_2;
                return y_3;
        "#]],
    );
}

#[test]
fn functions_take_arrays_and_call_each_other() {
    check_grid(
        "fn f(x: &[f32], y: &mut [f32]) {
            fn first(all: &[f32], i: usize) -> f32 { all[i] }
            fn put<T: Copy>(all: &mut [T], i: usize, value: T) { all[i] = value; }
            fn twice(all: &[f32], i: usize) -> f32 { first(all, i) * 2.0 }
            let i = thread_index().x;
            put(y, i, twice(x, i));
        }",
        expect![[r#"
                const usize i_2 = (usize)threadIdx.x;
                const usize i_3 = i_2;
                const usize i_4 = i_2;
                f32 value_5;
                const usize i_6 = i_4;
                f32 value_7;
                value_7 = x_0[i_6];
                value_5 = (value_7 * 2.0f);
                const f32 value_8 = value_5;
                y_1[i_3] = value_8;
            --
                let i_2: u32 = thread_index.x;
                let i_3: u32 = i_2;
                let i_4: u32 = i_2;
                var value_5: f32;
                let i_6: u32 = i_4;
                var value_7: f32;
                value_7 = x_0[i_6];
                value_5 = (value_7 * 2.0f);
                let value_8: f32 = value_5;
                y_1[i_3] = value_8;
        "#]],
    );
}

#[test]
fn match_compares() {
    check_body(
        "i32",
        "const TEN: i32 = 10;
         let y = match x { 0 => 5, 1 | -2 => 6, 3..=5 => { let z = x * 2; z }, TEN => 7, n if n > 100 => n - 100, _ => 8 };
         match y > 3 { true => y, false => return x }",
        expect![[r#"
                const i32 TEN_1 = 10;
                const i32 bound_2 = x_0;
                i32 value_3;
                if (bound_2 == 0) {
                    value_3 = 5;
                } else {
                    if ((bound_2 == 1) || (bound_2 == (-2))) {
                        value_3 = 6;
                    } else {
                        if ((bound_2 >= 3) && (bound_2 <= 5)) {
                            const i32 z_4 = (i32)((u32)x_0 * (u32)2);
                            value_3 = z_4;
                        } else {
                            if (bound_2 == TEN_1) {
                                const i32 TEN_5 = bound_2;
                                value_3 = 7;
                            } else {
                                const i32 n_6 = bound_2;
                                if (n_6 > 100) {
                                    const i32 n_7 = bound_2;
                                    value_3 = (i32)((u32)n_7 - (u32)100);
                                } else {
                                    value_3 = 8;
                                }
                            }
                        }
                    }
                }
                const i32 y_8 = value_3;
                const bool bound_9 = (y_8 > 3);
                i32 value_10;
                if (bound_9) {
                    value_10 = y_8;
                } else {
                    return x_0;
                }
                return value_10;
            --
                let TEN_1: i32 = 10i;
                let bound_2: i32 = x_0;
                var value_3: i32;
                if (bound_2 == 0i) {
                    value_3 = 5i;
                } else {
                    if ((bound_2 == 1i) || (bound_2 == i32(-2))) {
                        value_3 = 6i;
                    } else {
                        if ((bound_2 >= 3i) && (bound_2 <= 5i)) {
                            let z_4: i32 = (x_0 * 2i);
                            value_3 = z_4;
                        } else {
                            if (bound_2 == TEN_1) {
                                let TEN_5: i32 = bound_2;
                                value_3 = 7i;
                            } else {
                                let n_6: i32 = bound_2;
                                if (n_6 > 100i) {
                                    let n_7: i32 = bound_2;
                                    value_3 = (n_7 - 100i);
                                } else {
                                    value_3 = 8i;
                                }
                            }
                        }
                    }
                }
                let y_8: i32 = value_3;
                let bound_9: bool = (y_8 > 3i);
                var value_10: i32;
                if (bound_9) {
                    value_10 = y_8;
                } else {
                    return x_0;
                }
                return value_10;
        "#]],
    );
    check_body(
        "i32",
        "let mut y = x; match x { ..0 => y += 1, 5.. => {} other => y = other * 2 } y",
        expect![[r#"
            i32 y_1 = x_0;
            const i32 bound_2 = x_0;
            if (bound_2 < 0) {
                y_1 = (i32)((u32)y_1 + (u32)1);
            } else {
                if (bound_2 >= 5) {
                } else {
                    const i32 other_3 = bound_2;
                    y_1 = (i32)((u32)other_3 * (u32)2);
                }
            }
            return y_1;
        --
            var y_1: i32 = x_0;
            let bound_2: i32 = x_0;
            if (bound_2 < 0i) {
                y_1 = (y_1 + 1i);
            } else {
                if (bound_2 >= 5i) {
                } else {
                    let other_3: i32 = bound_2;
                    y_1 = (other_3 * 2i);
                }
            }
            return y_1;
    "#]],
    );
}

#[test]
fn ranges_may_have_their_end() {
    check_body(
        "i32",
        "let mut y = x; for i in 0..=x { y += i; } for _ in 1..=3 { y += 1; } y",
        expect![[r#"
            i32 y_1 = x_0;
            const i32 bound_2 = (i32)((u32)x_0 + (u32)1);
            for (i32 i_3 = 0; i_3 < bound_2; i_3 += 1) {
                y_1 = (i32)((u32)y_1 + (u32)i_3);
            }
            for (i32 step_4 = 1; step_4 < 4; step_4 += 1) {
                y_1 = (i32)((u32)y_1 + (u32)1);
            }
            return y_1;
        --
            var y_1: i32 = x_0;
            let bound_2: i32 = (x_0 + 1i);
            for (var i_3: i32 = 0i; i_3 < bound_2; i_3 += 1i) {
                y_1 = (y_1 + i_3);
            }
            for (var step_4: i32 = 1i; step_4 < 4i; step_4 += 1i) {
                y_1 = (y_1 + 1i);
            }
            return y_1;
    "#]],
    );
}

#[test]
fn bits_and_products_of_words() {
    check_grid(
        "fn f(x: &[f32], y: &mut [u32]) {
            let i = thread_index().x;
            let bits = x[i].to_bits();
            y[i] = mul_hi(bits, 0xd251_1f53) ^ bits.rotate_left(7) ^ f32::from_bits(bits ^ 1).to_bits();
        }",
        expect![[r#"
                const usize i_2 = (usize)threadIdx.x;
                const u32 bits_3 = __float_as_uint(x_0[i_2]);
                y_1[i_2] = ((__umulhi(bits_3, 3528531795u) ^ __funnelshift_l(bits_3, bits_3, 7u)) ^ __float_as_uint(__uint_as_float((bits_3 ^ 1u))));
            --
                let i_2: u32 = thread_index.x;
                let bits_3: u32 = bitcast<u32>(x_0[i_2]);
                y_1[i_2] = ((mul_hi_u32(bits_3, 3528531795u) ^ rotate_left_u32(bits_3, 7u)) ^ bitcast<u32>(bitcast<f32>((bits_3 ^ 1u))));
        "#]],
    );
}

#[test]
fn literals_have_the_type_that_they_are_cast_to() {
    check_body(
        "f16",
        "x * T::from_f32(0.1)",
        expect![[r#"
                return (x_0 * 0.1f);
            --
                return (x_0 * 0.1f);
        "#]],
    );
}
