//! Extents of 0, and numbers beyond what there is.

use oplink_api::{AttrValue, DType, Error, NodeInfo, PartialShape, Result, Tensor};

use super::shape::{disagreement, inferred};
use super::{Applicable, Findings, Subject};
use crate::OpCall;
use crate::runner::{MEMORY_LIMIT, guarded, is_fault};
use crate::samples::with_extent;

/// Whole numbers that are no extent, axis or count of a tensor.
const EXTREMES: [i64; 5] = [i64::MAX, i64::MIN, -1, 1 << 40, i32::MAX as i64];
/// Those of attrs: widths and counts of which a kernel makes as much as the machine has are left out.
const EXTREME_ATTRS: [i64; 4] = [i64::MAX, i64::MIN, -1, 1 << 40];

pub(super) fn check_empty(subject: &Subject<'_>, findings: &mut Findings) -> Applicable {
    for call in &subject.samples.calls {
        let mut extents: Vec<usize> = call.inputs.iter().flat_map(|input| input.shape().to_vec()).collect();
        extents.sort_unstable();
        extents.dedup();
        for extent in extents {
            let Some(empty) = with_extent(call, extent, 0) else { continue };
            let wrong = wrong_of(subject, &empty);
            findings.add(&empty, wrong);
        }
    }
    Ok(())
}

pub(super) fn check_extremes(subject: &Subject<'_>, findings: &mut Findings) -> Applicable {
    for call in &subject.samples.calls {
        for (at, input) in call.inputs.iter().enumerate() {
            for extreme in EXTREMES {
                let Some(extreme) = with_first(input, extreme) else { continue };
                let call = call.with_input(at, extreme);
                let wrong = wrong_of(subject, &call);
                findings.add(&call, wrong);
            }
        }
        for (at, (_, value)) in call.attrs.iter().enumerate() {
            let extremes = EXTREME_ATTRS.into_iter().filter_map(|extreme| match value {
                AttrValue::Int(_) => Some(AttrValue::Int(extreme)),
                AttrValue::Ints(list) if !list.is_empty() => Some(AttrValue::Ints([&[extreme], &list[1..]].concat())),
                _ => None,
            });
            for extreme in extremes {
                let call = call.with_attr(at, extreme);
                let wrong = wrong_of(subject, &call);
                findings.add(&call, wrong);
            }
        }
    }
    Ok(())
}

/// The tensor of whole numbers with another first element.
fn with_first(input: &Tensor, first: i64) -> Option<Tensor> {
    let mut changed = input.deep_copy().ok()?;
    match input.dtype() {
        DType::Int32 => *changed.as_mut_slice::<i32>().ok()?.first_mut()? = i32::try_from(first).ok()?,
        DType::Int64 => *changed.as_mut_slice::<i64>().ok()?.first_mut()? = first,
        _ => return None,
    }
    Some(changed)
}

/// What is wrong with a call that may be an error.
fn wrong_of(subject: &Subject<'_>, call: &OpCall) -> Option<String> {
    let node = match subject.runner.node(call) {
        Ok(node) => node,
        Err(error) => return fault(&error),
    };
    let shapes = guarded("shape function", || inferred(&node, call, "shapes and values"));
    if let Some(fault) = shapes.as_ref().err().and_then(fault) {
        return Some(fault);
    }
    if shapes.as_ref().is_ok_and(|shapes| is_large(&node, shapes)) {
        return None;
    }
    let ran: Result<Vec<Tensor>> = subject.runner.try_drawn(call);
    match (ran, shapes) {
        (Err(error), _) => fault(&error),
        (Ok(outputs), Ok(shapes)) => disagreement(&node, &shapes, &outputs),
        (Ok(_), Err(_)) => None,
    }
}

/// Whether outputs that are inferred are more than a check asks for.
fn is_large(node: &NodeInfo, shapes: &[PartialShape]) -> bool {
    let mut bytes = shapes.iter().zip(&node.output_dtypes).map(|(shape, dtype)| {
        let dims: Vec<usize> = shape.dims().unwrap_or_default().iter().map(|dim| dim.unwrap_or(1)).collect();
        dims.iter().try_fold(dtype.size().unwrap_or(1), |bytes, &dim| bytes.checked_mul(dim))
    });
    bytes.any(|bytes| bytes.is_none_or(|bytes| bytes > MEMORY_LIMIT))
}

/// An error that no input may cause.
fn fault(error: &Error) -> Option<String> {
    is_fault(error).then(|| error.to_string())
}
