//! The CPU's kernels, on the simulated device: they run in its streams, on the bytes of its memory.
//!
//! A hand-written kernel of the device goes before one of these. Left out are ops whose tensors are no plain memory
//! (strings, resources, variants, references), lists of several dtypes, kernels that finish later, and ops that have no
//! output or are private.

mod kernel;
mod run;

use std::collections::BTreeMap;

use oplink::descriptors::{
    KernelDescriptor, KernelEntry, KernelFunction, Library, OpDescriptor, collected_kernels, collected_ops,
};
use oplink::spec::{Allowed, ArgSpec, ArgType, Flags};
use oplink::{DType, OpSpec};

oplink::link!(oplink_kernels_cpu);

/// Kernels written for the device go first.
const PRIORITY: i32 = -1;

/// Inputs of integers that are data: they are in the device's memory as other inputs are.
const DATA: &[&str] = &["indices", "labels", "ids", "segment_ids", "data", "x", "value", "input"];

/// Ops that look at the shapes of their inputs only. What they give is on the host.
pub(super) const OF_SHAPES: &[&str] = &["Shape", "ShapeN", "Size", "Rank"];

/// What `adapted` of `plugin!` names.
pub(crate) fn kernels() -> Library {
    let ops: Vec<&'static OpDescriptor> =
        collected_ops().into_iter().filter(|op| op.location.crate_name == "oplink-ops").collect();
    let specs: BTreeMap<&str, OpSpec> = ops.iter().filter_map(|op| Some((op.name, spec(op)?))).collect();
    let adapt = |kernel: &'static KernelDescriptor| {
        let descriptor = adapted(specs.get(kernel.op)?, kernel)?;
        Some(&*Box::leak(Box::new(descriptor)))
    };
    let kernels: Vec<&'static KernelDescriptor> = collected_kernels().into_iter().filter_map(adapt).collect();
    Library { name: "CPU_KERNELS", ops: ops.leak(), kernels: kernels.leak(), gradients: &[] }
}

fn spec(op: &OpDescriptor) -> Option<OpSpec> {
    OpSpec::from_pieces(op.name, op.inputs, op.outputs, op.attrs, Flags::default(), None).ok()
}

/// The kernel for the device; `None` where it is one of those left out.
fn adapted(op: &OpSpec, kernel: &'static KernelDescriptor) -> Option<KernelDescriptor> {
    let mut args = op.inputs.iter().chain(&op.outputs);
    let is_plain = |arg: &ArgSpec| !arg.is_ref && !matches!(arg.ty, ArgType::ListAttr(_));
    let on_cpu = kernel.device == "CPU" && kernel.label.is_empty();
    if !on_cpu || op.name.starts_with('_') || op.outputs.is_empty() || !args.all(is_plain) {
        return None;
    }
    let has_fixed = |arg: &ArgSpec| matches!(arg.ty, ArgType::Type(dtype) if !is_plain_dtype(dtype));
    if op.inputs.iter().chain(&op.outputs).any(has_fixed) {
        return None;
    }
    let open = open_attrs(op, kernel);
    let mut type_attrs = kernel.type_attrs.to_vec();
    type_attrs.extend(open.iter().map(|(name, _)| *name));
    let of_tensors: Vec<bool> = type_attrs.iter().map(|name| is_of_tensors(op, name)).collect();
    let serves =
        |dtypes: &Vec<DType>| dtypes.iter().zip(&of_tensors).all(|(d, is_tensor)| !is_tensor || is_plain_dtype(*d));
    let on_cpu = kernel.entries.iter().filter(|entry| runs_here(entry.function));
    let combinations = on_cpu.flat_map(|entry| combinations(entry.dtypes, &open)).filter(serves);
    let entry = |dtypes: Vec<DType>| KernelEntry::new(dtypes.leak(), KernelFunction::Create(kernel::create));
    let entries: Vec<KernelEntry> = combinations.map(entry).collect();
    let (device, priority, host_memory) = ("SIM", PRIORITY, host_memory(op).leak());
    let (type_attrs, entries) = (type_attrs.leak(), entries.leak());
    (!entries.is_empty()).then_some(KernelDescriptor {
        device,
        priority,
        host_memory,
        forward: &[],
        type_attrs,
        entries,
        excluded: &[],
        ..*kernel
    })
}

fn runs_here(function: KernelFunction) -> bool {
    matches!(function, KernelFunction::Compute(_) | KernelFunction::Create(_))
}

/// Dtypes whose elements are bytes, and for which hosts take kernels: TensorFlow none for those after `uint64`.
fn is_plain_dtype(dtype: DType) -> bool {
    dtype.size().is_some() && dtype.number() <= DType::UInt64.number()
}

fn is_of_tensors(op: &OpSpec, attr: &str) -> bool {
    op.inputs.iter().chain(&op.outputs).any(|arg| matches!(&arg.ty, ArgType::Attr(name) if name == attr))
}

/// The type attrs of tensors that the CPU's kernel leaves open, with the dtypes that the device serves, each once: some
/// declarations of TensorFlow have one twice.
fn open_attrs(op: &OpSpec, kernel: &KernelDescriptor) -> Vec<(&'static str, Vec<DType>)> {
    let is_open = |name: &str| !kernel.type_attrs.contains(&name) && is_of_tensors(op, name);
    let dtypes = |allowed: &Option<Allowed>| match allowed {
        Some(Allowed::Types(types)) => {
            let first = |(index, dtype): &(usize, &DType)| !types[..*index].contains(dtype);
            types.iter().enumerate().filter(first).map(|(_, dtype)| *dtype).collect()
        }
        _ => DType::ALL.to_vec(),
    };
    let open = op.attrs.iter().filter(|attr| is_open(&attr.name));
    open.map(|attr| (&*attr.name.clone().leak(), dtypes(&attr.allowed))).collect()
}

/// The dtypes of an entry, followed by each choice of one dtype for each open attr.
fn combinations(fixed: &[DType], open: &[(&str, Vec<DType>)]) -> Vec<Vec<DType>> {
    open.iter().fold(vec![fixed.to_vec()], |longer, (_, dtypes)| {
        let with = |start: &Vec<DType>| dtypes.iter().map(|dtype| [start, &[*dtype][..]].concat()).collect::<Vec<_>>();
        longer.iter().flat_map(with).collect()
    })
}

/// Inputs that say how the work is put together (axes, extents, numbers), which are on the host; and what is reported
/// of shapes.
fn host_memory(op: &OpSpec) -> Vec<&'static str> {
    let is_integer = |dtype: &DType| matches!(dtype, DType::Int16 | DType::Int32 | DType::Int64);
    let decides = |arg: &&ArgSpec| match &arg.ty {
        ArgType::Type(dtype) => is_integer(dtype),
        ArgType::Attr(name) => match op.attr(name).and_then(|attr| attr.allowed.as_ref()) {
            Some(Allowed::Types(types)) => types.iter().all(is_integer),
            _ => false,
        },
        ArgType::ListAttr(_) => false,
    };
    let inputs = op.inputs.iter().filter(|arg| !DATA.contains(&&*arg.name)).filter(decides);
    let outputs = op.outputs.iter().filter(|_| OF_SHAPES.contains(&&*op.name));
    inputs.chain(outputs).map(|arg| &*arg.name.clone().leak()).collect()
}
