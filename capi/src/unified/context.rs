//! `TF_ExecutionContext`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_char;
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oplink_abi::{TF_ExecutionContext, TFE_Context, TFE_ContextOptions};
use oplink_api::{Result, bail};
use oplink_graph::FunctionTrace;
use oplink_host::c_api;
use oplink_host::guard::{borrow, delete, text};
use oplink_host::status;

use crate::eager::context::{TFE_DeleteContext, TFE_NewContext};
use crate::support::registry;

/// What a `TF_ExecutionContext` is here; ops and tensors share it.
#[derive(Clone, Debug)]
pub(super) enum ExecutionContext {
    /// Ops run at once.
    Eager(Arc<EagerHandle>),
    /// Ops become a function.
    Tracing(Arc<Trace>),
}

/// An eager context, deleted at the end.
#[derive(Debug)]
pub(super) struct EagerHandle(*mut TFE_Context);

// SAFETY: an eager context locks itself.
unsafe impl Send for EagerHandle {}
// SAFETY: an eager context locks itself.
unsafe impl Sync for EagerHandle {}

impl EagerHandle {
    pub(super) fn as_ptr(&self) -> *mut TFE_Context {
        self.0
    }
}

impl Drop for EagerHandle {
    fn drop(&mut self) {
        // SAFETY: made by `TFE_NewContext` and given up here.
        unsafe { TFE_DeleteContext(self.0) }
    }
}

/// A function under construction.
#[derive(Debug)]
pub(super) struct Trace(Mutex<FunctionTrace>);

impl Trace {
    pub(super) fn lock(&self) -> MutexGuard<'_, FunctionTrace> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ExecutionContext {
    /// The context behind a handle.
    ///
    /// # Errors
    /// The handle is null.
    ///
    /// # Safety
    /// A handle that is not null is alive for `'a`.
    pub(super) unsafe fn borrow<'a>(context: *const TF_ExecutionContext, function: &str) -> Result<&'a Self> {
        // SAFETY: `context` is null or alive (Safety section).
        unsafe { borrow(context.cast::<Self>(), function, "context") }
    }

    fn into_handle(self) -> *mut TF_ExecutionContext {
        Box::into_raw(Box::new(self)).cast()
    }

    /// The function under construction.
    ///
    /// # Errors
    /// The context is an eager one.
    pub(super) fn trace(&self, function: &str) -> Result<&Arc<Trace>> {
        match self {
            Self::Tracing(trace) => Ok(trace),
            Self::Eager(_) => bail!("{function}: the context runs ops at once; begin a function by TF_CreateFunction"),
        }
    }

    /// The eager context.
    ///
    /// # Errors
    /// The context traces.
    pub(super) fn eager(&self, function: &str) -> Result<&Arc<EagerHandle>> {
        match self {
            Self::Eager(context) => Ok(context),
            Self::Tracing(_) => bail!("{function}: the context traces a function, it is no eager one"),
        }
    }
}

c_api! {
    /// Chooses how functions are traced, `graphdef` or `mlir`: both name the one way that there is here.
    ///
    /// # Safety
    /// The status is null or alive; `name` is null or a terminated string.
    fn TF_SetTracingImplementation(name: *const c_char => text; status) {
        match name {
            "graphdef" | "mlir" => Ok(()),
            other => bail!("{NAME}: there is no implementation `{}`; graphdef is one", other.escape_debug()),
        }
    }

    /// A context that runs ops at once, on devices as the options say.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_NewEagerExecutionContext(options: *mut TFE_ContextOptions; status)
        -> (*mut TF_ExecutionContext = ptr::null_mut())
    {
        // SAFETY: `options` is null or alive (Safety section).
        let context = status::functions().call(|status| unsafe { TFE_NewContext(options, status) })?;
        Ok(ExecutionContext::Eager(Arc::new(EagerHandle(context))).into_handle())
    }

    /// A context that makes a function of the ops that are called in it.
    ///
    /// # Safety
    /// The status is null or alive; `fn_name` is null or a terminated string.
    fn TF_CreateFunction(fn_name as name: *const c_char => text; status)
        -> (*mut TF_ExecutionContext = ptr::null_mut())
    {
        let trace = Trace(Mutex::new(FunctionTrace::new(&registry()?, name)));
        Ok(ExecutionContext::Tracing(Arc::new(trace)).into_handle())
    }
}

/// Gives a context up; null is allowed. Ops and tensors of it stay.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteExecutionContext(context: *mut TF_ExecutionContext) {
    // SAFETY: `context` is null or a box that this library made and that the caller gives up.
    unsafe { delete(context.cast::<ExecutionContext>()) }
}

c_api! {
    /// The eager context, which lives as long as this one.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_ExecutionContextGetTFEContext(
        context: *mut TF_ExecutionContext => { ExecutionContext::borrow(context, NAME) };
        status
    ) -> (*mut TFE_Context = ptr::null_mut()) {
        Ok(context.eager(NAME)?.as_ptr())
    }
}
