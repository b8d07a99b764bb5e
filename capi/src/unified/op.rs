//! `TF_AbstractOp`, and running it.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CStr, c_char, c_int};
use std::ptr;
use std::sync::Arc;

use oplink_abi::{TF_AbstractOp, TF_AbstractTensor, TF_DataType, TF_ExecutionContext, TF_OutputList, TFE_Op};
use oplink_api::{AttrValue, Error, Output, Result, bail};
use oplink_host::c_api;
use oplink_host::guard::{borrow_mut, delete, text};
use oplink_host::{status, tensor};

use super::context::{EagerHandle, ExecutionContext, Trace};
use super::outputs::OutputList;
use super::tensor::AbstractTensor;
use crate::description::refused;
use crate::eager::EagerOp;
use crate::eager::execute::TFE_Execute;
use crate::eager::inputs::TFE_OpAddInput;
use crate::eager::op::{TFE_DeleteOp, TFE_NewOp};
use crate::set_attrs::AttrTarget as _;
use crate::support::c_count;

/// What a `TF_AbstractOp` is here.
#[derive(Debug)]
enum AbstractOp {
    Eager(EagerCall),
    Traced(TracedCall),
}

/// A call that runs at once; the op is null until its type is known.
#[derive(Debug)]
struct EagerCall {
    op: *mut TFE_Op,
    context: Arc<EagerHandle>,
}

impl Drop for EagerCall {
    fn drop(&mut self) {
        // SAFETY: null, or made by `TFE_NewOp` and given up here.
        unsafe { TFE_DeleteOp(self.op) }
    }
}

/// A call that becomes a node.
#[derive(Debug)]
struct TracedCall {
    trace: Arc<Trace>,
    op: Option<String>,
    name: String,
    attrs: Vec<(String, AttrValue)>,
}

impl AbstractOp {
    /// # Safety
    /// A handle that is not null is alive for `'a` and used by nobody else.
    unsafe fn borrow_mut<'a>(op: *mut TF_AbstractOp, function: &str) -> Result<&'a mut Self> {
        // SAFETY: `op` is null or alive (Safety section).
        unsafe { borrow_mut(op.cast::<Self>(), function, "op") }
    }
}

fn no_type(function: &str) -> Error {
    Error::invalid_argument(format!("{function}: the op has no type yet; TF_AbstractOpSetOpType sets it"))
}

impl EagerCall {
    fn set_type(&mut self, name: &CStr) -> Result<()> {
        let context = self.context.as_ptr();
        // SAFETY: the context is alive and the name terminated.
        let op = status::functions().call(|status| unsafe { TFE_NewOp(context, name.as_ptr(), status) })?;
        let before = std::mem::replace(&mut self.op, op);
        // SAFETY: null, or made by `TFE_NewOp` and given up here.
        unsafe { TFE_DeleteOp(before) };
        Ok(())
    }

    /// # Safety
    /// The op is used by nobody else.
    unsafe fn call(&mut self, function: &str) -> Result<&mut EagerOp> {
        // SAFETY: null, or alive as long as this.
        unsafe { EagerOp::borrow_mut(self.op, function) }.map_err(|_| no_type(function))
    }

    /// Runs the call; the outputs go into the list, which keeps its length where this fails.
    fn run(&mut self, inputs: &[&AbstractTensor], list: &mut OutputList, function: &str) -> Result<()> {
        // SAFETY: nobody else knows the op.
        unsafe { self.call(function) }?;
        let handles = inputs.iter().map(|input| input.handle(function)).collect::<Result<Vec<_>>>()?;
        for handle in handles {
            // SAFETY: the op and the handle are alive.
            status::functions().call(|status| unsafe { TFE_OpAddInput(self.op, handle, status) })?;
        }
        let Some(room) = list.expected else {
            bail!("{function}: the number of outputs is not known; TF_OutputListSetNumOutputs sets it");
        };
        let (mut handles, mut count) = (vec![ptr::null_mut(); room], c_count(room));
        // SAFETY: the op is alive and there are as many slots as told.
        status::functions().call(|status| unsafe {
            TFE_Execute(self.op, handles.as_mut_ptr(), &raw mut count, status);
        })?;
        let given = usize::try_from(count).unwrap_or(0);
        list.tensors = handles.into_iter().take(given).map(AbstractTensor::of_handle).collect();
        list.tensors.resize(room, ptr::null_mut());
        Ok(())
    }
}

impl TracedCall {
    /// Adds the node; the list has all that it gives, however many are expected.
    fn run(&self, inputs: &[&AbstractTensor], list: &mut OutputList, function: &str) -> Result<()> {
        let inputs: Vec<Output> =
            inputs.iter().map(|input| input.traced(&self.trace, function)).collect::<Result<_>>()?;
        let op = self.op.as_deref().ok_or_else(|| no_type(function))?;
        let attrs: Vec<(&str, AttrValue)> =
            self.attrs.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        let mut trace = self.trace.lock();
        let outputs = trace.call(op, &self.name, &inputs, &attrs).map_err(refused)?;
        let traced = outputs.into_iter().map(|output| AbstractTensor::Traced(self.trace.clone(), output));
        list.tensors = traced.map(AbstractTensor::into_handle).collect();
        Ok(())
    }
}

c_api! {
    /// An op of this context, without a type; null where the context is null.
    ///
    /// # Safety
    /// The handle is null or alive.
    fn TF_NewAbstractOp(context: *mut TF_ExecutionContext => { ExecutionContext::borrow(context, NAME) })
        -> (*mut TF_AbstractOp = ptr::null_mut())
    {
        let op = match context.clone() {
            ExecutionContext::Eager(context) => AbstractOp::Eager(EagerCall { op: ptr::null_mut(), context }),
            ExecutionContext::Tracing(trace) => {
                AbstractOp::Traced(TracedCall { trace, op: None, name: String::new(), attrs: Vec::new() })
            }
        };
        Ok(Box::into_raw(Box::new(op)).cast())
    }
}

/// Frees an op; null is allowed.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteAbstractOp(op: *mut TF_AbstractOp) {
    // SAFETY: `op` is null or a box that this library made and that the caller gives up.
    unsafe { delete(op.cast::<AbstractOp>()) }
}

c_api! {
    /// Sets the op's type: an op, or a function of the context. Attrs that were set are lost.
    ///
    /// # Safety
    /// The handles are null or alive; `op_type` is null or a terminated string.
    fn TF_AbstractOpSetOpType(
        op: *mut TF_AbstractOp => { AbstractOp::borrow_mut(op, NAME) },
        op_type as name: *const c_char => text;
        status
    ) {
        match op {
            // SAFETY: not null, by the check of `name`, and terminated (Safety section).
            AbstractOp::Eager(call) => call.set_type(unsafe { CStr::from_ptr(op_type) }),
            AbstractOp::Traced(call) => {
                (call.op, call.attrs) = (Some(name.to_owned()), Vec::new());
                Ok(())
            }
        }
    }

    /// Sets the name of the node that a traced op becomes.
    ///
    /// # Safety
    /// The handles are null or alive; `op_name` is null or a terminated string.
    fn TF_AbstractOpSetOpName(
        op: *mut TF_AbstractOp => { AbstractOp::borrow_mut(op, NAME) },
        op_name as name: *const c_char => text;
        status
    ) {
        match op {
            AbstractOp::Eager(_) => bail!("{NAME}: the op runs at once; only ops of functions have names"),
            AbstractOp::Traced(call) => {
                name.clone_into(&mut call.name);
                Ok(())
            }
        }
    }

    /// Sets an attr that is a dtype.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string.
    fn TF_AbstractOpSetAttrType(
        op: *mut TF_AbstractOp => { AbstractOp::borrow_mut(op, NAME) },
        attr_name as name: *const c_char => text,
        value: TF_DataType;
        status
    ) {
        let value = AttrValue::Type(tensor::dtype(value)?);
        match op {
            // SAFETY: nobody else knows the op.
            AbstractOp::Eager(call) => unsafe { call.call(NAME) }?.set(name, value),
            AbstractOp::Traced(call) => {
                call.attrs.retain(|(known, _)| known != name);
                call.attrs.push((name.to_owned(), value));
            }
        }
        Ok(())
    }

    /// Runs the op, or traces it; the list then has its outputs, which the client deletes.
    ///
    /// # Safety
    /// The handles are null or alive; `inputs` holds `num_inputs` tensors.
    fn TF_ExecuteOperation(
        op: *mut TF_AbstractOp => { AbstractOp::borrow_mut(op, NAME) },
        num_inputs: c_int,
        inputs: *const *mut TF_AbstractTensor => [num_inputs],
        list: *mut TF_OutputList => { OutputList::borrow_mut(list, NAME) };
        status
    ) {
        // SAFETY: each input is null or alive (Safety section).
        let inputs = inputs.iter().map(|&input| unsafe { AbstractTensor::borrow(input, NAME, "inputs") });
        let inputs: Vec<&AbstractTensor> = inputs.collect::<Result<_>>()?;
        match op {
            AbstractOp::Eager(call) => call.run(&inputs, list, NAME),
            AbstractOp::Traced(call) => call.run(&inputs, list, NAME),
        }
    }
}
