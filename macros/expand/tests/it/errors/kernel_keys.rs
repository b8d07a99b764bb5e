//! Mistakes in the attribute `#[kernel]` and in what it stands on.

use expect_test::{Expect, expect};

use super::*;

/// A kernel of `RELU` without mistakes in its function.
fn check_keys(keys: &str, expected: Expect) {
    let item = "fn k<T: Real>(x: ArrayViewD<'_, T>, y: ArrayViewMutD<'_, T>) { body() }";
    check_kernel(RELU, &format!("Relu, {keys}"), item, expected);
}

#[test]
fn keys_of_kernels() {
    check_keys(r#"T = [f32]"#, expect!["the key `device` is missing: write `device = CPU`"]);
    check_keys(
        r#"device = CPU, devise = CPU, T = [f32]"#,
        expect![[r#"
            unknown key `devise` in #[kernel]
            help: did you mean `device`?
            the keys are `device`, `label`, `priority`, `host_memory`, `forward`, `async`, `scalar`, `block`, `launch`, `cuda`, `wgsl`, `uses`, `crate`; the type attrs of op `Relu` are `T`"#]],
    );
    check_keys(r#"device = CPU, device = GPU, T = [f32]"#, expect!["the key `device` is given twice"]);
    check_keys(r#"device = 3, T = [f32]"#, expect!["not a value of the key `device`: write `device = CPU`"]);
    check_keys(
        r#"device = CPU, T = [f32], priority = high"#,
        expect!["not a value of the key `priority`: write `priority = 1`"],
    );
    check_keys(
        r#"device = CPU, T = [f32], label = x"#,
        expect![[r#"not a value of the key `label`: write `label = "name"`"#]],
    );
    check_keys(r#"device = CPU, T = [f32], async = true"#, expect!["`async` takes no value"]);
    check_keys(
        r#"device = CPU, T = [f32], dynamic = "A""#,
        expect![[r#"`dynamic = "…"` stands in place of the op, as the first key"#]],
    );
    check_keys(
        r#"device = CPU, T = [f32], host_memory = x"#,
        expect!["expected a list: write `host_memory = [name, …]`"],
    );
    check_keys(
        r#"device = CPU, T = [f32], host_memory"#,
        expect!["the key `host_memory` is written `host_memory = [name, …]`"],
    );
    check_keys(
        r#"device = CPU, T = [f32], host_memory = [xx]"#,
        expect![[r#"
        op `Relu` has no input or output `xx`
        its arguments are `x`, `y`"#]],
    );
    check_keys(r#"device = CPU, T = [f32], host_memory(x, x)"#, expect!["`host_memory` names it twice"]);
}

#[test]
fn types_of_kernels() {
    check_keys(
        r#"device = CPU"#,
        expect![
            "the types of the attr `T` are missing: write `T = [f32, …]`, or `T = any` for a kernel that takes every dtype as `&Tensor` or through the context"
        ],
    );
    check_keys(
        r#"device = CPU, T = f32"#,
        expect!["the types of `T` are a list: write `T = [f32, i32]`, or `T = any`"],
    );
    check_keys(r#"device = CPU, T = []"#, expect!["the list of `T` is empty: write `T = [f32, i32]`, or `T = any`"]);
    check_keys(r#"device = CPU, T = [3]"#, expect!["not a type: write `T = [f32, i32]`, or `T = any`"]);
    check_keys(r#"device = CPU, T"#, expect!["the types of `T` are written `T = [f32, i32]`, or `T = any`"]);
    check_keys(
        r#"device = CPU, T = [f32, u8]"#,
        expect!["the attr `T` of op `Relu` does not allow `u8` (uint8), only `float`, `double`, `int32`"],
    );
    check_keys(
        r#"device = CPU, T = [f32, usize]"#,
        expect!["the attr `T` of op `Relu` does not allow `usize`: it is no tensor element type"],
    );
    check_keys(
        r#"device = CPU, T = [complex]"#,
        expect!["the attr `T` of op `Relu` does not allow any of the types `complex`, only `float`, `double`, `int32`"],
    );
    check_keys(r#"device = CPU, T = [f32, f64, f32]"#, expect!["the list of `T` already has float"]);
    check_keys(r#"device = CPU, T = [floats, f64]"#, expect!["the list of `T` already has double"]);
    check_keys(
        r#"device = CPU, T = [f32], U = [f32]"#,
        expect![[r#"
        op `Relu` has no attr `U`
        the type attrs of op `Relu` are `T`"#]],
    );
    check_keys(
        r#"device = CPU, TT = [f32]"#,
        expect![[r#"
        op `Relu` has no attr `TT`
        the type attrs of op `Relu` are `T`"#]],
    );
    check_keys(
        r#"device = CPU, T = any"#,
        expect!["`T = any` serves every dtype with one function, so the kernel cannot be generic over `T`"],
    );
}

#[test]
fn attrs_that_are_no_types() {
    check_kernel(
        CONCAT,
        "Concat, device = CPU, T = [f32], N = [f32]",
        "fn k(context: &mut KernelContext) { body() }",
        expect!["the attr `N` is of kind `int`; kernels are chosen by attrs of kind `type`"],
    );
}

#[test]
fn ops_and_items_of_kernels() {
    check(
        oplink_macros_expand::kernel(parse(r#""#), parse("fn k(context: &mut KernelContext) { body() }")),
        expect![[
            r#"the op comes first: write `#[kernel(MyOp, device = CPU, …)]`, or `#[kernel(dynamic = "MyOp", …)]` for an op known only at run time"#
        ]],
    );
    check(
        oplink_macros_expand::kernel(parse(r#"device = CPU"#), parse("fn k(context: &mut KernelContext) { body() }")),
        expect![[
            r#"the op comes first: write `#[kernel(MyOp, device = CPU, …)]`, or `#[kernel(dynamic = "MyOp", …)]` for an op known only at run time"#
        ]],
    );
    check(
        oplink_macros_expand::kernel(
            parse(r#""Relu", device = CPU"#),
            parse("fn k(context: &mut KernelContext) { body() }"),
        ),
        expect!["an op is named by its type, not by a string: write `#[kernel(Relu, …)]`"],
    );
    check(
        oplink_macros_expand::kernel(parse(r#"Relu, device = CPU"#), parse("struct K;")),
        expect!["#[kernel] stands on a function or on `impl Kernel for …`"],
    );
    check(
        oplink_macros_expand::kernel(parse(r#"Relu, device = CPU"#), parse("impl K { body }")),
        expect!["#[kernel] stands on a function or on `impl Kernel for …`"],
    );
    check(
        oplink_macros_expand::kernel(parse(r#"Relu, device = CPU"#), parse("impl Kernal for K { body }")),
        expect!["#[kernel] stands on impls of the traits `Kernel`, `RawKernel` and `HostFallback`"],
    );
    check(
        oplink_macros_expand::kernel(parse(r#"dynamic = Relu"#), parse("fn k(context: &mut KernelContext) { body() }")),
        expect![[r#"not a value of the key `dynamic`: write `dynamic = "MyOp"`"#]],
    );
}

#[test]
fn dynamic_ops() {
    check_kernel(
        "dynamic \"Elsewhere\"",
        "Op, device = CPU",
        "fn k(x: &Tensor) { body() }",
        expect![[r#"with `dynamic = "…"` nothing is known of the op's arguments: take `&mut KernelContext` alone"#]],
    );
    check_kernel(
        "dynamic \"Elsewhere\"",
        "Op, device = CPU",
        "fn k() { body() }",
        expect![[r#"with `dynamic = "…"` nothing is known of the op's arguments: take `&mut KernelContext`"#]],
    );
    check_kernel(
        "dynamic \"Elsewhere\"",
        "Op, device = CPU",
        "fn k(context: &mut KernelContext) -> Tensor { body() }",
        expect!["a kernel of an op known only at run time returns nothing: set the outputs in the context"],
    );
    check_kernel(
        "dynamic \"Elsewhere\"",
        "Op, device = CPU, devise = CPU",
        "fn k(context: &mut KernelContext) { body() }",
        expect![[r#"
            unknown key `devise` in #[kernel]
            help: did you mean `device`?
            the keys are `device`, `label`, `priority`, `host_memory`, `forward`, `async`, `scalar`, `block`, `launch`, `cuda`, `wgsl`, `uses`, `crate`, and type attrs"#]],
    );
    check_kernel(
        "dynamic \"Elsewhere\"",
        "Op, device = CPU, T = [f32]",
        "fn k<U>(context: &mut KernelContext) { body() }",
        expect!["the generic `U` stands for no type attr of op `Elsewhere`: these are `T`"],
    );
}
