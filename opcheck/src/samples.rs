//! Calls that the kernel takes, which the checks look at.

use fastrand::Rng;
use oplink_api::descriptors::KernelDescriptor;
use oplink_api::spec::{ArgSpec, ArgType};
use oplink_api::{AttrValue, DType, ErrorKind, Result, Shape, ShapeContext, Tensor};
use oplink_core::{HOST_DEVICE_TYPE, OpEntry};

use crate::OpCall;
use crate::draw::{Combination, Draws};
use crate::runner::{Runner, guarded};
use crate::values::converted;

/// Draws for one sample that is wanted, at most.
const ATTEMPTS: usize = 100;
/// Elements that a large sample has in an input, about.
const LARGE: usize = 1 << 16;

/// Samples of an op.
#[derive(Default)]
pub(crate) struct Samples {
    /// Of the dtypes in which numbers are exact enough to be compared with differences, where the kernel has them.
    pub(crate) calls: Vec<OpCall>,
    /// One call with the numbers of the first sample for every other combination of dtypes.
    pub(crate) retyped: Vec<OpCall>,
    /// The first sample, with more elements.
    pub(crate) large: Option<OpCall>,
    /// The combinations that the kernels declare.
    pub(crate) combinations: usize,
    /// Why there are none.
    pub(crate) reason: Option<String>,
}

/// Draws samples of an op, so many at most, beside those that are given.
pub(crate) fn samples(runner: &Runner, entry: &OpEntry, given: &[OpCall], wanted: usize, seed: u64) -> Samples {
    let combinations = combinations(runner, entry);
    let mut found = Samples { calls: given.to_vec(), combinations: combinations.len(), ..Samples::default() };
    let Some(best) = combinations.iter().min_by_key(|combination| preference(combination)) else {
        found.reason = Some(format!("no kernel for {HOST_DEVICE_TYPE} is linked"));
        return found;
    };
    let mut draws = Draws { entry, random: Rng::with_seed(seed) };
    let mut refused = None;
    for _ in 0..wanted * ATTEMPTS {
        if found.calls.len() >= given.len() + wanted {
            break;
        }
        let Some(call) = draws.call(best) else {
            refused = Some("its inputs or attrs cannot be drawn: give samples".to_owned());
            break;
        };
        match runner.try_drawn(&call) {
            Ok(outputs) if outputs.iter().all(|output| output.num_elements() > 0) => {
                // What the shape function refuses is in no graph.
                match infers(runner, &call) {
                    Ok(()) => found.calls.push(call),
                    Err(error) => refused = Some(format!("the shape function: {}", error.message())),
                }
            }
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Cancelled => {
                refused = Some("it waits for something: give samples".to_owned());
                break;
            }
            Err(error) => refused = Some(error.message().to_owned()),
        }
    }
    if found.calls.is_empty() {
        let why = refused.unwrap_or_else(|| "every call gives an empty output".to_owned());
        found.reason = Some(format!("no call that was drawn is taken: {why}"));
    }
    if let Some(first) = found.calls.first().cloned() {
        let others = combinations.iter().filter(|combination| *combination != best);
        found.retyped = others.filter_map(|combination| retyped(entry, &first, combination)).collect();
        found.retyped.retain(|call| runner.try_drawn(call).is_ok());
        found.large = scaled(&first).filter(|call| runner.try_drawn(call).is_ok());
    }
    found
}

/// Whether the shape function takes the call.
fn infers(runner: &Runner, call: &OpCall) -> Result<()> {
    let node = runner.node(call)?;
    let Some(shape_fn) = node.shape_fn else { return Ok(()) };
    guarded("shape function", || shape_fn.infer(&mut ShapeContext::for_run(&node, &call.inputs)))
}

/// The combinations of dtypes of the kernels without a label.
fn combinations(runner: &Runner, entry: &OpEntry) -> Vec<Combination> {
    let is_meant = |kernel: &&KernelDescriptor| kernel.device == HOST_DEVICE_TYPE && kernel.label.is_empty();
    let mut found: Vec<Combination> = Vec::new();
    for kernel in runner.registry.kernels_of(entry.name()).filter(is_meant) {
        for dtypes in kernel.entries {
            let combination = kernel.type_attrs.iter().copied().zip(dtypes.dtypes.iter().copied()).collect();
            if !found.contains(&combination) {
                found.push(combination);
            }
        }
        if kernel.entries.is_empty() && !found.contains(&Combination::new()) {
            found.push(Combination::new());
        }
    }
    found
}

/// Doubles first, then floats, then what is left.
fn preference(combination: &Combination) -> usize {
    let of = |dtype: &DType| match dtype {
        DType::Double => 0,
        DType::Float => 1,
        DType::Int32 => 2,
        DType::Int64 => 3,
        _ => 4,
    };
    combination.iter().map(|(_, dtype)| of(dtype)).sum()
}

/// The call with the same numbers in other dtypes; `None` where a number has none of that dtype.
pub(crate) fn retyped(entry: &OpEntry, call: &OpCall, combination: &Combination) -> Option<OpCall> {
    let mut found = call.clone();
    let dtype_of = |name: &str| combination.iter().find(|(attr, _)| *attr == name).map(|(_, dtype)| *dtype);
    for (name, value) in &mut found.attrs {
        if let (Some(dtype), AttrValue::Type(of_attr)) = (dtype_of(name), &mut *value) {
            *of_attr = dtype;
        }
    }
    // A list of dtypes gives each of its arguments one; a sample of another combination is drawn of it anew.
    let dtype = |arg: &ArgSpec| match &arg.ty {
        ArgType::Attr(name) => Some(dtype_of(name)),
        ArgType::Type(_) => Some(None),
        ArgType::ListAttr(_) => None,
    };
    let mut at = 0;
    let lists = entry.spec.inputs.iter().filter(|arg| arg.is_sequence()).count();
    let single = entry.spec.inputs.len() - lists;
    for arg in &entry.spec.inputs {
        let count = if arg.is_sequence() { (call.inputs.len() - single) / lists } else { 1 };
        let dtype = dtype(arg)?;
        for input in found.inputs.get_mut(at..at + count)? {
            if let Some(dtype) = dtype {
                *input = converted(input, dtype)?;
            }
        }
        at += count;
    }
    Some(found)
}

/// The call with one extent of its inputs, wherever it occurs, so large that kernels split their work; `None` where no
/// input has an extent.
fn scaled(call: &OpCall) -> Option<OpCall> {
    let largest = call.inputs.iter().max_by_key(|input| input.num_elements())?;
    let extent = largest.shape().iter().copied().max().filter(|&extent| extent > 1)?;
    let times = largest.shape().iter().filter(|&&dim| dim == extent).count();
    let factor = ((LARGE / largest.num_elements()) as f64).powf(1.0 / times as f64) as usize;
    with_extent(call, extent, extent * factor.max(2))
}

/// The call with another value of one extent, wherever it occurs: elements are repeated or left out.
pub(crate) fn with_extent(call: &OpCall, extent: usize, new: usize) -> Option<OpCall> {
    let mut found = call.clone();
    for input in &mut found.inputs {
        if !input.shape().contains(&extent) {
            continue;
        }
        let dims: Vec<usize> = input.shape().iter().map(|&dim| if dim == extent { new } else { dim }).collect();
        *input = repeated(input, &Shape::new(&dims))?;
    }
    Some(found)
}

/// A tensor of the shape with the elements of another, over and over.
fn repeated(tensor: &Tensor, shape: &Shape) -> Option<Tensor> {
    let count = shape.num_elements();
    if tensor.dtype().size().is_none() {
        return (count == 0).then(|| Tensor::zeros(tensor.dtype(), shape.clone()).ok()).flatten();
    }
    let bytes = tensor.as_bytes().ok()?;
    let size = bytes.len() / tensor.num_elements().max(1);
    let all: Vec<u8> = bytes.iter().copied().cycle().take(count * size).collect();
    Tensor::from_bytes(tensor.dtype(), shape.clone(), &all).ok()
}
