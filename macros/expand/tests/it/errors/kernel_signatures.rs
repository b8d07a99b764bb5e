//! Mistakes in the functions of kernels.

use expect_test::{Expect, expect};

use super::*;

/// A function of `CONCAT` or another op under keys without mistakes.
fn check_function(op: &str, function: &str, expected: Expect) {
    check_kernel(op, "Op, device = CPU, T = [f32]", function, expected);
}

#[test]
fn generics_of_kernels() {
    check_function(
        RELU,
        r#"fn k<T, U>(x: ArrayViewD<T>) -> ArrayD<T> { body() }"#,
        expect!["the generic `U` stands for no type attr of op `Relu`: these are `T`"],
    );
    check_function(
        RELU,
        r#"fn k<'a, T, const N: usize>(x: ArrayViewD<'a, T>) -> ArrayD<T> { body() }"#,
        expect!["the generic `N` stands for no type attr of op `Relu`: these are `T`"],
    );
}

#[test]
fn parameters() {
    check_function(
        CONCAT,
        r#"fn k<T>(valeus: Inputs<T>) -> ArrayD<T> { body() }"#,
        expect![[r#"
            `valeus` is no input, output or attr of op `Concat`
            help: did you mean `values`?
            its inputs are `dim`, `values`; its outputs are `output`; its attrs are `N`, `T`, `axis`, `names`"#]],
    );
    check_function(
        CONCAT,
        r#"fn k<T>(_values: Inputs<T>) -> ArrayD<T> { body() }"#,
        expect![[r#"
            `_values` is no input, output or attr of op `Concat`
            help: leave the parameter out if the kernel does not use `values`
            its inputs are `dim`, `values`; its outputs are `output`; its attrs are `N`, `T`, `axis`, `names`"#]],
    );
    check_function(
        CONCAT,
        r#"fn k<T>((a, b): Inputs<T>) -> ArrayD<T> { body() }"#,
        expect!["parameters are bound by name: write a name here and take the value apart in the body"],
    );
    check_function(
        CONCAT,
        r#"fn k<T>(&self) -> ArrayD<T> { body() }"#,
        expect!["a kernel is a free function: it has no `self`"],
    );
    check_function(
        CONCAT,
        r#"fn k<T>(n: i64, N: i64) -> ArrayD<T> { body() }"#,
        expect!["another parameter already takes an argument of op `Concat`"],
    );
    check_function(
        CONCAT,
        r#"fn k<T>(a: &mut KernelContext, b: &KernelContext) { body() }"#,
        expect!["another parameter already takes the context"],
    );
    check_function(
        CONCAT,
        r#"fn k<T>(a: KernelContext) { body() }"#,
        expect!["the context is taken as `&mut KernelContext` or `&KernelContext`"],
    );
    check_function(
        CONCAT,
        r#"fn k<T>(a: AsyncKernelContext) { body() }"#,
        expect!["kernels that take an `AsyncKernelContext` have the key `async`"],
    );
    check_function(
        CONCAT,
        r#"fn k<T>(axis: impl Copy) -> ArrayD<T> { body() }"#,
        expect!["the types of a kernel's parameters are named, not `impl Trait`"],
    );
    check_function(
        CONCAT,
        r#"async fn k<T>() -> ArrayD<T> { body() }"#,
        expect![
            "a kernel is a plain function; with the key `async` it takes an `AsyncKernelContext` and finishes it later"
        ],
    );
    check_function(CONCAT, r#"unsafe fn k<T>() -> ArrayD<T> { body() }"#, expect!["a kernel is a safe function"]);
}

#[test]
fn outputs() {
    check_function(
        PAIR,
        r#"fn k<T>(x: &Tensor) { body() }"#,
        expect!["the outputs `a`, `b` are not written: return them as a tuple, or take them as parameters"],
    );
    check_function(
        PAIR,
        r#"fn k<T>(x: &Tensor) -> Result<()> { body() }"#,
        expect!["the outputs `a`, `b` are not written: return them as a tuple, or take them as parameters"],
    );
    check_function(
        PAIR,
        r#"fn k<T>(x: &Tensor) -> Result<Tensor> { body() }"#,
        expect!["the outputs `a`, `b` are returned as a tuple of 2, this is 1"],
    );
    check_function(
        PAIR,
        r#"fn k<T>(x: &Tensor) -> (Tensor, Tensor, Tensor) { body() }"#,
        expect!["the outputs `a`, `b` are returned as a tuple of 2, this is 3"],
    );
    check_function(
        PAIR,
        r#"fn k<T>(a: ArrayViewMutD<T>) -> i32 { body() }"#,
        expect![
            "op `Pair` has no shape function, so `a` cannot be allocated before the kernel runs: return it instead"
        ],
    );
    check_function(
        RELU,
        r#"fn k<T>(x: &Tensor) { body() }"#,
        expect!["the output `y` is not written: return it, or take it as the parameter `y: ArrayViewMutD<'_, …>`"],
    );
    check_function(
        RELU,
        r#"fn k<T>(y: ArrayViewMutD<T>) -> Tensor { body() }"#,
        expect!["every output is written through a parameter; it cannot be returned as well"],
    );
    check_function(
        RELU,
        r#"fn k<T>(x: &Tensor) -> (Tensor, Tensor) { body() }"#,
        expect!["the kernel returns 2 values for the one output `y`"],
    );
    check_kernel(
        r#""None" ["x: T"] [] ["T: type"] true"#,
        "None, device = CPU, T = any",
        "fn k() -> Tensor { body() }",
        expect!["op `None` has no outputs, so the kernel returns nothing"],
    );
}

#[test]
fn forwarding() {
    check_kernel(
        PAIR,
        "Op, device = CPU, T = [f32], forward(x => b)",
        "fn k(context: &mut KernelContext) { body() }",
        expect!["`x` is of type `T` and `b` of type `int32`: memory is forwarded between equal types only"],
    );
    check_kernel(
        PAIR,
        "Op, device = CPU, T = [f32], forward(n => c)",
        "fn k(context: &mut KernelContext) { body() }",
        expect![[r#"
            op `Pair` has no output `c`
            its outputs are `a`, `b`"#]],
    );
    check_kernel(
        PAIR,
        "Op, device = CPU, T = [f32], forward(m => b)",
        "fn k(context: &mut KernelContext) { body() }",
        expect![[r#"
            op `Pair` has no input `m`
            its inputs are `x`, `n`"#]],
    );
    check_kernel(
        PAIR,
        "Op, device = CPU, T = [f32], forward(x => a, x => a)",
        "fn k(context: &mut KernelContext) { body() }",
        expect!["another input is already forwarded to this output"],
    );
    check_kernel(
        CONCAT,
        "Op, device = CPU, T = [f32], forward(values => output)",
        "fn k(context: &mut KernelContext) { body() }",
        expect!["`values` is a sequence of tensors, which cannot be forwarded"],
    );
    check_kernel(
        PAIR,
        "Op, device = CPU, T = [f32], forward(x, a)",
        "fn k(context: &mut KernelContext) { body() }",
        expect!["expected `input => output`: write `forward(input => output)`"],
    );
    check_kernel(
        PAIR,
        "Op, device = CPU, T = [f32], forward = [x]",
        "fn k(context: &mut KernelContext) { body() }",
        expect!["the key `forward` is written `forward(input => output)`"],
    );
    check_kernel(
        PAIR,
        "Op, device = CPU, T = [f32], forward(x => a)",
        "fn k<T>(x: &Tensor) -> (Tensor, i32) { body() }",
        expect![
            "`x` is forwarded to `a`, but the kernel does not take `a`: take both as the parameter `a: InOut<'_, …>`"
        ],
    );
    check_kernel(
        PAIR,
        "Op, device = CPU, T = [f32], forward(x => a)",
        "fn k<T>(x: &Tensor, a: InOut<'_, T>) -> i32 { body() }",
        expect![
            "`x` is forwarded to `a`, so their memory may be the same: leave out this parameter and take both as `a: InOut<'_, …>`"
        ],
    );
}

#[test]
fn asynchronous_kernels() {
    check_kernel(
        RELU,
        "Op, device = CPU, T = [f32], async",
        "fn k<T>(x: ArrayViewD<T>) { body() }",
        expect!["an `async` kernel is `fn k(context: AsyncKernelContext)`"],
    );
    check_kernel(
        RELU,
        "Op, device = CPU, T = [f32], async",
        "fn k<T>() { body() }",
        expect!["an `async` kernel is `fn k(context: AsyncKernelContext)`"],
    );
    check_kernel(
        RELU,
        "Op, device = CPU, T = [f32], async",
        "fn k<T>(context: AsyncKernelContext) -> Result<()> { body() }",
        expect![
            "an `async` kernel is `fn k(context: AsyncKernelContext)`: it returns nothing and gives its result to `context.finish`"
        ],
    );
    check_kernel(
        RELU,
        "Op, device = CPU, T = [f32], async",
        "async fn k<T>(context: AsyncKernelContext) { body() }",
        expect!["an `async` kernel is `fn k(context: AsyncKernelContext)`"],
    );
    check_kernel(
        RELU,
        "Op, device = CPU, T = [f32], async",
        "fn k<T>(context: AsyncKernelContext, x: i64) { body() }",
        expect!["an `async` kernel is `fn k(context: AsyncKernelContext)`"],
    );
    check_kernel(
        RELU,
        "Op, device = CPU, T = [f32], async",
        "impl<T> Kernel for K<T> { body }",
        expect!["`async` kernels are functions: `impl Kernel` computes before it returns"],
    );
}
