//! `TFE_Op`: a call under construction.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::{Arc, OnceLock};

use oplink_abi::{TFE_Context, TFE_Op};
use oplink_api::spec::{ArgType, OpSpec};
use oplink_api::{AttrValue, Cancellation, Error, FuncAttr, Result};
use oplink_core::{Device, DeviceName, PreparedKernel};
use oplink_graph::eager::EagerExecutor;
use oplink_host::c_api;
use oplink_host::guard::{borrow, borrow_mut, delete, text};

use super::custom::CustomDevice;
use super::{Context, Handle};
use crate::set_attrs::AttrTarget;
use crate::support::c_string;

/// What a `TFE_Op` is here.
pub(crate) struct EagerOp {
    pub(super) context: *const TFE_Context,
    pub(super) spec: Arc<OpSpec>,
    name: OnceLock<CString>,
    /// The device asked for, as it was written.
    pub(super) device: CString,
    /// That device, or the error of a run where there is none of the name.
    pub(super) wanted: Option<Result<Arc<dyn Device>>>,
    /// The client's device that is that device.
    pub(super) custom: Option<Arc<CustomDevice>>,
    pub(super) inputs: Vec<Arc<Handle>>,
    /// For each call that added inputs, the length of its list; `None` for a single one.
    pub(super) lengths: Vec<Option<usize>>,
    pub(super) attrs: Vec<(String, AttrValue)>,
    /// The kernel of the run before: what the call knew of its arguments.
    pub(super) last: Option<Arc<PreparedKernel>>,
    /// What is wrong with arguments of functions without a status.
    pub(super) problem: Option<Error>,
    /// What runs the call.
    pub(super) executor: Arc<EagerExecutor>,
    /// What ends it early.
    pub(super) cancellation: Option<Cancellation>,
}

impl EagerOp {
    /// A call of an op or function, on the executor of this thread.
    ///
    /// # Errors
    /// There is none of this name.
    fn new(handle: *const TFE_Context, context: &Context, name: &str) -> Result<Self> {
        Ok(Self {
            context: handle,
            spec: context.eager().spec(name)?,
            name: OnceLock::new(),
            device: CString::default(),
            wanted: None,
            custom: None,
            inputs: Vec::new(),
            lengths: Vec::new(),
            attrs: Vec::new(),
            last: None,
            problem: None,
            executor: context.executors().current(),
            cancellation: None,
        })
    }

    /// Asks for a device; empty for none.
    ///
    /// # Errors
    /// The name is malformed.
    fn set_device(&mut self, wanted: &str, function: &str) -> Result<()> {
        let context = self.context()?;
        let custom = context.custom_device(wanted);
        let found = match wanted {
            "" => None,
            _ if custom.is_some() => None,
            wanted => {
                DeviceName::parse(wanted)?;
                Some(context.device(wanted, function))
            }
        };
        (self.wanted, self.custom, self.device) = (found, custom, c_string(wanted));
        Ok(())
    }

    /// The op behind a handle.
    ///
    /// # Errors
    /// The handle is null.
    ///
    /// # Safety
    /// A handle that is not null is alive for `'a`.
    pub(crate) unsafe fn borrow<'a>(op: *const TFE_Op, function: &str) -> Result<&'a Self> {
        // SAFETY: `op` is null or alive (Safety section).
        unsafe { borrow(op.cast::<Self>(), function, "op") }
    }

    /// As [`EagerOp::borrow`], to change it.
    ///
    /// # Errors
    /// The handle is null.
    ///
    /// # Safety
    /// As [`EagerOp::borrow`], and used by nobody else.
    pub(crate) unsafe fn borrow_mut<'a>(op: *mut TFE_Op, function: &str) -> Result<&'a mut Self> {
        // SAFETY: `op` is null or alive (Safety section).
        unsafe { borrow_mut(op.cast::<Self>(), function, "op") }
    }

    /// The context.
    ///
    /// # Errors
    /// It was null.
    pub(super) fn context(&self) -> Result<&Context> {
        // SAFETY: a context outlives its ops, as the API asks.
        unsafe { Context::borrow(self.context, "TFE_Op") }
    }

    /// Whether the inputs so far, each argument added by a call of its own, determine an attr.
    fn inputs_tell(&self, attr: &str) -> bool {
        let args = self.lengths.iter().zip(&self.spec.inputs);
        let mut fitting = args.take_while(|(length, arg)| length.is_some() == arg.is_sequence());
        fitting.any(|(_, arg)| {
            let is_type = matches!(&arg.ty, ArgType::Attr(of) | ArgType::ListAttr(of) if of == attr);
            is_type || arg.number_attr.as_deref() == Some(attr)
        })
    }

    /// The function of this call's name, with its attrs.
    pub(crate) fn as_function(&self) -> FuncAttr {
        let attrs = self.attrs.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        FuncAttr { name: self.spec.name.clone(), attrs }
    }
}

impl AttrTarget for EagerOp {
    /// The first value stays, be it given or that of the inputs which were added before, as in TensorFlow.
    fn set(&mut self, name: &str, value: AttrValue) {
        if !self.inputs_tell(name) && self.attrs.iter().all(|(known, _)| known != name) {
            self.attrs.push((name.to_owned(), value));
        }
    }

    fn keep(&mut self, problem: Error) {
        self.problem.get_or_insert(problem);
    }
}

c_api! {
    /// A call of an op.
    ///
    /// # Safety
    /// The handles are null or alive, the context as long as the op; `op_or_function_name` is null or a terminated
    /// string.
    fn TFE_NewOp(
        ctx as context: *mut TFE_Context => { Context::borrow(ctx, NAME) },
        op_or_function_name as name: *const c_char => text;
        status
    ) -> (*mut TFE_Op = ptr::null_mut()) {
        let op = EagerOp::new(ctx, context, name)?;
        Ok(Box::into_raw(Box::new(op)).cast())
    }
}

/// Frees a call; null is allowed.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_DeleteOp(op: *mut TFE_Op) {
    // SAFETY: `op` is null or a box that this library made and that the caller gives up.
    unsafe { delete(op.cast::<EagerOp>()) }
}

c_api! {
    /// The op's name, valid as long as the call.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_OpGetName(op: *const TFE_Op => { EagerOp::borrow(op, NAME) }; status) -> (*const c_char = ptr::null()) {
        Ok(op.name.get_or_init(|| c_string(&op.spec.name)).as_ptr())
    }

    /// The context.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_OpGetContext(op: *const TFE_Op; status) -> (*mut TFE_Context = ptr::null_mut()) {
        // SAFETY: `op` is null or alive (Safety section).
        Ok(unsafe { EagerOp::borrow(op, NAME) }?.context.cast_mut())
    }

    /// Asks for a device; empty for none. One that there is not is the error of a run.
    ///
    /// # Safety
    /// The handles are null or alive; `device_name` is null or a terminated string.
    fn TFE_OpSetDevice(
        op: *mut TFE_Op => { EagerOp::borrow_mut(op, NAME) },
        device_name as wanted: *const c_char => text;
        status
    ) {
        op.set_device(wanted, NAME)
    }

    /// Makes an unused call of a used one: of another op, with neither inputs nor attrs. The device is the one given;
    /// null or empty asks for none.
    ///
    /// # Safety
    /// The handles are null or alive; the strings are null or terminated.
    fn TFE_OpReset(
        op_to_reset as op: *mut TFE_Op => { EagerOp::borrow_mut(op_to_reset, NAME) },
        op_or_function_name as name: *const c_char => text,
        raw_device_name: *const c_char;
        status
    ) {
        let wanted = match raw_device_name.is_null() {
            true => "",
            // SAFETY: not null, so a terminated string (Safety section).
            false => unsafe { text(raw_device_name, NAME, "raw_device_name") }?,
        };
        let mut fresh = EagerOp::new(op.context, op.context()?, name)?;
        fresh.set_device(wanted, NAME)?;
        *op = fresh;
        Ok(())
    }

    /// The device asked for, as it was written, empty for none; valid until another is asked for.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_OpGetDevice(op: *const TFE_Op; status) -> (*const c_char = ptr::null()) {
        // SAFETY: `op` is null or alive (Safety section).
        Ok(unsafe { EagerOp::borrow(op, NAME) }?.device.as_ptr())
    }
}
