//! What a plugin's kernel sees of a run.
//!
//! Contract of this folder: a `TF_OpKernelContext` that is not null is the one lent to a call that is going on, or to
//! an asynchronous run that was not called back yet, and one thread at a time changes it.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ptr;
use std::sync::Arc;

use oplink_abi::{TF_OpKernelContext, TF_Status, TF_Tensor};
use oplink_api::device::DeviceContext;
use oplink_api::{
    AsyncKernelContext, Code, DType, Error, ErrorKind, KernelContext, NodeInfo, Result, Shape, Step, Tensor,
};
use smallvec::SmallVec;

use super::factory::Object;
use super::variable_locks::Locks;
use crate::guard::{borrow, borrow_mut, without_status};
use crate::handles::Lender;
use crate::status;
use crate::tensor::into_handle;

/// A run lent to a plugin.
pub(super) struct Context {
    run: Run,
    /// Inputs whose memory became an output's.
    forwarded: SmallVec<[usize; 2]>,
    failure: Option<Error>,
    host_memory: &'static [&'static str],
    pub(super) locks: Option<Locks>,
    /// Handles to inputs and outputs.
    lender: Lender,
}

enum Run {
    /// The context of a call that goes on as long as this one is lent.
    Now(*mut KernelContext<'static>),
    /// Owned until the plugin calls back, with the kernel object.
    Later(AsyncKernelContext, #[allow(dead_code, reason = "held for the run")] Arc<Object>),
}

// SAFETY: only runs of asynchronous kernels change threads, and those hold no pointer.
unsafe impl Send for Context {}

impl Context {
    /// Lends a call's context, which outlives the result.
    #[inline]
    pub(super) fn now(context: &mut KernelContext<'_>, host_memory: &'static [&'static str]) -> Self {
        Self::new(Run::Now(ptr::from_mut(context).cast()), host_memory)
    }

    pub(super) fn later(
        context: AsyncKernelContext,
        host_memory: &'static [&'static str],
        object: Arc<Object>,
    ) -> Self {
        Self::new(Run::Later(context, object), host_memory)
    }

    #[inline]
    fn new(run: Run, host_memory: &'static [&'static str]) -> Self {
        Self { run, forwarded: SmallVec::new(), failure: None, host_memory, locks: None, lender: Lender::new() }
    }

    #[inline]
    fn call(&self) -> std::result::Result<&KernelContext<'static>, &AsyncKernelContext> {
        match &self.run {
            // SAFETY: the call's context lives as long as it is lent; shared as `self` is.
            Run::Now(context) => Ok(unsafe { &**context }),
            Run::Later(context, _) => Err(context),
        }
    }

    #[inline]
    fn call_mut(&mut self) -> std::result::Result<&mut KernelContext<'static>, &mut AsyncKernelContext> {
        match &mut self.run {
            // SAFETY: as in `call`; borrowed mutably as `self` is.
            Run::Now(context) => Ok(unsafe { &mut **context }),
            Run::Later(context, _) => Err(context),
        }
    }

    #[inline]
    pub(super) fn node(&self) -> &NodeInfo {
        self.call().map_or_else(AsyncKernelContext::node, |context| context.node())
    }

    #[inline]
    pub(super) fn inputs(&self) -> &[Tensor] {
        self.call().map_or_else(AsyncKernelContext::inputs, |context| context.inputs())
    }

    /// An input by flat position.
    ///
    /// # Errors
    /// `OutOfRange` where the node has none there.
    #[inline]
    pub(super) fn input(&self, index: i32) -> Result<(usize, &Tensor)> {
        let at = usize::try_from(index).unwrap_or(usize::MAX);
        match self.inputs().get(at) {
            Some(tensor) => Ok((at, tensor)),
            None => Err(outside("input", index, self.inputs().len())),
        }
    }

    /// Position and dtype of an output.
    ///
    /// # Errors
    /// `OutOfRange` where the node has none there.
    #[inline]
    pub(super) fn output(&self, index: i32) -> Result<(usize, DType)> {
        let at = usize::try_from(index).unwrap_or(usize::MAX);
        match self.node().output_dtypes.get(at) {
            Some(&dtype) => Ok((at, dtype)),
            None => Err(outside("output", index, self.node().output_dtypes.len())),
        }
    }

    pub(super) fn output_value(&self, at: usize) -> Option<&Tensor> {
        self.call().map_or_else(|context| context.output(at), |context| context.output(at))
    }

    /// What tells this run from others that go on.
    #[inline]
    pub(super) fn id(&self) -> *const () {
        ptr::from_ref(self).cast()
    }

    /// A handle to an input.
    ///
    /// # Errors
    /// As [`Context::input`].
    #[inline]
    pub(super) fn lend_input(&mut self, index: i32) -> Result<*mut TF_Tensor> {
        let (at, id) = (self.input(index)?.0, self.id());
        Ok(match &self.run {
            // SAFETY: as in `call`; inputs stay in their slots until the lending ends.
            Run::Now(context) => self.lender.lend(unsafe { (**context).input(at) }, id).cast(),
            Run::Later(context, _) => into_handle(context.inputs()[at].clone()),
        })
    }

    /// A handle to an output that is set; null where it is not.
    #[inline]
    pub(super) fn lend_output(&mut self, at: usize) -> *mut TF_Tensor {
        let id = self.id();
        let handle = match &self.run {
            // SAFETY: as in `call`; `set_output` tells the lender before the slot gives up its tensor.
            Run::Now(context) => unsafe { (**context).output(at) }.map(|tensor| self.lender.lend(tensor, id).cast()),
            Run::Later(context, _) => context.output(at).map(|tensor| into_handle(tensor.clone())),
        };
        handle.unwrap_or(ptr::null_mut())
    }

    /// Whether a handle to an input's memory is in use.
    pub(super) fn lends(&self, input: &Tensor) -> bool {
        self.lender.lends(input)
    }

    #[inline]
    pub(super) fn set_output(&mut self, at: usize, tensor: Tensor) {
        self.hold_output(at);
        match self.call_mut() {
            Ok(context) => context.set_output(at, tensor),
            Err(context) => context.set_output(at, tensor),
        }
    }

    /// Makes handles to an output hold a reference, before it is another.
    #[inline]
    fn hold_output(&self, at: usize) {
        if let Some(before) = self.output_value(at) {
            self.lender.hold(before);
        }
    }

    /// A new tensor in host memory.
    #[inline]
    pub(super) fn allocate(&self, dtype: DType, shape: Shape) -> Result<Tensor> {
        match self.call() {
            Ok(context) => context.allocate(dtype, shape),
            Err(_) => Tensor::allocate(dtype, shape, None),
        }
    }

    /// Sets an output to a new tensor, in the memory where the output belongs.
    #[inline]
    pub(super) fn allocate_output(&mut self, at: usize, dtype: DType, shape: Shape) -> Result<()> {
        self.hold_output(at);
        match self.call_mut() {
            Ok(context) => context.allocate_and_set_output(at, shape),
            Err(_) => {
                let tensor = match self.device().filter(|_| self.is_output_on_device(at, dtype)) {
                    Some(device) => device.allocate_for(&self.node().name, dtype, shape)?,
                    None => Tensor::allocate(dtype, shape, None)?,
                };
                self.set_output(at, tensor);
                Ok(())
            }
        }
    }

    /// The device that the kernel runs on, where it has memory of its own.
    #[inline]
    pub(super) fn device(&self) -> Option<&dyn DeviceContext> {
        match self.call() {
            Ok(context) => context.env().device().map(|device| &**device),
            Err(context) => context.device().ok().map(|device| &**device),
        }
    }

    /// Whether an output is in the memory of the device.
    pub(super) fn is_output_on_device(&self, at: usize, dtype: DType) -> bool {
        self.device().is_some() && dtype.size().is_some() && !self.is_output_in_host_memory(at, dtype)
    }

    /// Whether an output is in the host's memory on any device.
    pub(super) fn is_output_in_host_memory(&self, at: usize, dtype: DType) -> bool {
        let node = self.node();
        let arg = node.output_ranges.iter().position(|range| range.contains(&at));
        let name = arg.and_then(|arg| node.op.outputs.get(arg)).map(|arg| arg.name.as_str());
        self.is_in_host_memory(name, dtype)
    }

    pub(super) fn env(&self) -> Option<&dyn oplink_api::KernelEnv> {
        self.call().ok().map(KernelContext::env)
    }

    pub(super) fn step(&self) -> Option<&Step> {
        match self.call() {
            Ok(context) => context.env().step(),
            Err(context) => context.step().ok(),
        }
    }

    /// Keeps in mind that the input's memory is an output's, so that the input is given up when the run ends.
    pub(super) fn forward(&mut self, input: usize) {
        self.forwarded.push(input);
    }

    /// The first failure is the run's.
    pub(super) fn fail(&mut self, error: Error) {
        self.failure.get_or_insert(error);
    }

    /// Whether an argument is in the host's memory on any device: it was declared so, or its elements live nowhere
    /// else.
    pub(super) fn is_in_host_memory(&self, argument: Option<&str>, dtype: DType) -> bool {
        matches!(dtype, DType::String | DType::Resource)
            || argument.is_some_and(|name| self.host_memory.contains(&name))
    }

    /// What became of the run, once the plugin is done with it.
    #[inline]
    pub(super) fn finish(&mut self) -> Result<()> {
        self.lender.end();
        self.locks = None;
        for input in std::mem::take(&mut self.forwarded) {
            if let Ok(context) = self.call_mut() {
                drop(context.take_input(input));
            }
        }
        match self.failure.take() {
            Some(error) => Err(error),
            None => self.check_bools(),
        }
    }

    /// Ends the run of an asynchronous kernel.
    pub(super) fn complete(mut self) {
        self.locks = None;
        let result = self.failure.take().map_or_else(|| self.check_bools(), Err);
        if let Run::Later(context, _object) = self.run {
            context.finish(result);
        }
    }

    /// Bytes that are no truth values, which C can write, must not be read as such. Those in a device's memory are
    /// looked at when they are copied to the host.
    #[inline]
    fn check_bools(&self) -> Result<()> {
        for (at, dtype) in self.node().output_dtypes.iter().enumerate() {
            if *dtype == DType::Bool
                && let Some(tensor) = self.output_value(at).filter(|tensor| !tensor.is_on_device())
            {
                check_bools(tensor).map_err(|error| error.context(format!("output {at}")))?;
            }
        }
        Ok(())
    }
}

#[cold]
fn outside(what: &str, index: i32, count: usize) -> Error {
    Error::out_of_range(format!("there is no {what} {index}, the node has {count}"))
}

/// Whether the bytes of a tensor of truth values are 0 and 1 only.
///
/// # Errors
/// `Internal` where another byte stands there.
pub(crate) fn check_bools(tensor: &Tensor) -> Result<()> {
    match tensor.as_bytes()?.iter().position(|&byte| byte > 1) {
        None => Ok(()),
        Some(at) => {
            let message = format!("element {at} of a bool tensor is a byte other than 0 and 1");
            Err(Error::new(Code::Internal, ErrorKind::KernelFailed, message))
        }
    }
}

/// The run behind a handle.
///
/// # Safety
/// The folder's contract.
#[inline]
pub(super) unsafe fn of_run<'a>(context: *mut TF_OpKernelContext, function: &str) -> Result<&'a Context> {
    // SAFETY: the folder's contract; contexts are lent as `Context`.
    unsafe { borrow(context.cast::<Context>(), function, "ctx") }
}

/// The run behind a handle, to change it.
///
/// # Safety
/// The folder's contract.
#[inline]
pub(super) unsafe fn of_run_mut<'a>(context: *mut TF_OpKernelContext, function: &str) -> Result<&'a mut Context> {
    // SAFETY: the folder's contract; contexts are lent as `Context`.
    unsafe { borrow_mut(context.cast::<Context>(), function, "ctx") }
}

/// Makes the run fail with what the status says; the first failure counts. An OK status changes nothing.
///
/// # Safety
/// The context is null or that of the run that goes on; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OpKernelContext_Failure(context: *mut TF_OpKernelContext, status: *mut TF_Status) {
    without_status((), || {
        // SAFETY: `context` is null or alive (Safety section).
        let run = unsafe { of_run_mut(context, "TF_OpKernelContext_Failure") };
        if let (Ok(run), Err(error)) = (run, status::to_result(status)) {
            run.fail(error);
        }
    });
}
