//! Every conflict is found, all are reported at once, each with both places.

use expect_test::{Expect, expect};
use oplink_api::descriptors::{KernelDescriptor, OpDescriptor};
use oplink_api::{DType, ErrorKind};
use oplink_core::ANY_OP;

use crate::fixture::{CAST, RELU, RELU_FLOATS, at, builder, gradient, kernel, leak, op};

fn check(ops: &[&'static OpDescriptor], kernels: &[&'static KernelDescriptor], expected: Expect) {
    let error = builder(ops, kernels).seal().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Registry);
    expected.assert_eq(&error.to_string());
}

#[test]
fn an_op_declared_twice_names_both_places() {
    let mut other = op("Relu", RELU.inputs, RELU.outputs, RELU.attrs, 99);
    other.location = oplink_api::descriptors::Location {
        crate_name: "more-ops",
        crate_version: "2.0.0",
        file: "src/relu.rs",
        line: 7,
    };
    check(
        &[&RELU, leak(other)],
        &[],
        expect![[r"
        the registry cannot be sealed, 1 conflict:
        1. op `Relu` is declared twice:
             src/relu.rs:7 (more-ops 2.0.0)
             src/ops.rs:10 (ops 0.1.0)"]],
    );
}

#[test]
fn one_static_that_arrives_twice_counts_once() {
    let registry = builder(&[&RELU, &RELU], &[&RELU_FLOATS, &RELU_FLOATS]).seal().unwrap();
    assert_eq!((registry.ops().count(), registry.kernels().count()), (1, 1));
}

#[test]
fn a_broken_declaration_is_shown_with_a_caret_and_its_kernels_are_not_blamed() {
    let broken = leak(op("Relu", &["features: TT"], &["activations: T"], &["T: realnumbertyp"], 10));
    check(
        &[broken],
        &[&RELU_FLOATS],
        expect![[r#"
        the registry cannot be sealed, 2 conflicts:
        1. op `Relu` declared at src/ops.rs:10 (ops 0.1.0) is broken: input 0: `TT` is neither a type nor a declared attr
             | features: TT
             |           ^^
           help: declare the attr, as in `TT: type`
        2. op `Relu` declared at src/ops.rs:10 (ops 0.1.0) is broken: attr 0: unknown kind `realnumbertyp`
             | T: realnumbertyp
             |    ^^^^^^^^^^^^^
           help: did you mean `realnumbertype`?"#]],
    );
}

#[test]
fn kernels_of_the_same_nodes_are_named_in_pairs() {
    let same = leak(kernel("Relu", &["T"], &[&[DType::Double], &[DType::Float]], 12));
    let any_type = leak(kernel("Relu", &[], &[&[]], 13));
    let once_more = leak(kernel("Cast", &["DstT", "SrcT"], &[&[DType::Float, DType::Half]], 14));
    let turned = leak(kernel("Cast", &["SrcT", "DstT"], &[&[DType::Half, DType::Float]], 15));
    let repeated = leak(kernel("Cast", &["SrcT"], &[&[DType::Int8], &[DType::Int8]], 16));
    let kernels = [&RELU_FLOATS, same, any_type, once_more, turned, repeated];
    check(
        &[&RELU, &CAST],
        &kernels,
        expect![[r#"
            the registry cannot be sealed, 5 conflicts:
            1. two kernels of op `Cast` serve device CPU, DstT=float, SrcT=half:
                 src/kernels.rs:14 (ops 0.1.0)
                 src/kernels.rs:15 (ops 0.1.0)
            2. kernel for op `Cast` lists device CPU, SrcT=int8 twice:
                 src/kernels.rs:16 (ops 0.1.0)
            3. two kernels of op `Relu` serve device CPU:
                 src/kernels.rs:11 (ops 0.1.0)
                 src/kernels.rs:13 (ops 0.1.0)
            4. two kernels of op `Relu` serve device CPU:
                 src/kernels.rs:12 (ops 0.1.0)
                 src/kernels.rs:13 (ops 0.1.0)
            5. two kernels of op `Relu` serve device CPU, T=float and 1 more:
                 src/kernels.rs:11 (ops 0.1.0)
                 src/kernels.rs:12 (ops 0.1.0)"#]],
    );
}

#[test]
fn device_label_and_priority_tell_kernels_apart() {
    let mut kernels: [KernelDescriptor; 3] =
        std::array::from_fn(|i| kernel("Relu", &["T"], &[&[DType::Float]], 20 + i as u32));
    kernels[0].device = "GPU";
    kernels[1].label = "fast";
    kernels[2].priority = 1;
    let kernels: Vec<&'static KernelDescriptor> = kernels.into_iter().map(|kernel| leak(kernel)).collect();
    let all: Vec<_> = kernels.into_iter().chain([&RELU_FLOATS]).collect();
    assert_eq!(builder(&[&RELU], &all).seal().unwrap().kernels().count(), 4);
}

#[test]
fn kernels_are_held_against_their_op() {
    let unknown = leak(kernel("Rellu", &["T"], &[&[DType::Float]], 30));
    let nameless = leak(kernel("Softplus9000", &[], &[&[]], 31));
    let attr = leak(kernel("Cast", &["SrcTT"], &[&[DType::Float]], 32));
    let not_a_type = leak(kernel("Cast", &["Truncate"], &[&[DType::Float]], 33));
    let dtype = leak(kernel("Relu", &["T"], &[&[DType::Float], &[DType::String]], 34));
    let mut names = kernel("Cast", &[], &[&[]], 35);
    names.host_memory = &["xs"];
    names.forward = &[("x", "z"), ("y", "y")];
    let short = leak(kernel("Cast", &["SrcT", "DstT"], &[&[DType::Float]], 36));
    let twice = leak(kernel("Relu", &["T", "T"], &[&[DType::Int8, DType::Int8]], 37));
    let any = leak(kernel(ANY_OP, &["T"], &[&[DType::Float]], 38));
    let kernels = [unknown, nameless, attr, not_a_type, dtype, leak(names), short, twice, any];
    check(
        &[&RELU, &CAST],
        &kernels,
        expect![[r#"
        the registry cannot be sealed, 11 conflicts:
        1. kernel for op `Cast` has `xs` in host_memory, which is no input or output:
             kernel: src/kernels.rs:35 (ops 0.1.0)
             op: src/ops.rs:30 (ops 0.1.0)
        2. kernel for op `Cast` forwards to `z`, which is no output:
             kernel: src/kernels.rs:35 (ops 0.1.0)
             op: src/ops.rs:30 (ops 0.1.0)
        3. kernel for op `Cast` forwards `y`, which is no input:
             kernel: src/kernels.rs:35 (ops 0.1.0)
             op: src/ops.rs:30 (ops 0.1.0)
        4. kernel for op `Cast` has an entry of 1 dtypes for 2 type attrs:
             kernel: src/kernels.rs:36 (ops 0.1.0)
             op: src/ops.rs:30 (ops 0.1.0)
        5. kernel for op `Cast` constrains attr `SrcTT`, which the op lacks (did you mean `SrcT`?):
             kernel: src/kernels.rs:32 (ops 0.1.0)
             op: src/ops.rs:30 (ops 0.1.0)
        6. kernel for op `Cast` constrains attr `Truncate`, which is of kind bool, not type:
             kernel: src/kernels.rs:33 (ops 0.1.0)
             op: src/ops.rs:30 (ops 0.1.0)
        7. kernel for op `Rellu`, which nothing in this binary declares:
             src/kernels.rs:30 (ops 0.1.0)
           did you mean `Relu`?
        8. kernel for op `Relu` serves T=string, which the op does not allow (it allows float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64):
             kernel: src/kernels.rs:34 (ops 0.1.0)
             op: src/ops.rs:10 (ops 0.1.0)
        9. kernel for op `Relu` constrains attr `T` twice:
             kernel: src/kernels.rs:37 (ops 0.1.0)
             op: src/ops.rs:10 (ops 0.1.0)
        10. kernel for op `Softplus9000`, which nothing in this binary declares:
             src/kernels.rs:31 (ops 0.1.0)
        11. kernel for op `*` constrains attr `T`, which the op lacks:
             kernel: src/kernels.rs:38 (ops 0.1.0)
             op: src/kernels.rs:38 (ops 0.1.0)"#]],
    );
}

#[test]
fn a_dynamic_op_is_checked_too() {
    let mut spec = oplink_api::OpSpec { name: "lower".to_owned(), ..Default::default() };
    spec.inputs.push(oplink_api::spec::ArgSpec {
        name: "x".to_owned(),
        ty: oplink_api::spec::ArgType::Attr("T".to_owned()),
        number_attr: None,
        is_ref: false,
    });
    let error =
        oplink_core::RegistryBuilder::empty().dynamic_op(spec, None, "", at("plugin.so", 0)).seal().unwrap_err();
    expect![[r#"
        the registry cannot be sealed, 2 conflicts:
        1. op `lower` declared at plugin.so (ops 0.1.0) is broken: name: `lower` is not a name for an op
             | lower
             | ^^^^^
           help: an op's name is in CamelCase, such as `MatMul`, without spaces
        2. op `lower` declared at plugin.so (ops 0.1.0) is broken: input 0: `T` is neither a type nor a declared attr
             | x: T
             |    ^
           help: declare the attr, as in `T: type`"#]]
    .assert_eq(&error.to_string());
}

#[test]
fn gradients_are_checked_against_ops_and_each_other() {
    let mut constant = op("Floor", &["x: float"], &["y: float"], &[], 40);
    constant.no_gradient = true;
    let (first, second) = (leak(gradient("Relu", 1)), leak(gradient("Relu", 2)));
    let builder = builder(&[&RELU, leak(constant)], &[]).gradient(second).gradient(first).gradient(first);
    let builder = builder.gradient(leak(gradient("Relo", 3))).gradient(leak(gradient("Floor", 4)));
    let error = builder.seal().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Registry);
    expect![[r"
        the registry cannot be sealed, 3 conflicts:
        1. op `Floor` has a gradient although it is declared `no_gradient`:
             gradient: src/gradients.rs:4 (ops 0.1.0)
             op: src/ops.rs:40 (ops 0.1.0)
        2. gradient of op `Relo`, which nothing in this binary declares:
             src/gradients.rs:3 (ops 0.1.0)
           did you mean `Relu`?
        3. op `Relu` has two gradients:
             src/gradients.rs:1 (ops 0.1.0)
             src/gradients.rs:2 (ops 0.1.0)"]]
    .assert_eq(&error.to_string());
}

#[test]
fn gradients_are_found_by_op_and_outlive_growth() {
    let relu = leak(gradient("Relu", 1));
    let excluded = oplink_api::descriptors::ExcludedOp::new("Selu", "ops");
    let builder =
        builder(&[&RELU, &CAST], &[]).gradient(relu).gradient(leak(gradient("Selu", 2))).excluded_op(excluded);
    let registry = builder.seal().unwrap();
    let grown = registry.extended(&oplink_core::Declarations::default()).unwrap();
    for registry in [registry, grown] {
        assert!(std::ptr::eq(registry.gradient("Relu").unwrap(), relu));
        assert!(registry.gradient("Cast").is_none() && registry.gradient("Selu").is_none());
        assert_eq!(registry.gradients().count(), 1);
    }
}
