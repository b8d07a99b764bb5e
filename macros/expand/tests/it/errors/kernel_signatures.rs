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
    check(
        oplink_macros_expand::kernel(parse("Op, device = CPU"), parse(r#"fn k<T>(&self) -> ArrayD<T> { body() }"#)),
        expect!["a kernel is a free function: it has no `self`, and stands outside of `impl` blocks"],
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

#[test]
fn forms_of_parameters() {
    let check = |function: &str, expected: Expect| check_function(RELU, function, expected);
    check(
        r#"fn k<T: Float>(x: Tensor) -> ArrayD<T> { body() }"#,
        expect!["an input is lent to the kernel: take `&Tensor`, or `Input<'_>` to move it"],
    );
    check(
        r#"fn k<T: Float>(x: &mut Tensor) -> ArrayD<T> { body() }"#,
        expect!["an input is only read: take `&Tensor`"],
    );
    check(
        r#"fn k<T: Float>(x: ArrayViewMut2<T>) -> ArrayD<T> { body() }"#,
        expect!["an input is only read: take `ArrayView2<'_, T>`"],
    );
    check(
        r#"fn k<T: Float>(x: &Array2<T>) -> ArrayD<T> { body() }"#,
        expect!["an input is taken as a view of its elements: write `ArrayView2<'_, T>`, or `&Tensor`"],
    );
    check(
        r#"fn k<T: Float>(x: Vec<T>) -> ArrayD<T> { body() }"#,
        expect!["an input is taken as a view of its elements: write `ArrayViewD<'_, T>`, or `&Tensor`"],
    );
    check(
        r#"fn k<T: Float>(x: &[Tensor]) -> ArrayD<T> { body() }"#,
        expect!["`x` is one tensor: take `ArrayViewD<'_, T>`"],
    );
    check(
        r#"fn k<T: Float>(x: InOut<T>) -> ArrayD<T> { body() }"#,
        expect!["`x` is an input: `InOut` is taken under the name of the output that it is forwarded to"],
    );
    check(
        r#"fn k<T: Float>(x: ArrayViewD<T>, y: ArrayView1<T>) { body() }"#,
        expect!["the output `y` is written through a view: take `ArrayViewMut1<'_, T>`, or return `Array1<T>`"],
    );
    check(
        r#"fn k<T: Float>(x: ArrayViewD<T>, y: &Tensor) { body() }"#,
        expect!["the output `y` is written: take `&mut Tensor`, or return a `Tensor`"],
    );
    check(
        r#"fn k<T: Float>(x: ArrayViewD<T>, y: T) { body() }"#,
        expect!["the output `y` is written through a view: take `ArrayViewMutD<'_, T>`, or return `ArrayD<T>`"],
    );
    check_function(
        CONCAT,
        r#"fn k<T: Float>(values: ArrayViewD<T>) -> ArrayD<T> { body() }"#,
        expect!["`values` covers several tensors: take `Inputs<'_, T>` or `&[Tensor]`"],
    );
    check_function(
        CONCAT,
        r#"fn k<T: Float>(values: Vec<Tensor>) -> ArrayD<T> { body() }"#,
        expect!["`values` covers several tensors: take `Inputs<'_, T>` or `&[Tensor]`"],
    );
}

#[test]
fn forms_of_results() {
    check_function(
        RELU,
        r#"fn k<T: Float>(x: &Tensor) -> ArrayView2<T> { body() }"#,
        expect!["an output is returned as a value of its own: write `Array2<T>`, or `Tensor`"],
    );
    check_function(
        RELU,
        r#"fn k<T: Float>(x: &Tensor) -> Result<Vec<T>> { body() }"#,
        expect!["an output is returned as an array or a tensor, which have a shape: write `ArrayD<T>`, or `Tensor`"],
    );
    check_function(
        RELU,
        r#"fn k<T: Float>(x: &Tensor) -> Result<ArrayD<T>, String> { body() }"#,
        expect![
            "a kernel fails with `oplink::Error`: return `oplink::Result<…>`, and make errors with `bail!`, `ensure!` or `Error::invalid_argument(…)`"
        ],
    );
    check_function(
        RELU,
        r#"fn k<T: Float>(x: &Tensor) -> Result<ArrayD<f64>> { body() }"#,
        expect!["`y` has elements of the generic type `T`, which stands for `T` in `y: T`; this takes `f64`"],
    );
}

#[test]
fn elements() {
    check_function(
        CONCAT,
        r#"fn k<T: Float>(dim: i64) -> ArrayD<T> { body() }"#,
        expect!["`dim` has elements of `i32`, as the op declares `dim: int32`; this takes `i64`"],
    );
    check_function(
        CONCAT,
        r#"fn k<T: Float>(dim: T) -> ArrayD<T> { body() }"#,
        expect!["`dim` has elements of `i32`, as the op declares `dim: int32`; this takes `T`"],
    );
    check_function(
        CONCAT,
        r#"fn k<T>(values: Inputs<T>) -> ArrayD<T> { body() }"#,
        expect![
            "the generic `T` has no bound: write `T: Element` for elements that are only moved, `T: Number`, `Real`, `Float` or `Integer` for those that are computed with"
        ],
    );
    check_function(
        CONCAT,
        r#"fn k(values: Inputs<f64>) -> ArrayD<f32> { body() }"#,
        expect!["`values` has elements of `f32`, as the kernel says `T = [f32]`; this takes `f64`"],
    );
    let several = "Op, device = CPU, T = [f32, i32]";
    check_kernel(
        RELU,
        several,
        r#"fn k(x: ArrayViewD<f32>) -> ArrayD<f32> { body() }"#,
        expect![[r#"
        `x` has elements of `f32`, `i32`, one at a time: this takes `f32` only
        help: make the function generic, as in `fn name<T: Element>(…)`, and write `T` here"#]],
    );
    let any = "Op, device = CPU, T = any";
    check_kernel(
        RELU,
        any,
        r#"fn k(x: ArrayViewD<f32>) -> ArrayD<f32> { body() }"#,
        expect![[r#"
        `x` has elements of every type, since the kernel says `T = any`: this takes `f32` only
        help: take `&Tensor`, or list the types, as in `T = [f32]`"#]],
    );
    // What only the compiler knows is left to it.
    check_kernel(RELU, any, r#"fn k(x: Mine<f32>) -> ArrayD<Alias> { body() }"#, expect![[""]]);
}

#[test]
fn types_of_attrs() {
    check_function(
        CONCAT,
        r#"fn k<T: Float>(axis: usize) -> ArrayD<T> { body() }"#,
        expect!["the op declares `axis: int = 0`: take it as `i64`, not as `usize`"],
    );
    check_function(
        CONCAT,
        r#"fn k<T: Float>(names: &[String]) -> ArrayD<T> { body() }"#,
        expect!["the op declares `names: list(string) = []`: take it as `&[Vec<u8>]`, not as `&[String]`"],
    );
    check_function(CONCAT, r#"fn k<T: Float>(axis: Mine) -> ArrayD<T> { body() }"#, expect![[""]]);
}
