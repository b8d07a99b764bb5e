//! The five reasons why an op or a kernel is not there.

use expect_test::{Expect, expect};
use oplink_api::descriptors::{ExcludedOp, KernelDescriptor};
use oplink_api::{AttrValue, DType, ErrorKind};
use oplink_core::{Hints, Registry, RegistryBuilder, node_from_attrs};

use crate::fixture::{CAST, RELU, RELU_FLOATS, builder, kernel, leak, op};

fn registry() -> Registry {
    let mut gpu = kernel("Relu", &["T"], &[&[DType::Half]], 40);
    gpu.device = "GPU";
    let mut fast = kernel("Relu", &["T"], &[&[DType::Float]], 41);
    fast.label = "fast";
    let mut partly =
        kernel("Cast", &["SrcT", "DstT"], &[&[DType::Float, DType::Half], &[DType::Half, DType::Float]], 42);
    partly.excluded = &[DType::Float, DType::Int64];
    let mut nothing_left = kernel("Cast", &["SrcT"], &[], 43);
    nothing_left.excluded = &[DType::String];
    nothing_left.priority = 1;
    let kernels: [&'static KernelDescriptor; 5] =
        [&RELU_FLOATS, leak(gpu), leak(fast), leak(partly), leak(nothing_left)];
    let none = leak(op("NoOp", &[], &[], &[], 50));
    let softmax = leak(op("Softmax", &["logits: T"], &["softmax: T"], &["T: {half, float}"], 51));
    let elu = leak(op("Elu", &["features: T"], &["activations: T"], &["T: {half, float}"], 52));
    let mut selu = op("Selu", &["features: T"], &["activations: T"], &["T: {half, float}"], 53);
    selu.excluded = true;
    builder(&[&RELU, &CAST, none, softmax, elu, leak(selu)], &kernels)
        .excluded_op(ExcludedOp::new("Asin", "ops"))
        .hint("Asin", "oplink-kernels-cpu", "enable its feature `math`")
        .hint("Softmax", "oplink-kernels-cpu", "enable its feature `nn`")
        .hints(&Hints {
            crate_name: "more-ops",
            how_to_enable: "add `oplink::link!(more_ops);`",
            ops: &["Gelu", "Relu"],
        })
        .rejected_plugin("/lib/libmish.so", "it needs ABI version 3, this host has 2", &["Mish", "Elu"])
        .seal()
        .unwrap()
}

fn missing(op: &str, device: &str, label: &str, attrs: &[(&str, AttrValue)], kind: ErrorKind, expected: Expect) {
    let registry = registry();
    let error = match registry.op(op) {
        Err(error) => error,
        Ok(entry) => {
            let node = node_from_attrs(entry, "n", device, attrs.iter().cloned()).unwrap();
            registry.find_kernel(op, device, label, &node).unwrap_err()
        }
    };
    assert_eq!(error.kind(), kind, "{error}");
    expected.assert_eq(&error.to_string());
}

fn types<'a>(attrs: &[(&'a str, DType)]) -> Vec<(&'a str, AttrValue)> {
    attrs.iter().map(|(name, dtype)| (*name, AttrValue::Type(*dtype))).collect()
}

#[test]
fn an_op_that_nobody_declares() {
    missing(
        "Rellu",
        "CPU",
        "",
        &[],
        ErrorKind::OpNotDeclared,
        expect![
            "op `Rellu` is not declared: none of the 6 ops of this process; did you mean `Relu`? (if a dependency declares it, name that crate with `oplink::link!(the_crate);`)"
        ],
    );
    missing(
        "Transmogrify",
        "CPU",
        "",
        &[],
        ErrorKind::OpNotDeclared,
        expect![
            "op `Transmogrify` is not declared: none of the 6 ops of this process (if a dependency declares it, name that crate with `oplink::link!(the_crate);`)"
        ],
    );
}

#[test]
fn an_op_of_a_crate_that_is_not_linked() {
    missing(
        "Gelu",
        "CPU",
        "",
        &[],
        ErrorKind::NotLinked,
        expect![
            "op `Gelu` is declared by the crate `more-ops`, which this binary does not link: add `oplink::link!(more_ops);`"
        ],
    );
}

#[test]
fn kernels_of_a_feature_that_is_off() {
    missing(
        "Softmax",
        "CPU",
        "",
        &types(&[("T", DType::Float)]),
        ErrorKind::NotLinked,
        expect![
            "op `Softmax` has no kernel in this binary, the crate `oplink-kernels-cpu` has some: enable its feature `nn`"
        ],
    );
}

#[test]
fn an_op_and_kernels_of_a_rejected_plugin() {
    missing(
        "Mish",
        "CPU",
        "",
        &[],
        ErrorKind::PluginRejected,
        expect![
            "op `Mish` is declared by the plugin /lib/libmish.so, which was rejected: it needs ABI version 3, this host has 2"
        ],
    );
    missing(
        "Elu",
        "CPU",
        "",
        &types(&[("T", DType::Float)]),
        ErrorKind::PluginRejected,
        expect![
            "a kernel of op `Elu` for device CPU, T=float may be in the plugin /lib/libmish.so, which was rejected: it needs ABI version 3, this host has 2"
        ],
    );
}

#[test]
fn a_plugin_rejected_after_sealing_is_named() {
    let registry = RegistryBuilder::empty().seal().unwrap();
    assert_eq!(registry.op("Late").unwrap_err().kind(), ErrorKind::OpNotDeclared);
    registry.record_rejected_plugin("late.so", "no entry point", &["Late"]);
    let error = registry.op("Late").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PluginRejected);
    assert_eq!(error.message(), "op `Late` is declared by the plugin late.so, which was rejected: no entry point");
}

#[test]
fn a_kernel_that_the_selection_left_out() {
    let float_to_int = types(&[("SrcT", DType::Float), ("DstT", DType::Int64)]);
    missing(
        "Cast",
        "CPU",
        "",
        &float_to_int,
        ErrorKind::Excluded,
        expect![
            "the kernel of op `Cast` for device CPU, SrcT=float, DstT=int64 is excluded from this build by its selection of kernels; add it to the selection file and build again. It is declared at src/kernels.rs:42 (ops 0.1.0)"
        ],
    );
    missing(
        "Asin",
        "CPU",
        "",
        &types(&[("T", DType::Float)]),
        ErrorKind::Excluded,
        expect![
            "op `Asin` is excluded from this build by its selection of ops; add it to the selection file and build again"
        ],
    );
    let strings = types(&[("SrcT", DType::String), ("DstT", DType::Int64)]);
    missing(
        "Cast",
        "CPU",
        "",
        &strings,
        ErrorKind::Excluded,
        expect![
            "the kernel of op `Cast` for device CPU, SrcT=string is excluded from this build by its selection of kernels; add it to the selection file and build again. It is declared at src/kernels.rs:43 (ops 0.1.0)"
        ],
    );
    missing(
        "Selu",
        "CPU",
        "",
        &types(&[("T", DType::Float)]),
        ErrorKind::Excluded,
        expect![
            "op `Selu` is excluded from this build by its selection of ops, so it has no kernel for device CPU, T=float; add it to the selection file and build again. It is declared at src/ops.rs:53 (ops 0.1.0)"
        ],
    );
}

#[test]
fn the_nearest_kernels_and_what_differs() {
    missing(
        "Relu",
        "CPU",
        "",
        &types(&[("T", DType::Int8)]),
        ErrorKind::NoMatchingKernel,
        expect![[r#"
            op `Relu` has no kernel for device CPU, T=int8; the nearest are
              device CPU, T in {float, double}: `T` differs, at src/kernels.rs:11 (ops 0.1.0)
              device CPU, T in {float}, label `fast`: the label differs, `T` differs, at src/kernels.rs:41 (ops 0.1.0)
              device GPU, T in {half}: the device differs, `T` differs, at src/kernels.rs:40 (ops 0.1.0)"#]],
    );
    missing(
        "Relu",
        "TPU",
        "",
        &types(&[("T", DType::Float)]),
        ErrorKind::NoMatchingKernel,
        expect![[r#"
        op `Relu` has no kernel for device TPU, T=float; the nearest are
          device CPU, T in {float, double}: the device differs, at src/kernels.rs:11 (ops 0.1.0)
          device GPU, T in {half}: the device differs, `T` differs, at src/kernels.rs:40 (ops 0.1.0)
          device CPU, T in {float}, label `fast`: the device differs, the label differs, at src/kernels.rs:41 (ops 0.1.0)"#]],
    );
    missing(
        "Relu",
        "CPU",
        "slow",
        &types(&[("T", DType::Float)]),
        ErrorKind::NoMatchingKernel,
        expect![[r#"
        op `Relu` has no kernel for device CPU, T=float, label `slow`; the nearest are
          device CPU, T in {float, double}: the label differs, at src/kernels.rs:11 (ops 0.1.0)
          device CPU, T in {float}, label `fast`: the label differs, at src/kernels.rs:41 (ops 0.1.0)
          device GPU, T in {half}: the device differs, the label differs, `T` differs, at src/kernels.rs:40 (ops 0.1.0)"#]],
    );
    let both = types(&[("SrcT", DType::Int8), ("DstT", DType::Int8)]);
    missing(
        "Cast",
        "CPU",
        "",
        &both,
        ErrorKind::NoMatchingKernel,
        expect![[r#"
            op `Cast` has no kernel for device CPU, SrcT=int8, DstT=int8; the nearest are
              device CPU, (SrcT, DstT) in {(float, half), (half, float)}: `SrcT` differs, `DstT` differs, at src/kernels.rs:42 (ops 0.1.0)
              device CPU, SrcT in {}: every dtype of it is left out of this build, at src/kernels.rs:43 (ops 0.1.0)"#]],
    );
    missing(
        "NoOp",
        "CPU",
        "",
        &[],
        ErrorKind::NoMatchingKernel,
        expect!["op `NoOp` has no kernel for device CPU: no crate of this binary has a kernel of it"],
    );
}
