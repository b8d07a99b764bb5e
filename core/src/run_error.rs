//! What a run checks around its kernel, and what its errors tell of the node.

use std::any::Any;

use oplink_api::error::panic_message;
use oplink_api::interrupt;
use oplink_api::memory::OUT_OF_MEMORY;
use oplink_api::{Code, DType, Error, ErrorKind, NodeInfo, Result, Shape, Tensor};

use oplink_api::resolve::input_name;

/// What is known of a node's inputs when an error is reported.
#[derive(Clone, Copy)]
pub(crate) enum InputsSeen<'a> {
    /// Nothing but their dtypes.
    None,
    /// The inputs of a run, and the shapes of those that the kernel took.
    Run { inputs: &'a [Tensor], taken: &'a [(usize, Shape)] },
}

/// Whether there are the node's inputs, of its dtypes, and a slot for each output.
#[inline]
pub(crate) fn check_slots(node: &NodeInfo, inputs: &[Tensor], outputs: &[Option<Tensor>]) -> Result<()> {
    let same = inputs.len() == node.input_dtypes.len()
        && outputs.len() == node.output_dtypes.len()
        && inputs.iter().zip(&node.input_dtypes).all(|(tensor, dtype)| tensor.dtype() == *dtype);
    if same { Ok(()) } else { check_ref_slots(node, inputs, outputs) }
}

/// References are handles, whatever the dtype of what they refer to.
#[cold]
fn check_ref_slots(node: &NodeInfo, inputs: &[Tensor], outputs: &[Option<Tensor>]) -> Result<()> {
    let fits = |(index, (tensor, dtype)): (usize, (&Tensor, &DType))| {
        let wanted = if node.is_ref_input(index) { DType::Resource } else { *dtype };
        tensor.dtype() == wanted
    };
    let same = inputs.len() == node.input_dtypes.len()
        && outputs.len() == node.output_dtypes.len()
        && inputs.iter().zip(&node.input_dtypes).enumerate().all(fits);
    if same { Ok(()) } else { Err(wrong_slots(node, inputs, outputs)) }
}

fn wrong_slots(node: &NodeInfo, inputs: &[Tensor], outputs: &[Option<Tensor>]) -> Error {
    let dtypes: Vec<_> = inputs.iter().map(Tensor::dtype).collect();
    let error = crate::check_inputs(node, &dtypes).err().unwrap_or_else(|| {
        let (wanted, given) = (node.output_dtypes.len(), outputs.len());
        Error::internal(format!("{given} output slots are given for {wanted} outputs"))
    });
    add_node(error, node, InputsSeen::Run { inputs, taken: &[] })
}

/// Whether every output is set and of the node's dtype.
#[inline]
pub(crate) fn check_outputs(node: &NodeInfo, outputs: &[Option<Tensor>]) -> Result<()> {
    for (index, (output, dtype)) in outputs.iter().zip(&node.output_dtypes).enumerate() {
        match output {
            Some(tensor) if tensor.dtype() == *dtype => {}
            Some(tensor) if tensor.dtype() == DType::Resource && node.is_ref_output(index) => {}
            _ => return Err(wrong_output(node, index, output.as_ref())),
        }
    }
    Ok(())
}

#[cold]
fn wrong_output(node: &NodeInfo, index: usize, output: Option<&Tensor>) -> Error {
    let name = output_name(node, index);
    let wanted = node.output_dtypes[index];
    let message = match output {
        Some(tensor) => format!("the kernel made output {name} {}, the op declares {wanted}", tensor.dtype()),
        None => format!("the kernel did not set output {name}"),
    };
    Error::new(Code::Internal, ErrorKind::KernelFailed, message)
}

fn output_name(node: &NodeInfo, index: usize) -> String {
    let arg = node.output_ranges.iter().position(|range| range.contains(&index));
    arg.and_then(|arg| node.op.outputs.get(arg)).map_or_else(|| index.to_string(), |arg| format!("`{}`", arg.name))
}

/// The error of a panic: the end of the step where that interrupted the kernel, else its message, where it has one.
#[cold]
pub fn panicked(payload: &(dyn Any + Send), what: &str) -> Error {
    if let Some(reason) = interrupt::reason_of(payload) {
        return reason;
    }
    let text = panic_message(payload);
    if let Some(message) = text.strip_prefix(OUT_OF_MEMORY) {
        return Error::resource_exhausted(message);
    }
    Error::new(Code::Internal, ErrorKind::KernelPanicked, format!("the {what} panicked: {text}"))
}

/// Adds the node, its op and device, and dtype and shape of every input.
#[cold]
pub(crate) fn add_node(error: Error, node: &NodeInfo, seen: InputsSeen<'_>) -> Error {
    let error = match (error.kind(), seen) {
        (ErrorKind::InvalidArgument, InputsSeen::Run { .. }) => error.with_kind(ErrorKind::KernelFailed),
        _ => error,
    };
    let device = if node.device.is_empty() { String::new() } else { format!(" on {}", node.device) };
    let mut error = error.context(format!("node `{}` (op {}){device}", node.name, node.op.name));
    for (index, dtype) in node.input_dtypes.iter().enumerate() {
        let (shape, place) = (shape_of(index, seen), place_of(index, seen));
        error = error.context(format!("input {index} {}: {dtype}{shape}{place}", input_name(node, index)));
    }
    error
}

/// In which device's memory an input lies; empty for the host's.
fn place_of(index: usize, seen: InputsSeen<'_>) -> String {
    let InputsSeen::Run { inputs, .. } = seen else { return String::new() };
    let memory = inputs.get(index).and_then(Tensor::device_memory);
    memory.map_or_else(String::new, |memory| format!(" in the memory of {}", memory.block.device()))
}

fn shape_of(index: usize, seen: InputsSeen<'_>) -> String {
    let InputsSeen::Run { inputs, taken } = seen else { return String::new() };
    let shape = taken.iter().find(|(at, _)| *at == index).map(|(_, shape)| shape);
    shape
        .or_else(|| inputs.get(index).map(Tensor::shape))
        .map_or_else(|| " (missing)".to_owned(), |shape| format!(" {shape}"))
}
