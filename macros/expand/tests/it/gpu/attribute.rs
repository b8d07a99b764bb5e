//! Keys and signatures of GPU kernels.

use expect_test::{Expect, expect};

use super::*;

fn check(keys: &str, item: &str, expected: Expect) {
    errors::check_kernel(UNARY, &format!("Relu, {keys}"), item, expected);
}

#[test]
fn keys() {
    let grid = "fn f(x: &[f32], y: &mut [f32]) {}";
    check(
        "device = GPU, T = [f32]",
        grid,
        expect!["the key `block` is missing: write `block = 256` for blocks of 256 threads"],
    );
    check(
        "device = GPU, T = [f32], block = 2048",
        grid,
        expect!["a block has 1 to 1024 threads: write `block = 256`, or `block = [16, 16]`"],
    );
    check(
        "device = GPU, T = [f32], block = [1, 2, 3, 4]",
        grid,
        expect!["a block has 1 to 1024 threads: write `block = 256`, or `block = [16, 16]`"],
    );
    check(
        "device = GPU, T = [f32], block = 64, cuda = text",
        grid,
        expect![[r#"expected a text: write `cuda = include_str!("file")`"#]],
    );
    check("device = CPU, T = [f32], block = 64", grid, expect!["the key `block` is for `device = GPU`"]);
    check(
        "device = GPU, T = [f32], launch = rows, scalar",
        "fn f(x: f32) -> f32 { x }",
        expect!["the key `launch` is for functions over slices, which are not `scalar`"],
    );
    check(
        "device = GPU, T = [Complex<f32>]",
        "fn f<T: Number>(x: T) -> T { x }",
        expect![[r#"
            no translation to the GPU: the types are `bool`, `f16`, `bf16`, `f32`, `f64` and integers
            help: a device may have a list of its own: `device = [CPU, GPU(T = [f32])]`"#]],
    );
}

#[test]
fn devices() {
    let item = "fn f(x: f32) -> f32 { x }";
    let check = |keys: &str, item: &str, expected: Expect| {
        errors::check(oplink_macros_expand::kernel(parse(&format!("Relu, {keys}")), parse(item)), expected);
    };
    check(
        "device = [CPU, #[inline] GPU], T = [f32]",
        item,
        expect!["before a device stands one `#[cfg(…)]`, no other attribute"],
    );
    check(
        "device = [#[cfg(a)] CPU, #[cfg(b)] GPU], T = [f32]",
        item,
        expect!["a build may leave out every device: write `#[cfg(…)]` on the function instead"],
    );
    check(
        "device = [CPU, GPU(device = CPU)], T = [f32]",
        item,
        expect!["this entry is the device: it has keys but `device`"],
    );
    check("device = [CPU, GPU(T = )], T = [f32]", item, expect!["the value of `T` is missing after `=`"]);
}

#[test]
fn signatures() {
    let scalar = "device = GPU, T = [f32], scalar";
    check(scalar, "fn f(x: f64) -> f32 { x as f32 }", expect!["`x` is of type `T` in the op: take it as that type"]);
    check(scalar, "fn f(x: f32) -> f64 { x as f64 }", expect!["`y` is of type `T` in the op: take it as that type"]);
    check(
        scalar,
        "fn f(x: f32) -> Result<f32> { x }",
        expect!["a scalar kernel cannot fail: it returns the value itself"],
    );
    check(
        scalar,
        "fn f(x: f32, y: f32) -> f32 { x }",
        expect!["a scalar kernel returns its output: it is no parameter"],
    );
    check(
        scalar,
        "fn f(x: f32, beta: f32) -> f32 { x }",
        expect![[r#"
        `beta` is no input, output or attr of op `Relu`
        its inputs are `x`; its outputs are `y`; its attrs are `T`, `alpha`, `on`, `n`"#]],
    );
    check(scalar, "fn f(x: f32, alpha: f64) -> f32 { x }", expect!["the attr `alpha` is taken as `f32`"]);
    check(scalar, "fn f(alpha: f32) -> f32 { alpha }", expect!["a scalar kernel takes every input, also `x`"]);
    let grid = "device = GPU, T = [f32], block = 64";
    check(
        grid,
        "fn f(x: &[f32], y: &mut [f32], rows: u32) {}",
        expect!["`rows` is no attr of op `Relu`: the key `launch = function` names what gives its value"],
    );
    check(grid, "fn f(x: &mut [f32], y: &mut [f32]) {}", expect!["an input is only read: take it as `&[T]`"]);
    check(grid, "fn f(x: &[f32], y: &[f32]) {}", expect!["an output is written: take it as `&mut [T]`"]);
    check(grid, "fn f(x: &[f32]) {}", expect!["the output `y` is not written: take it as `y: &mut [T]`"]);
    check(
        grid,
        "fn f(x: &[f32], y: &mut [f32]) -> f32 { 1.0 }",
        expect!["a grid kernel returns nothing: it writes its outputs, taken as `&mut [T]`"],
    );
    check(grid, "fn f(x: &[f32], y: &mut [f64]) {}", expect!["`y` is of type `T` in the op: take it as that type"]);
    check(
        "device = GPU, T = [f32], block = 64, launch = rows",
        "fn f(x: &[f32], y: &mut [f32], n: u32) {}",
        expect!["the attr `n` is taken as `i64`"],
    );
    check(
        "device = GPU, T = [f32], block = 64, launch = rows",
        "fn f(x: &[f32], y: &mut [f32], rows: usize) {}",
        expect![
            "a launch passes slices, values of the types `bool`, `i32`, `u32`, `i64`, `u64`, `f32` and `f64`, arrays `[T; 3]` of them, and structs with #[device_struct]"
        ],
    );
}
