//! Mistakes in typed arguments: handles, groups, optional parameters, enums.

use expect_test::{Expect, expect};

use super::*;

const POOL: &str = r#""Pool" ["x: T" "xs: N * T"] ["y: T" "ys: N * T"]
    ["T: type" "N: int >= 1" "padding: {'SAME', 'VALID'}" "name: string = ''"] true"#;

/// The parameters of a kernel that returns nothing.
fn check_params(params: &str, expected: Expect) {
    let function = format!("fn k({params}) -> Result<()> {{ body() }}");
    check_kernel(POOL, "nn::Pool, device = CPU, T = any", &function, expected);
}

#[test]
fn groups() {
    check_params(
        "inputs: ConvInputs<'_>, outputs: &mut PoolOutputs<'_>",
        expect![[r#"
        `ConvInputs` is not of the op `Pool`, whose inputs are `PoolInputs<'_>`
        help: a kernel of several ops takes the arguments that they share as parameters by name"#]],
    );
    check_params(
        "inputs: PoolInputs<'_>, more: PoolInputs<'_>, outputs: &mut PoolOutputs<'_>",
        expect!["another parameter already takes the inputs"],
    );
    check_params(
        "inputs: PoolInputs<'_>, x: &Tensor, outputs: &mut PoolOutputs<'_>",
        expect!["`x` is a field of `inputs`: leave out this parameter and use `inputs.x`"],
    );
    check_params(
        "a: PoolAttrs<'_>, name: &str, outputs: &mut PoolOutputs<'_>",
        expect!["`name` is a field of `a`: leave out this parameter and use `a.name`"],
    );
    check_params("outputs: &PoolOutputs<'_>", expect!["outputs are written: take `&mut PoolOutputs<'_>`"]);
    check_params(
        "inputs: &PoolInputs<'_>, outputs: PoolOutputs<'_>",
        expect!["the group is taken by value: `PoolInputs<'_>`"],
    );
    check_params(
        "all: PoolInput<'_>, outputs: PoolOutputs<'_>",
        expect![[r#"
        `all` is no input, output or attr of op `Pool`
        help: for all of them at once, did you mean the type `PoolInputs<'_>`?
        its inputs are `x`, `xs`; its outputs are `y`, `ys`; its attrs are `T`, `N`, `padding`, `name`"#]],
    );
    check_params(
        "y: OutputSlot<'_>, outputs: &mut PoolOutputs<'_>",
        expect!["`y` is a field of `outputs`: leave out this parameter and use `outputs.y`"],
    );
}

#[test]
fn handles() {
    check_params("x: InputList<'_>, o: PoolOutputs<'_>", expect!["`x` is one tensor: take it as `Input<'_>`"]);
    check_params(
        "xs: Input<'_>, o: PoolOutputs<'_>",
        expect!["`xs` covers several tensors: take it as `InputList<'_>`"],
    );
    check_params(
        "x: &Input<'_>, o: PoolOutputs<'_>",
        expect!["a handle is taken by value: `Input<'_>`, or as `&Tensor` where it is only read"],
    );
    check_params(
        "x: OutputSlot<'_>, o: PoolOutputs<'_>",
        expect!["`x` is an input: take it as `Input<'_>`, or by its value"],
    );
    check_params("name: Input<'_>, o: PoolOutputs<'_>", expect!["`name` is an attr: take it by its value"]);
    check_params("y: Input<'_>, ys: OutputList<'_>", expect!["`y` is an output: take it as `OutputSlot<'_>`"]);
    check_params(
        "y: OutputSlot<'_>, ys: OutputSlot<'_>",
        expect!["`ys` covers several tensors: take it as `OutputList<'_>`"],
    );
    check_params(
        "y: OutputSlot<'_>, ys: OutputList<'_>, e: &mut Env<'_>",
        expect!["the environment is taken as `Env<'_>` or `&Env<'_>`"],
    );
    check_params(
        "y: OutputSlot<'_>, ys: OutputList<'_>, e: Env<'_>, f: Env<'_>",
        expect!["another parameter already takes the environment"],
    );
    check_params(
        "x: Input<'_>, c: &mut KernelContext<'_>",
        expect![
            "a kernel that takes the context takes no handles of single arguments: leave out the context, whose other parts are `Env<'_>`"
        ],
    );
    check_kernel(
        POOL,
        "Pool, device = CPU, T = any",
        "fn k(y: OutputSlot<'_>, ys: OutputList<'_>) -> Tensor { body() }",
        expect!["every output is written through a parameter; it cannot be returned as well"],
    );
}

#[test]
fn attrs_with_a_few_strings() {
    check_params(
        "padding: i64, o: PoolOutputs<'_>",
        expect!["the attr `padding` is one of the strings `SAME`, `VALID`: take it as `&str`, or as an enum of them"],
    );
    check_params("padding: Padding, name: &str, o: PoolOutputs<'_>", expect![[""]]);
}

#[test]
fn optional_parameters() {
    check_params(
        "x: Option<&Tensor>, o: PoolOutputs<'_>",
        expect!["every op of the kernel has `x`: take it without `Option`"],
    );
    check_params(
        "nmae: Option<&str>, o: PoolOutputs<'_>",
        expect![[r#"
        `nmae` is no input, output or attr of op `Pool`
        help: did you mean `name`?
        its inputs are `x`, `xs`; its outputs are `y`, `ys`; its attrs are `T`, `N`, `padding`, `name`"#]],
    );
}

#[test]
fn enums_of_ops() {
    let check_op = |keys: &str, expected: Expect| {
        let attribute = format!("\"Pool\", attr = \"padding: {{'SAME', 'VALID'}}\", attr = \"name: string\", {keys}");
        check(op(&attribute, "pub struct Pool;"), expected);
    };
    check_op(
        "enums(pading = Padding)",
        expect![[r#"
        op `Pool` has no attr `pading`
        help: did you mean `padding`?"#]],
    );
    check_op(
        "enums(name = Name)",
        expect![[
            r#"the attr `name` has any value of its kind `string`: an enum stands for one declared with its values, as in `attr = "name: {'SAME', 'VALID'}"`"#
        ]],
    );
    check_op("enums(padding = Padding, padding = Padding)", expect!["the attr `padding` already has an enum"]);
    check_op("enums = Padding", expect!["the key `enums` is written `enums(padding = Padding)`"]);
    check_op("enums(padding)", expect!["the key `padding` is written `enums(padding = Padding)`"]);
}

#[test]
fn bytes_of_ops() {
    let check_op = |keys: &str, expected: Expect| {
        let attribute = format!(
            "\"Pool\", attr = \"padding: {{'SAME', 'VALID'}}\", attr = \"name: string\", attr = \"k: int\", {keys}"
        );
        check(op(&attribute, "pub struct Pool;"), expected);
    };
    check_op(
        "bytes(nmae)",
        expect![[r#"
        op `Pool` has no attr `nmae`
        help: did you mean `name`?"#]],
    );
    check_op(
        "bytes(k, padding)",
        expect![[r#"
        the attr `k` is no string of any value: its kernels do not take it as bytes
        --
        the attr `padding` is no string of any value: its kernels do not take it as bytes"#]],
    );
    check_op("bytes = name", expect!["expected a list: write `bytes(message)`"]);
    check_op("bytes", expect!["the key `bytes` is written `bytes(message)`"]);
    check_op("bytes(name)", expect![[""]]);
}
