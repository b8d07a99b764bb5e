//! The inputs of a call.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int};
use std::ptr;
use std::sync::Arc;

use oplink_abi::{TF_Status, TFE_Op, TFE_TensorHandle};
use oplink_api::{DType, Error, Result, bail};
use oplink_host::c_api;
use oplink_host::guard::{slice, text, with_status};

use super::{EagerOp, Handle};
use crate::support::c_count;

c_api! {
    /// Adds an input.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_OpAddInput(
        op: *mut TFE_Op => { EagerOp::borrow_mut(op, NAME) },
        input: *mut TFE_TensorHandle => { Handle::share(input, NAME, "input") };
        status
    ) {
        op.inputs.push(input);
        op.lengths.push(None);
        Ok(())
    }

    /// Adds the inputs of an argument that is a list.
    ///
    /// # Safety
    /// The handles are null or alive; `inputs` holds `num_inputs` handles.
    fn TFE_OpAddInputList(op: *mut TFE_Op, inputs: *mut *mut TFE_TensorHandle, num_inputs: c_int; status) {
        // SAFETY: `op` is null or alive and `inputs` is null or has `num_inputs` elements (Safety section).
        unsafe {
            let op = EagerOp::borrow_mut(op, NAME)?;
            op.check_takes_list()?;
            let handles = slice(inputs.cast_const(), num_inputs, NAME, "inputs")?;
            let handles = handles.iter().map(|&handle| Handle::share(handle, NAME, "inputs"));
            let handles = handles.collect::<Result<Vec<_>>>()?;
            op.lengths.push(Some(handles.len()));
            op.inputs.extend(handles);
        }
        Ok(())
    }

    /// The number of all inputs so far; -1 for null.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_OpGetFlatInputCount(op: *const TFE_Op; status) -> (c_int = -1) {
        // SAFETY: `op` is null or alive (Safety section).
        Ok(c_count(unsafe { EagerOp::borrow(op, NAME) }?.inputs.len()))
    }

    /// An input, which stays the call's: the client does not delete it.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_OpGetFlatInput(
        op: *const TFE_Op => { EagerOp::borrow(op, NAME) },
        index: c_int;
        status
    ) -> (*mut TFE_TensorHandle = ptr::null_mut()) {
        let input = usize::try_from(index).ok().and_then(|index| op.inputs.get(index));
        let missing =
            || Error::invalid_argument(format!("{NAME}: there are {} inputs, none at {index}", op.inputs.len()));
        Ok(Arc::as_ptr(input.ok_or_else(missing)?).cast_mut().cast())
    }
}

impl EagerOp {
    /// Lengths of lists by argument, where each argument was added by a call of its own.
    pub(super) fn argument_lengths(&self) -> &[Option<usize>] {
        let args = &self.spec.inputs;
        let fits = self.lengths.len() == args.len()
            && self.lengths.iter().zip(args).all(|(length, arg)| length.is_some() == arg.is_sequence());
        let simple = self.lengths.iter().all(Option::is_none);
        if fits && !simple { &self.lengths } else { &[] }
    }

    /// Whether the next argument is a list, as far as the calls that added inputs tell the arguments apart.
    fn check_takes_list(&self) -> Result<()> {
        let args = &self.spec.inputs;
        let fits = self.lengths.iter().zip(args).all(|(length, arg)| length.is_some() == arg.is_sequence());
        match args.get(self.lengths.len()) {
            Some(arg) if fits && !arg.is_sequence() => {
                bail!("TFE_OpAddInputList: input `{}` of op {} is a single tensor", arg.name, self.spec.name)
            }
            _ => Ok(()),
        }
    }

    pub(super) fn dtypes(&self) -> smallvec::SmallVec<[DType; 8]> {
        self.inputs.iter().map(|input| input.dtype()).collect()
    }
}

/// The number of tensors of a declared argument, from the inputs and attrs so far, or of the run before.
///
/// # Safety
/// The handles are null or alive; `name` is null or a terminated string.
unsafe fn length(
    op: *mut TFE_Op,
    name: *const c_char,
    status: *mut TF_Status,
    function: &str,
    is_input: bool,
) -> c_int {
    with_status(status, function, -1, || {
        // SAFETY: `op` is null or alive and `name` is null or a terminated string (Safety section).
        let (op, name) = unsafe { (EagerOp::borrow(op, function)?, text(name, function, "name")?) };
        let args = if is_input { &op.spec.inputs } else { &op.spec.outputs };
        let Some(at) = args.iter().position(|arg| arg.name == name) else {
            bail!("{function}: op {} has no argument `{}` on this side", op.spec.name, name.escape_debug());
        };
        if !args[at].is_sequence() {
            return Ok(1);
        }
        let node = match &op.last {
            Some(kernel) if op.inputs.is_empty() => kernel.node().clone(),
            _ => op.prepare().map_err(|error| Error::not_found(error.to_string()))?.kernel.node().clone(),
        };
        let ranges = if is_input { &node.input_ranges } else { &node.output_ranges };
        let range = ranges.get(at).filter(|_| Arc::ptr_eq(&node.op, &op.spec) || node.op.name == op.spec.name);
        let missing = || Error::unimplemented(format!("{function}: the arguments of functions are single tensors"));
        Ok(c_count(range.ok_or_else(missing)?.len()))
    })
}

/// The number of tensors of a declared input; -1 where there is none.
///
/// # Safety
/// The handles are null or alive; `input_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpGetInputLength(
    op: *mut TFE_Op,
    input_name: *const c_char,
    status: *mut TF_Status,
) -> c_int {
    // SAFETY: `op` is null or alive, `input_name` is null or a terminated string and `status` is null or alive (Safety
    // section).
    unsafe { length(op, input_name, status, "TFE_OpGetInputLength", true) }
}

/// The number of tensors of a declared output; -1 where there is none.
///
/// # Safety
/// The handles are null or alive; `output_name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_OpGetOutputLength(
    op: *mut TFE_Op,
    output_name: *const c_char,
    status: *mut TF_Status,
) -> c_int {
    // SAFETY: `op` is null or alive, `output_name` is null or a terminated string and `status` is null or alive (Safety
    // section).
    unsafe { length(op, output_name, status, "TFE_OpGetOutputLength", false) }
}
