//! A registry that grows by what is valid of some declarations.

use oplink_api::descriptors::{GradientDescriptor, KernelDescriptor};
use oplink_api::{AttrValue, Code, DType, ErrorKind, OpSpec, Result};
use oplink_core::{Declarations, Registry, RejectedItem, node_from_attrs};

use crate::fixture::{RELU, RELU_FLOATS, at, gradient, kernel, leak, sealed};

const OTHER: &str = "op Other\ninput x: T\noutput y: T\nattr T: {float, int32}";

fn spec(text: &str) -> OpSpec {
    OpSpec::parse(text).unwrap()
}

fn declarations(ops: &[&str], kernels: &[&'static KernelDescriptor]) -> Declarations {
    let mut all = Declarations::default();
    for op in ops {
        all.op(spec(op), None, "", at("src/plugin.rs", 1));
    }
    for kernel in kernels {
        all.kernel(kernel);
    }
    all
}

/// The line of the kernel that serves the op with this dtype.
fn served(registry: &Registry, op: &str, dtype: DType) -> Result<u32> {
    let node = node_from_attrs(registry.op(op)?, "n", "", [("T", AttrValue::Type(dtype))])?;
    registry.find_kernel(op, "CPU", "", &node).map(|kernel| kernel.location().line)
}

#[test]
fn what_is_valid_is_added_as_if_it_alone_were_declared() {
    let good = leak(kernel("Other", &["T"], &[&[DType::Float]], 70));
    let of_relu = leak(kernel("Relu", &["T"], &[&[DType::Int32]], 71));
    let bad = [
        leak(kernel("Other", &["T"], &[&[DType::String]], 72)),
        leak(kernel("Other", &["U"], &[&[DType::Float]], 73)),
        leak(kernel("Nobody", &[], &[&[]], 74)),
        leak(kernel("Other", &["T"], &[&[DType::Int32], &[DType::Int32]], 75)),
    ];
    let registry = sealed(&[&RELU], &[&RELU_FLOATS]);
    let strict = registry.extended(&declarations(&[OTHER], &[good, of_relu])).unwrap();
    let all = declarations(&[OTHER, "op Relu"], &[bad[0], good, bad[1], bad[2], of_relu, bad[3]]);
    assert!(registry.extended(&all).is_err());
    let valid = registry.extended_by_valid(&all);
    let lines = |registry: &Registry| registry.kernels().map(|kernel| kernel.location.line).collect::<Vec<_>>();
    assert_eq!(lines(&valid.registry), lines(&strict));
    assert_eq!((valid.added.ops().count(), valid.added.kernels().len(), valid.rejected.len()), (1, 2, 5));
    assert_eq!(valid.rejected[0].item, RejectedItem::Op);
    assert!(valid.rejected[0].reason.contains("op `Relu` is declared twice"), "{}", valid.rejected[0].reason);
    let told: Vec<String> = valid.rejected[1..].iter().map(ToString::to_string).collect();
    assert_eq!(told[0], "kernel of op `Other` for device `CPU`, T=string");
    assert_eq!(told[2], "kernel of op `Nobody` for device `CPU`");
}

#[test]
fn a_node_of_two_kernels_is_refused_and_others_are_served() {
    let any = leak(kernel("Relu", &[], &[&[]], 80));
    let registry = sealed(&[&RELU], &[&RELU_FLOATS]);
    let valid = registry.extended_by_valid(&declarations(&[], &[any]));
    assert_eq!((valid.added.kernels().len(), valid.rejected.len()), (0, 1));
    let error = served(&valid.registry, "Relu", DType::Float).unwrap_err();
    assert_eq!((error.code(), error.kind()), (Code::InvalidArgument, ErrorKind::PluginRejected));
    for part in ["Multiple OpKernel registrations match NodeDef at the same priority", "src/kernels.rs:11", ":80"] {
        assert!(error.to_string().contains(part), "{part:?} is not in: {error}");
    }
    assert_eq!(served(&valid.registry, "Relu", DType::Int32).unwrap(), 80);
    // What comes later is checked against what is valid, and a higher priority wins over both.
    let mut high = kernel("Relu", &["T"], &[&[DType::Float]], 81);
    high.priority = 1;
    let later = valid.registry.extended(&declarations(&[], &[leak(high)])).unwrap();
    assert_eq!(served(&later, "Relu", DType::Float).unwrap(), 81);
    assert!(served(&later, "Relu", DType::Double).is_err());
}

#[test]
fn both_of_a_plugins_own_duplicates_are_told() {
    let [first, second] = [90, 91].map(|line| leak(kernel("Other", &["T"], &[&[DType::Float]], line)));
    let valid = sealed(&[&RELU], &[]).extended_by_valid(&declarations(&[OTHER], &[first, second]));
    assert_eq!((valid.added.kernels().len(), valid.rejected.len()), (0, 2));
    assert_eq!(served(&valid.registry, "Other", DType::Float).unwrap_err().code(), Code::InvalidArgument);
}

#[test]
fn gradients_are_checked_one_by_one() {
    let gradients: [&'static GradientDescriptor; 3] =
        [leak(gradient("Relu", 1)), leak(gradient("Nobody", 2)), leak(gradient("Relu", 3))];
    let mut all = Declarations::default();
    for one in gradients {
        all.gradient(one);
    }
    let valid = sealed(&[&RELU], &[]).extended_by_valid(&all);
    assert_eq!(valid.registry.gradient("Relu").unwrap().location.line, 1);
    let told: Vec<String> = valid.rejected.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["gradient of op `Nobody`", "gradient of op `Relu`"]);
}

#[test]
fn a_miss_names_what_was_left_out() {
    let registry = sealed(&[&RELU], &[&RELU_FLOATS]);
    let mut misplaced = kernel("Relu", &["T"], &[&[DType::Int32]], 95);
    misplaced.host_memory = &["nothing"];
    let valid = registry.extended_by_valid(&declarations(&[], &[leak(misplaced)]));
    valid.registry.record_rejected_declarations(&valid.rejected);
    let error = served(&valid.registry, "Relu", DType::Int32).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PluginRejected);
    assert!(error.to_string().contains("has `nothing` in host_memory"), "{error}");
    let other = served(&valid.registry, "Relu", DType::Int64).unwrap_err();
    assert_eq!(other.kind(), ErrorKind::NoMatchingKernel, "{other}");
}
