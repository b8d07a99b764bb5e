//! What has no translation: one message for each mistake, all of them at once.

use expect_test::{Expect, expect};

use super::*;

fn refused(body: &str, expected: Expect) {
    let item = format!("fn f<T: Float>(x: T, alpha: f32) -> T {{ {body} }}");
    errors::check_kernel(UNARY, "Relu, device = GPU, T = [f32, f16]", &item, expected);
}

fn refused_grid(body: &str, expected: Expect) {
    let item = format!("fn f<T: Float>(x: &[T], y: &mut [T]) {{ {body} }}");
    errors::check_kernel(UNARY, "Relu, device = GPU, T = [f32], block = 64", &item, expected);
}

#[test]
fn several_mistakes_at_once() {
    refused(
        "let y = std::hint::black_box(x); println!(\"{y}\"); match y { (0, 1) => x, _ => x }",
        expect![[r#"
            no translation to the GPU: the function `black_box` is not known here: mark it with #[device_fn], or use the methods of numbers and the functions of `gpu`
            --
            no translation to the GPU: a GPU has no macros and no panics: write the code itself
            --
            no translation to the GPU: patterns are numbers, `true`, `false`, ranges of numbers, several of these between `|`, a name, and `_`"#]],
    );
}

#[test]
fn expressions() {
    refused("(|y| y)(x)", expect!["no translation to the GPU: only functions are called, by their paths"]);
    refused(
        "let y = (x, x); y",
        expect!["no translation to the GPU: a value of type `(f32, f32)` stands where a number belongs: use its parts"],
    );
    refused(
        "let Some(a) = x; a",
        expect!["no translation to the GPU: `let` binds names, and the parts of tuples, arrays and structs"],
    );
    refused(
        "x.trigamma()",
        expect![[r#"
            no translation to the GPU: there is no method `trigamma`
            help: did you mean `digamma`?
            the methods are exp, exp2, exp_m1, ln, ln_1p, log2, log10, sqrt, cbrt, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, floor, ceil, round, round_ties_even, trunc, fract, recip, sigmoid, erf, erfc, erfinv, lgamma, digamma, powf, atan2, hypot, copysign, mul_add, powi, is_nan, is_infinite, is_finite, is_nan_value, to_f32, abs, signum, max, min, clamp, wrapping_add, wrapping_sub, wrapping_mul, pow, count_ones, to_bits, rotate_left"#]],
    );
    refused(
        "x.sqr()",
        expect![[r#"
            no translation to the GPU: there is no method `sqr`
            help: did you mean `sqrt`?
            the methods are exp, exp2, exp_m1, ln, ln_1p, log2, log10, sqrt, cbrt, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, floor, ceil, round, round_ties_even, trunc, fract, recip, sigmoid, erf, erfc, erfinv, lgamma, digamma, powf, atan2, hypot, copysign, mul_add, powi, is_nan, is_infinite, is_finite, is_nan_value, to_f32, abs, signum, max, min, clamp, wrapping_add, wrapping_sub, wrapping_mul, pow, count_ones, to_bits, rotate_left"#]],
    );
    refused("*&x", expect!["no translation to the GPU: values have no references: use the value itself"]);
    refused(
        "x + OUTSIDE",
        expect!["no translation to the GPU: `OUTSIDE` is no variable of this function: nothing else is known here"],
    );
    refused(
        "x + crate::OUTSIDE",
        expect![
            "no translation to the GPU: nothing outside of the function is known here; constants are those of number types, such as `T::MAX` and `std::f32::consts::PI`, and a `const` in the body"
        ],
    );
    refused(
        "if let Some(y) = x { y } else { x }",
        expect!["no translation to the GPU: there are no patterns: compare the value"],
    );
    refused("x?", expect!["no translation to the GPU: a GPU kernel cannot fail: there is no `?`"]);
    refused(
        "x + { let mut y = x; y = y * y; y }",
        expect![
            "no translation to the GPU: a block inside of an expression only computes a value: write this in a `let` before it"
        ],
    );
    refused("T::from_f32(alpha + 1)", expect!["no translation to the GPU: an integer stands where `f32` belongs"]);
    refused(
        "alpha.exp().count_ones(); x",
        expect!["no translation to the GPU: `count_ones` is for integers, not for `f32`"],
    );
    refused("\"text\"; x", expect!["no translation to the GPU: this statement has no effect on a GPU"]);
}

#[test]
fn loops() {
    refused("for i in 0..4.0 {} x", expect!["no translation to the GPU: a float stands where an integer belongs"]);
    refused(
        "for i in (0..4).rev() {} x",
        expect![
            "no translation to the GPU: `for` goes over a range `a..b` or `(a..b).step_by(n)`, which this method does not give"
        ],
    );
    refused("for i in 0.. {} x", expect!["no translation to the GPU: a range has a start and an end: write `a..b`"]);
    refused(
        "'a: loop { break 'a; } x",
        expect!["no translation to the GPU: loops have no labels: leave the outer loop by a `bool` variable"],
    );
    refused(
        "let y = loop { break x; }; y",
        expect!["no translation to the GPU: loops have no value: assign it to a variable before `break`"],
    );
}

#[test]
fn grids() {
    refused(
        "let i = thread_index().x; x",
        expect!["no translation to the GPU: thread_index is for kernels over a grid: this function sees one element"],
    );
    refused(
        "barrier(); x",
        expect!["no translation to the GPU: a barrier is for kernels over a grid: this function sees one element"],
    );
    refused_grid(
        "let i = thread_index();",
        expect!["no translation to the GPU: `thread_index()` has three parts: write `thread_index().x`"],
    );
    refused_grid("let z = y;", expect!["no translation to the GPU: an array is used by its elements, and by `.len()`"]);
    refused_grid("y[0] = x[0..2];", expect!["no translation to the GPU: there are no slices: index single elements"]);
    refused_grid(
        "let n = 4; let a = [0.0; n];",
        expect![
            "no translation to the GPU: a length is a number from 1, or a `const` of this function: no others are known here"
        ],
    );
    refused_grid(
        "if x.len() > 1 { let s = shared::<f32, 4>(); }",
        expect!["no translation to the GPU: a shared array is made at the start of the function, outside of blocks"],
    );
    refused_grid(
        "let s = shared();",
        expect![
            "no translation to the GPU: a shared array is made by `shared::<f32, 256>()`, with its type and its length"
        ],
    );
    refused_grid(
        "y.fill(x[0]);",
        expect![[r#"
            no translation to the GPU: there is no method `fill`
            the methods are exp, exp2, exp_m1, ln, ln_1p, log2, log10, sqrt, cbrt, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, floor, ceil, round, round_ties_even, trunc, fract, recip, sigmoid, erf, erfc, erfinv, lgamma, digamma, powf, atan2, hypot, copysign, mul_add, powi, is_nan, is_infinite, is_finite, is_nan_value, to_f32, abs, signum, max, min, clamp, wrapping_add, wrapping_sub, wrapping_mul, pow, count_ones, to_bits, rotate_left"#]],
    );
    refused_grid(
        "static INNER: i32 = 1;",
        expect!["no translation to the GPU: a kernel's body has no items but `const`, `fn`, `struct` and `use`"],
    );
    refused_grid(
        "fn inner() -> f32 { inner() } y[0] = inner();",
        expect!["no translation to the GPU: `inner` calls itself: write a loop"],
    );
    refused_grid(
        "fn inner(k: usize) -> f32 { 1.0 } y[0] = inner();",
        expect!["no translation to the GPU: `inner` takes 1 arguments"],
    );
    refused_grid(
        "fn inner() { } y[0] = inner();",
        expect!["no translation to the GPU: this function gives no value: call it as a statement"],
    );
    refused_grid(
        "fn inner() -> usize { for i in 0..4 { return i; } 4 } y[inner()] = x[0];",
        expect![
            "no translation to the GPU: `inner` is called by another function, so it cannot return out of a loop: `break` first"
        ],
    );
    refused_grid(
        "fn inner<U: Float>() -> f32 { 1.0 } y[0] = inner();",
        expect!["no translation to the GPU: the type `U` of `inner` is not known here: write `inner::<type>(…)`"],
    );
    refused_grid(
        "fn inner(all: &[f32]) -> f32 { all[0] } y[0] = inner(x[0]);",
        expect![[r#"
        no translation to the GPU: an array is passed by its name
        --
        no translation to the GPU: only buffers, shared arrays and own arrays are indexed"#]],
    );
    refused_grid(
        "fn inner(all: &mut [f32]) -> f32 { all[0] } y[0] = 1.0 + inner(y);",
        expect![
            "no translation to the GPU: a block inside of an expression only computes a value: write this in a `let` before it"
        ],
    );
    refused_grid(
        "let i: String = 1; y[i] = x[0];",
        expect![
            "no translation to the GPU: the types of values are `bool`, `f16`, `bf16`, `f32`, `f64`, integers of 8 to 64 bits, `usize`, the function's generic parameters, tuples and arrays of these, and structs with #[device_struct]"
        ],
    );
    refused_grid(
        "let i = 0u32; y[i] = x[0];",
        expect!["no translation to the GPU: `u32` stands where `usize` belongs"],
    );
}
