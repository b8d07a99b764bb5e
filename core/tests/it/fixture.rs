//! Declarations made by hand, as the annotations leave them behind.

use oplink_api::descriptors::{
    GradientDescriptor, GradientFunction, KernelDescriptor, KernelEntry, KernelFunction, Location, OpDescriptor,
    OpFlags,
};
use oplink_api::{DType, KernelContext, Result};
use oplink_core::{OpEntry, Registry, RegistryBuilder};

pub(crate) const fn at(file: &'static str, line: u32) -> Location {
    Location { crate_name: "ops", crate_version: "0.1.0", file, line }
}

pub(crate) const NO_FLAGS: OpFlags = OpFlags {
    commutative: false,
    aggregate: false,
    stateful: false,
    allows_uninitialized_input: false,
    distributed_communication: false,
};

/// An op from its pieces.
pub(crate) const fn op(
    name: &'static str,
    inputs: &'static [&'static str],
    outputs: &'static [&'static str],
    attrs: &'static [&'static str],
    line: u32,
) -> OpDescriptor {
    let location = at("src/ops.rs", line);
    OpDescriptor {
        name,
        inputs,
        outputs,
        attrs,
        flags: NO_FLAGS,
        deprecation: None,
        shape: None,
        doc: "",
        no_gradient: false,
        facts: &[],
        excluded: false,
        location,
    }
}

/// A kernel of an op for CPU that serves these combinations of dtypes; tests change the fields they are about.
pub(crate) fn kernel(
    op: &'static str,
    type_attrs: &'static [&'static str],
    served: &[&'static [DType]],
    line: u32,
) -> KernelDescriptor {
    let entries: Vec<KernelEntry> = served.iter().map(|dtypes| entry(dtypes)).collect();
    with_entries(op, type_attrs, entries.leak(), line)
}

/// A kernel with these entries.
pub(crate) const fn with_entries(
    op: &'static str,
    type_attrs: &'static [&'static str],
    entries: &'static [KernelEntry],
    line: u32,
) -> KernelDescriptor {
    KernelDescriptor {
        op,
        device: "CPU",
        label: "",
        priority: 0,
        host_memory: &[],
        forward: &[],
        type_attrs,
        entries,
        excluded: &[],
        location: at("src/kernels.rs", line),
    }
}

const fn entry(dtypes: &'static [DType]) -> KernelEntry {
    KernelEntry::new(dtypes, KernelFunction::Compute(nothing))
}

fn nothing(_: &mut KernelContext<'_>) -> Result<()> {
    Ok(())
}

/// A gradient that is never called.
pub(crate) fn gradient(op: &'static str, line: u32) -> GradientDescriptor {
    GradientDescriptor {
        op,
        function: GradientFunction::Function(|_, _, _| Ok(Vec::new())),
        location: at("src/gradients.rs", line),
    }
}

/// A descriptor that lives as long as the process, as a plugin's do.
pub(crate) fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

pub(crate) static RELU: OpDescriptor = op("Relu", &["features: T"], &["activations: T"], &["T: realnumbertype"], 10);
pub(crate) static CONCAT: OpDescriptor =
    op("Concat", &["concat_dim: int32", "values: N * T"], &["output: T"], &["N: int >= 2", "T: type"], 20);
pub(crate) static CAST: OpDescriptor =
    op("Cast", &["x: SrcT"], &["y: DstT"], &["SrcT: type", "DstT: type", "Truncate: bool = false"], 30);

pub(crate) static RELU_FLOATS: KernelDescriptor =
    with_entries("Relu", &["T"], &[entry(&[DType::Float]), entry(&[DType::Double])], 11);

/// The op of a registry that has only it.
pub(crate) fn sealed(ops: &[&'static OpDescriptor], kernels: &[&'static KernelDescriptor]) -> Registry {
    builder(ops, kernels).seal().unwrap()
}

pub(crate) fn builder(ops: &[&'static OpDescriptor], kernels: &[&'static KernelDescriptor]) -> RegistryBuilder {
    let with_ops = ops.iter().fold(RegistryBuilder::empty(), |builder, op| builder.op(op));
    kernels.iter().fold(with_ops, |builder, kernel| builder.kernel(kernel))
}

/// The entry of an op written in the op language, a line a piece.
pub(crate) fn with_op<R>(text: &str, use_op: impl FnOnce(&OpEntry) -> R) -> R {
    let spec = oplink_api::OpSpec::parse(text).unwrap();
    let name = spec.name.clone();
    let registry = RegistryBuilder::empty().dynamic_op(spec, None, "", at("src/dynamic.rs", 1)).seal().unwrap();
    use_op(registry.op(&name).unwrap())
}
