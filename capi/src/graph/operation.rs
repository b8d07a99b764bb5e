//! What an operation tells of itself.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int};
use std::ops::Range;

use oplink_abi::{TF_Buffer, TF_DataType, TF_Input, TF_Operation, TF_Output};
use oplink_api::spec::ArgSpec;
use oplink_api::{NodeInfo, Result, bail};
use oplink_host::c_api;
use oplink_host::guard::{text, without_status};

use super::{Operation, input_number, operation_of, output_number};
use crate::support::{c_count, fill};

/// Reads one fact of an operation; `fallback` for null.
///
/// # Safety
/// The handle is null or alive.
unsafe fn fact<T: Copy>(operation: *const TF_Operation, fallback: T, read: impl FnOnce(&Operation) -> T) -> T {
    // SAFETY: `operation` is null or alive (Safety section).
    let operation = unsafe { operation.cast::<Operation>().as_ref() };
    without_status(fallback, || operation.map_or(fallback, read))
}

/// The name; empty for null. Valid for the graph's life.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationName(oper: *mut TF_Operation) -> *const c_char {
    // SAFETY: `oper` is null or alive (Safety section).
    unsafe { fact(oper, c"".as_ptr(), |operation| operation.name().as_ptr()) }
}

/// The op; empty for null. Valid for the graph's life.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationOpType(oper: *mut TF_Operation) -> *const c_char {
    // SAFETY: `oper` is null or alive (Safety section).
    unsafe { fact(oper, c"".as_ptr(), |operation| operation.op().as_ptr()) }
}

/// The device asked for; empty for none and for null. Valid for the graph's life.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationDevice(oper: *mut TF_Operation) -> *const c_char {
    // SAFETY: `oper` is null or alive (Safety section).
    unsafe { fact(oper, c"".as_ptr(), Operation::device) }
}

/// The number of outputs; 0 for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationNumOutputs(oper: *mut TF_Operation) -> c_int {
    // SAFETY: `oper` is null or alive (Safety section).
    unsafe { fact(oper, 0, |operation| c_count(operation.info.output_dtypes.len())) }
}

/// The number of inputs; 0 for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationNumInputs(oper: *mut TF_Operation) -> c_int {
    // SAFETY: `oper` is null or alive (Safety section).
    unsafe { fact(oper, 0, |operation| c_count(operation.info.input_dtypes.len())) }
}

fn position(index: c_int) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}

/// The dtype of an output; 0 where there is none.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationOutputType(oper_out: TF_Output) -> TF_DataType {
    // SAFETY: `oper_out.oper` is null or alive (Safety section).
    unsafe { fact(oper_out.oper, 0, |operation| output_number(&operation.info, position(oper_out.index))) }
}

/// The dtype of an input; 0 where there is none.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OperationInputType(oper_in: TF_Input) -> TF_DataType {
    // SAFETY: `oper_in.oper` is null or alive (Safety section).
    unsafe { fact(oper_in.oper, 0, |operation| input_number(&operation.info, position(oper_in.index))) }
}

fn list_length(info: &NodeInfo, args: &[ArgSpec], ranges: &[Range<usize>], name: &str) -> Result<c_int> {
    match args.iter().position(|arg| arg.name == name) {
        Some(at) => Ok(c_count(ranges.get(at).map_or(0, ExactSizeIterator::len))),
        None => bail!("op {} has no argument `{}` on this side", info.op.name, name.escape_debug()),
    }
}

c_api! {
    /// The number of tensors of a declared output; -1 where there is none.
    ///
    /// # Safety
    /// The handles are null or alive; `arg_name` is null or a terminated string.
    fn TF_OperationOutputListLength(
        oper as operation: *mut TF_Operation => operation_of,
        arg_name as name: *const c_char => text;
        status
    ) -> (c_int = -1) {
        list_length(&operation.info, &operation.info.op.outputs, &operation.info.output_ranges, name)
    }

    /// The number of tensors of a declared input; -1 where there is none.
    ///
    /// # Safety
    /// The handles are null or alive; `arg_name` is null or a terminated string.
    fn TF_OperationInputListLength(
        oper as operation: *mut TF_Operation => operation_of,
        arg_name as name: *const c_char => text;
        status
    ) -> (c_int = -1) {
        list_length(&operation.info, &operation.info.op.inputs, &operation.info.input_ranges, name)
    }

    /// The operation as a serialized `NodeDef`.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_OperationToNodeDef(
        oper as operation: *mut TF_Operation => operation_of,
        output_node_def: *mut TF_Buffer;
        status
    ) {
        let inner = operation.graph().lock();
        let node = &inner.graph.nodes()[operation.position as usize];
        let bytes = oplink_proto::to_bytes(&inner.graph.node_def_as_added(node)?);
        // SAFETY: `output_node_def` is null or alive (Safety section).
        unsafe { fill(output_node_def, &bytes, NAME, "output_node_def") }
    }
}
