//! Tuples and fixed arrays as values, and loops over the grid.

use expect_test::{Expect, expect};

use super::*;

#[test]
fn loops_over_the_grid_count_in_both_types_of_indices() {
    check_grid(
        "fn f(y: &mut [f32]) { for i in grid_stride(y.len()) { y[i] = 1.0; } }",
        expect![[r#"
            const usize y_0_length = ((usize)y_0_length_high << 32) | y_0_length_low;
            const usize bound_1 = y_0_length;
            const usize bound_2 = ((usize)gridDim.x * (usize)blockDim.x);
            for (usize i_3 = (((usize)blockIdx.x * (usize)blockDim.x) + (usize)threadIdx.x); i_3 < bound_1; i_3 += bound_2) {
                y_0[i_3] = 1.0f;
            }
        --
            let bound_1: u32 = scalars.y_0_length_low;
            let bound_2: u32 = (grid_dim.x * 64u);
            for (var i_3: u32 = ((block_index.x * 64u) + thread_index.x); i_3 < bound_1; i_3 += bound_2) {
                y_0[i_3] = 1.0f;
            }
    "#]],
    );
    check_grid(
        "fn f(y: &mut [u32], count: u32) { for i in grid_stride(count) { y[i as usize] = i; } }",
        expect![[r#"
                const usize bound_2 = (usize)count_1;
                const usize bound_3 = ((usize)gridDim.x * (usize)blockDim.x);
                for (usize i_4 = (((usize)blockIdx.x * (usize)blockDim.x) + (usize)threadIdx.x); i_4 < bound_2; i_4 += bound_3) {
                    const u32 i_5 = (u32)i_4;
                    y_0[(usize)i_5] = i_5;
                }
            --
                let count_1 = scalars.count_1;
                let bound_2: u32 = count_1;
                let bound_3: u32 = (grid_dim.x * 64u);
                for (var i_4: u32 = ((block_index.x * 64u) + thread_index.x); i_4 < bound_2; i_4 += bound_3) {
                    let i_5: u32 = i_4;
                    y_0[i_5] = i_5;
                }
        "#]],
    );
}

#[test]
fn tuples_are_returned_and_taken_apart() {
    check_body(
        "f32",
        "fn ends(x: f32) -> (f32, f32) { if x < 0.0 { (x, 0.0) } else { (0.0, x) } } \
         let (mut low, high) = ends(x); low += high; let pair = (low, (high, true)); \
         if (pair.1).1 { pair.0 } else { pair.1.0 }",
        expect![[r#"
                const f32 x_1 = x_0;
                f32 value_2;
                f32 value_3;
                f32 value_7;
                f32 value_8;
                if (x_1 < 0.0f) {
                    f32 part_5 = x_1;
                    f32 part_6 = 0.0f;
                    value_7 = part_5;
                    value_8 = part_6;
                } else {
                    f32 part_9 = 0.0f;
                    f32 part_10 = x_1;
                    value_7 = part_9;
                    value_8 = part_10;
                }
                value_2 = value_7;
                value_3 = value_8;
                value_2 = (value_2 + value_3);
                f32 part_11 = value_2;
                f32 part_12 = value_3;
                bool part_13 = true;
                f32 value_14;
                if (part_13) {
                    value_14 = part_11;
                } else {
                    value_14 = part_12;
                }
                return value_14;
            --
                let x_1: f32 = x_0;
                var value_2: f32;
                var value_3: f32;
                var value_7: f32;
                var value_8: f32;
                if (x_1 < 0.0f) {
                    var part_5: f32 = x_1;
                    var part_6: f32 = 0.0f;
                    value_7 = part_5;
                    value_8 = part_6;
                } else {
                    var part_9: f32 = 0.0f;
                    var part_10: f32 = x_1;
                    value_7 = part_9;
                    value_8 = part_10;
                }
                value_2 = value_7;
                value_3 = value_8;
                value_2 = (value_2 + value_3);
                var part_11: f32 = value_2;
                var part_12: f32 = value_3;
                var part_13: bool = true;
                var value_14: f32;
                if (part_13) {
                    value_14 = part_11;
                } else {
                    value_14 = part_12;
                }
                return value_14;
        "#]],
    );
}

#[test]
fn values_are_swapped_and_copied() {
    check_body(
        "f32",
        "let (mut a, mut b) = (x, 1.0); (a, b) = (b, a); let mut p = (a, b); let q = p; p.0 = 2.0; p = (p.1, q.0); p.0 - p.1",
        expect![[r#"
                f32 part_1 = x_0;
                f32 part_2 = 1.0f;
                f32 part_3 = part_2;
                f32 part_4 = part_1;
                part_1 = part_3;
                part_2 = part_4;
                f32 part_5 = part_1;
                f32 part_6 = part_2;
                f32 q_7;
                f32 q_8;
                q_7 = part_5;
                q_8 = part_6;
                part_5 = 2.0f;
                f32 part_9 = part_6;
                f32 part_10 = q_7;
                part_5 = part_9;
                part_6 = part_10;
                return (part_5 - part_6);
            --
                var part_1: f32 = x_0;
                var part_2: f32 = 1.0f;
                var part_3: f32 = part_2;
                var part_4: f32 = part_1;
                part_1 = part_3;
                part_2 = part_4;
                var part_5: f32 = part_1;
                var part_6: f32 = part_2;
                var q_7: f32;
                var q_8: f32;
                q_7 = part_5;
                q_8 = part_6;
                part_5 = 2.0f;
                var part_9: f32 = part_6;
                var part_10: f32 = q_7;
                part_5 = part_9;
                part_6 = part_10;
                return (part_5 - part_6);
        "#]],
    );
}

#[test]
fn arrays_are_values() {
    check_body(
        "f32",
        "fn powers(x: f32) -> [f32; 3] { [x, x * x, x * x * x] } \
         let all = powers(x); let mut sum = 0.0; for i in 0..all.len() { sum += all[i]; } \
         let pairs = [(1.0, x), (x, 2.0)]; let grid = [[0.0f32; 2]; 3]; \
         let [first, _, last] = all; sum += first * last; \
         let chosen = if x > 0.0 { all } else { [0.0, x, 1.0] }; \
         sum + pairs[1].0 + grid[2][1] + chosen[0]",
        expect![[r#"
                const f32 x_1 = x_0;
                f32 value_2[3];
                f32 array_3[3];
                array_3[0u] = x_1;
                array_3[1u] = (x_1 * x_1);
                array_3[2u] = ((x_1 * x_1) * x_1);
                value_2[0ull] = array_3[0ull];
                value_2[1ull] = array_3[1ull];
                value_2[2ull] = array_3[2ull];
                f32 sum_4 = 0.0f;
                for (usize i_5 = 0ull; i_5 < 3ull; i_5 += 1ull) {
                    sum_4 = (sum_4 + value_2[i_5]);
                }
                f32 part_6 = 1.0f;
                f32 part_7 = x_0;
                f32 part_8 = x_0;
                f32 part_9 = 2.0f;
                f32 pairs_10[2];
                f32 pairs_11[2];
                pairs_10[0ull] = part_6;
                pairs_11[0ull] = part_7;
                pairs_10[1ull] = part_8;
                pairs_11[1ull] = part_9;
                f32 array_12[2];
                for (u32 array_12_at = 0u; array_12_at < 2u; array_12_at++) {
                    array_12[array_12_at] = 0.0f;
                }
                f32 grid_13[6];
                for (usize at_14 = 0ull; at_14 < 3ull; at_14 += 1ull) {
                    grid_13[((at_14 * 2ull) + 0ull)] = array_12[0ull];
                    grid_13[((at_14 * 2ull) + 1ull)] = array_12[1ull];
                }
                f32 first_15 = value_2[0ull];
                f32 last_16 = value_2[2ull];
                sum_4 = (sum_4 + (first_15 * last_16));
                f32 value_18[3];
                if (x_0 > 0.0f) {
                    value_18[0ull] = value_2[0ull];
                    value_18[1ull] = value_2[1ull];
                    value_18[2ull] = value_2[2ull];
                } else {
                    f32 array_19[3];
                    array_19[0u] = 0.0f;
                    array_19[1u] = x_0;
                    array_19[2u] = 1.0f;
                    value_18[0ull] = array_19[0ull];
                    value_18[1ull] = array_19[1ull];
                    value_18[2ull] = array_19[2ull];
                }
                return (((sum_4 + pairs_10[1ull]) + grid_13[5ull]) + value_18[0ull]);
            --
                let x_1: f32 = x_0;
                var value_2: array<f32, 3>;
                var array_3: array<f32, 3>;
                array_3[0u] = x_1;
                array_3[1u] = (x_1 * x_1);
                array_3[2u] = ((x_1 * x_1) * x_1);
                value_2[0u] = array_3[0u];
                value_2[1u] = array_3[1u];
                value_2[2u] = array_3[2u];
                var sum_4: f32 = 0.0f;
                for (var i_5: u32 = 0u; i_5 < 3u; i_5 += 1u) {
                    sum_4 = (sum_4 + value_2[i_5]);
                }
                var part_6: f32 = 1.0f;
                var part_7: f32 = x_0;
                var part_8: f32 = x_0;
                var part_9: f32 = 2.0f;
                var pairs_10: array<f32, 2>;
                var pairs_11: array<f32, 2>;
                pairs_10[0u] = part_6;
                pairs_11[0u] = part_7;
                pairs_10[1u] = part_8;
                pairs_11[1u] = part_9;
                var array_12: array<f32, 2>;
                for (var array_12_at: u32 = 0u; array_12_at < 2u; array_12_at++) {
                    array_12[array_12_at] = 0.0f;
                }
                var grid_13: array<f32, 6>;
                for (var at_14: u32 = 0u; at_14 < 3u; at_14 += 1u) {
                    grid_13[((at_14 * 2u) + 0u)] = array_12[0u];
                    grid_13[((at_14 * 2u) + 1u)] = array_12[1u];
                }
                var first_15: f32 = value_2[0u];
                var last_16: f32 = value_2[2u];
                sum_4 = (sum_4 + (first_15 * last_16));
                var value_18: array<f32, 3>;
                if (x_0 > 0.0f) {
                    value_18[0u] = value_2[0u];
                    value_18[1u] = value_2[1u];
                    value_18[2u] = value_2[2u];
                } else {
                    var array_19: array<f32, 3>;
                    array_19[0u] = 0.0f;
                    array_19[1u] = x_0;
                    array_19[2u] = 1.0f;
                    value_18[0u] = array_19[0u];
                    value_18[1u] = array_19[1u];
                    value_18[2u] = array_19[2u];
                }
                return (((sum_4 + pairs_10[1u]) + grid_13[5u]) + value_18[0u]);
        "#]],
    );
}

#[test]
fn an_early_return_gives_a_tuple() {
    check_body(
        "f32",
        "fn split(x: f32) -> (f32, bool) { if x < 0.0 { return (0.0, false); } (x, true) } \
         let (value, is_positive) = split(x); match is_positive { true => value, false => -1.0 }",
        expect![[r#"
                const f32 x_1 = x_0;
                f32 value_2;
                bool value_3;
                while (true) {
                    if (x_1 < 0.0f) {
                        f32 part_4 = 0.0f;
                        bool part_5 = false;
                        value_2 = part_4;
                        value_3 = part_5;
                        break;
                    }
                    f32 part_6 = x_1;
                    bool part_7 = true;
                    value_2 = part_6;
                    value_3 = part_7;
                    break;
                }
                const bool bound_8 = value_3;
                f32 value_9;
                if (bound_8) {
                    value_9 = value_2;
                } else {
                    value_9 = (-1.0f);
                }
                return value_9;
            --
                let x_1: f32 = x_0;
                var value_2: f32;
                var value_3: bool;
                loop {
                    if (x_1 < 0.0f) {
                        var part_4: f32 = 0.0f;
                        var part_5: bool = false;
                        value_2 = part_4;
                        value_3 = part_5;
                        break;
                    }
                    var part_6: f32 = x_1;
                    var part_7: bool = true;
                    value_2 = part_6;
                    value_3 = part_7;
                    break;
                }
                let bound_8: bool = value_3;
                var value_9: f32;
                if (bound_8) {
                    value_9 = value_2;
                } else {
                    value_9 = (-1.0f);
                }
                return value_9;
        "#]],
    );
}

#[track_caller]
fn refused(body: &str, expected: Expect) {
    let item = format!("fn f(y: &mut [f32], n: u32, x: f32) {{ {body} }}");
    let tokens = oplink_macros_expand::program(parse("block = 64"), parse(&item));
    expected.assert_eq(&messages(tokens).join("\n--\n"));
}

#[test]
fn mistakes() {
    refused("let (a, b, c) = (x, x);", expect!["no translation to the GPU: a tuple of 2 values is taken apart into 3"]);
    refused(
        "let [a, b] = [x, x, x];",
        expect!["no translation to the GPU: an array of 3 values is taken apart into 2"],
    );
    refused(
        "let (a, b) = x;",
        expect!["no translation to the GPU: this pattern takes a value apart that is a single number"],
    );
    refused(
        "let a = (x, 1.0); y[0] = a;",
        expect!["no translation to the GPU: `(f32, f64)` stands where `f32` belongs"],
    );
    refused("let a = (x, 1.0); y[0] = a.2;", expect!["no translation to the GPU: `(f32, f64)` has no such part"]);
    refused(
        "let mut a = (x, 1.0); a = (x, 1.0, 2.0);",
        expect!["no translation to the GPU: `(f32, f64, f64)` stands where `(f32, f64)` belongs"],
    );
    refused("let a: (f32, u32) = (x, x);", expect!["no translation to the GPU: `f32` stands where `u32` belongs"]);
    refused(
        "fn two() -> (f32, f32) { (1.0, 2.0) } y[0] = two() + 1.0;",
        expect!["no translation to the GPU: a value of type `(f32, f32)` stands where a number belongs: use its parts"],
    );
    refused(
        "fn first(a: [f32; 2]) -> f32 { a[0] } y[0] = first([x, x, x]);",
        expect!["no translation to the GPU: `[f32; 3]` stands where `[f32; 2]` belongs"],
    );
    refused(
        "for i in grid_stride(x) {}",
        expect!["no translation to the GPU: `grid_stride` counts in `usize` or `u32`, this is `f32`"],
    );
    refused(
        "let i = grid_stride(n);",
        expect!["no translation to the GPU: `grid_stride` stands in `for` only: `for i in grid_stride(count) { … }`"],
    );
    refused(
        "let a = if n > 0 { (x, x) } else { x };",
        expect!["no translation to the GPU: `f32` stands where `(f32, f32)` belongs"],
    );
}
