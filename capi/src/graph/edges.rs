//! The edges of operations: where inputs come from, who reads outputs, who waits for whom.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;
use std::ptr;

use oplink_abi::{TF_Input, TF_Operation, TF_Output};
use oplink_api::{Output, Result};
use oplink_host::guard::{slice_mut, without_status};

use super::{GraphInner, Operation, operation_of};
use crate::support::c_count;

/// Looks at an operation within its graph; `fallback` for null.
///
/// # Safety
/// The handle is null or alive.
unsafe fn within<T>(
    operation: *const TF_Operation,
    fallback: T,
    look: impl FnOnce(&Operation, &mut GraphInner) -> T,
) -> T
where
    T: Copy,
{
    without_status(fallback, || {
        // SAFETY: `operation` is null or alive (Safety section).
        match unsafe { operation_of(operation, "", "") } {
            Ok(operation) => look(operation, &mut operation.graph().lock()),
            Err(_) => fallback,
        }
    })
}

/// Copies as many values as fit into an array of C; the number of all of them.
///
/// # Safety
/// As `guard::slice_mut`.
unsafe fn give<T>(values: impl ExactSizeIterator<Item = T>, array: *mut T, max: c_int) -> c_int {
    let count = values.len();
    // SAFETY: `array` is null or alive (Safety section).
    let slots: Result<&mut [T]> = unsafe { slice_mut(array, max.max(0), "", "") };
    let slots = slots.unwrap_or_default();
    slots.iter_mut().zip(values).for_each(|(slot, value)| *slot = value);
    c_count(count)
}

/// The output that an input comes from; a null operation where there is no such input.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationInput(oper_in: TF_Input) -> TF_Output {
    let none = TF_Output { oper: ptr::null_mut(), index: -1 };
    let read = |operation: &Operation, inner: &mut GraphInner| {
        let inputs = inner.graph.nodes()[operation.position as usize].inputs();
        let input = usize::try_from(oper_in.index).ok().and_then(|at| inputs.get(at));
        input.map_or(none, |&input| inner.output(input))
    };
    // SAFETY: `oper_in.oper` is null or alive (Safety section).
    unsafe { within(oper_in.oper, none, read) }
}

/// The outputs that all inputs come from, as many as fit.
///
/// # Safety
/// The handle is null or alive; `inputs` has `max_inputs` slots.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationAllInputs(oper: *mut TF_Operation, inputs: *mut TF_Output, max_inputs: c_int) {
    let read = |operation: &Operation, inner: &mut GraphInner| {
        let all = inner.graph.nodes()[operation.position as usize].inputs().to_vec();
        // SAFETY: `inputs` is null or has `max_inputs` elements (Safety section).
        unsafe { give(all.into_iter().map(|input| inner.output(input)), inputs, max_inputs) };
    };
    // SAFETY: `oper` is null or alive (Safety section).
    unsafe { within(oper, (), read) }
}

/// The readers of an output, as many as fit; how many there are.
///
/// # Safety
/// The handle is null or alive; `consumers` has `max` slots.
unsafe fn readers(output: TF_Output, consumers: *mut TF_Input, max: c_int) -> c_int {
    let read = |operation: &Operation, inner: &mut GraphInner| {
        let GraphInner { graph, consumers: known, .. } = &mut *inner;
        known.update(graph);
        let Ok(index) = u32::try_from(output.index) else { return 0 };
        let readers: Vec<_> = inner.consumers.of_output(Output { node: operation.position, index }).collect();
        // SAFETY: `consumers` is null or alive (Safety section).
        unsafe { give(readers.into_iter().map(|(node, index)| inner.input(node, index)), consumers, max) }
    };
    // SAFETY: `output.oper` is null or alive (Safety section).
    unsafe { within(output.oper, 0, read) }
}

/// The number of inputs that read an output.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationOutputNumConsumers(oper_out: TF_Output) -> c_int {
    // SAFETY: the caller's contract; no slots are offered.
    unsafe { readers(oper_out, ptr::null_mut(), 0) }
}

/// The inputs that read an output, as many as fit; how many there are.
///
/// # Safety
/// The handle is null or alive; `consumers` has `max_consumers` slots.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationOutputConsumers(
    oper_out: TF_Output,
    consumers: *mut TF_Input,
    max_consumers: c_int,
) -> c_int {
    // SAFETY: `oper_out.oper` is null or alive and `consumers` is null or has `max_consumers` elements (Safety
    // section).
    unsafe { readers(oper_out, consumers, max_consumers) }
}

/// The number of nodes that must have run before.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationNumControlInputs(oper: *mut TF_Operation) -> c_int {
    // SAFETY: the caller's contract; no slots are offered.
    unsafe { TF_OperationGetControlInputs(oper, ptr::null_mut(), 0) }
}

/// The nodes that must have run before, as many as fit; how many there are.
///
/// # Safety
/// The handle is null or alive; `control_inputs` has `max_control_inputs` slots.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetControlInputs(
    oper: *mut TF_Operation,
    control_inputs: *mut *mut TF_Operation,
    max_control_inputs: c_int,
) -> c_int {
    let read = |operation: &Operation, inner: &mut GraphInner| {
        let all = inner.graph.nodes()[operation.position as usize].control_inputs().to_vec();
        // SAFETY: `control_inputs` is null or has `max_control_inputs` elements (Safety section).
        unsafe { give(all.into_iter().map(|node| inner.operation(node)), control_inputs, max_control_inputs) }
    };
    // SAFETY: `oper` is null or alive (Safety section).
    unsafe { within(oper, 0, read) }
}

/// The number of nodes that wait for this one.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationNumControlOutputs(oper: *mut TF_Operation) -> c_int {
    // SAFETY: the caller's contract; no slots are offered.
    unsafe { TF_OperationGetControlOutputs(oper, ptr::null_mut(), 0) }
}

/// The nodes that wait for this one, as many as fit; how many there are.
///
/// # Safety
/// The handle is null or alive; `control_outputs` has `max_control_outputs` slots.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationGetControlOutputs(
    oper: *mut TF_Operation,
    control_outputs: *mut *mut TF_Operation,
    max_control_outputs: c_int,
) -> c_int {
    let read = |operation: &Operation, inner: &mut GraphInner| {
        let GraphInner { graph, consumers, .. } = &mut *inner;
        consumers.update(graph);
        let all = inner.consumers.of_node(operation.position).to_vec();
        // SAFETY: `control_outputs` is null or has `max_control_outputs` elements (Safety section).
        unsafe { give(all.into_iter().map(|node| inner.operation(node)), control_outputs, max_control_outputs) }
    };
    // SAFETY: `oper` is null or alive (Safety section).
    unsafe { within(oper, 0, read) }
}
