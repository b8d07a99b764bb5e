//! The runs of a plugin's kernels.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_void;
use std::sync::{Arc, Mutex, mpsc};

use oplink_abi::TF_OpKernelContext;
use oplink_api::device::HostMemory;
use oplink_api::{AsyncKernelContext, Error, KernelContext, KernelEnv, NodeInfo, RawKernel, Result, Shape, Tensor};
use smallvec::{SmallVec, smallvec};

use crate::env::HostEnv;
use crate::guard::{guarded, silent};
use crate::host::Host;
use crate::status::Status;

/// What the host keeps of a node's kernel.
pub(crate) struct PluginKernel {
    pub(crate) host: &'static Host,
    pub(crate) node: Arc<NodeInfo>,
    pub(crate) function: Function,
    /// What stays on the host, for a kernel of a device that may have memory of its own.
    pub(crate) host_memory: Option<HostMemory>,
    pub(crate) inferred: Mutex<Inferred>,
}

/// The shapes of the last run whose outputs' shapes follow from those of its inputs.
#[derive(Default)]
pub(crate) struct Inferred {
    inputs: SmallVec<[Shape; 4]>,
    outputs: SmallVec<[Shape; 1]>,
}

impl Inferred {
    /// The shapes of the outputs for these inputs, where they are known.
    fn outputs(&self, inputs: &[Tensor]) -> Option<SmallVec<[Shape; 1]>> {
        let is_like = self.inputs.len() == inputs.len()
            && !self.outputs.is_empty()
            && self.inputs.iter().zip(inputs).all(|(shape, input)| shape == input.shape());
        is_like.then(|| self.outputs.clone())
    }
}

/// How the kernel computes.
pub(crate) enum Function {
    Compute(fn(&mut KernelContext<'_>) -> Result<()>),
    Object(Box<dyn RawKernel>),
    Async(fn(AsyncKernelContext)),
}

/// Runs a kernel.
///
/// # Safety
/// The host passes what `create` made and a live context.
pub(crate) unsafe extern "C" fn compute(kernel: *mut c_void, context: *mut TF_OpKernelContext) {
    // SAFETY: `create` made it of this type; null where it failed, which hosts do not run.
    let Some(kernel) = (unsafe { kernel.cast::<PluginKernel>().as_ref() }) else { return };
    with_status(kernel.host, |status| {
        let what = || format!("the kernel of {}", kernel.node.op.name);
        // SAFETY: the context is alive during this call.
        if let Err(error) = guarded(what, || unsafe { kernel.run(context, status) }) {
            status.set(&error);
            // SAFETY: context and status are alive.
            unsafe { (kernel.host.TF_OpKernelContext_Failure)(context, status.raw()) }
        }
    });
}

/// Frees a kernel.
///
/// # Safety
/// The host passes what `create` made, once.
pub(crate) unsafe extern "C" fn delete(kernel: *mut c_void) {
    if !kernel.is_null() {
        // SAFETY: `create` made it as a box of this type.
        silent((), || drop(unsafe { Box::from_raw(kernel.cast::<PluginKernel>()) }));
    }
}

/// Lends the thread's status, so that runs make none.
fn with_status(host: &'static Host, body: impl FnOnce(&Status)) {
    thread_local! {
        static STATUS: std::cell::OnceCell<Status> = const { std::cell::OnceCell::new() };
    }
    let mut body = Some(body);
    let lent = STATUS.try_with(|status| {
        if let Some(body) = body.take() {
            body(status.get_or_init(|| Status::new(host)));
        }
    });
    if let (Err(_), Some(body)) = (lent, body) {
        body(&Status::new(host));
    }
}

impl PluginKernel {
    /// # Safety
    /// The context is alive.
    unsafe fn run(&self, context: *mut TF_OpKernelContext, status: &Status) -> Result<()> {
        let (node, count) = (&*self.node, self.node.output_dtypes.len());
        // SAFETY: `context` is null or alive (Safety section).
        let mut env = unsafe { HostEnv::new(self.host, context, status, self.host_memory.as_ref()) };
        // SAFETY: the context is alive.
        let given = unsafe { (self.host.TF_NumInputs)(context) };
        if usize::try_from(given) != Ok(node.input_dtypes.len()) {
            let expected = node.input_dtypes.len();
            return Err(Error::internal(format!("the host gives {given} inputs to a node of {expected}")));
        }
        let mut inputs = SmallVec::new();
        env.inputs(node.input_dtypes.len(), &mut inputs)?;
        check_dtypes(node, &inputs)?;
        let mut outputs: SmallVec<[Option<Tensor>; 2]> = smallvec![None; count];
        let mut ready: SmallVec<[Option<Tensor>; 1]> = SmallVec::new();
        self.make_ready(&mut env, &inputs, &mut ready)?;
        let context = KernelContext::new(node, &mut inputs, &mut outputs, &env);
        match &self.function {
            Function::Compute(function) => function(&mut context.with_ready_outputs(&mut ready))?,
            Function::Object(kernel) => kernel.compute(&mut context.with_ready_outputs(&mut ready))?,
            Function::Async(function) => outputs = self.wait(*function, &env, &inputs)?.into(),
        }
        for (index, output) in outputs.iter().enumerate() {
            let output = self.checked_output(index, output.as_ref())?;
            env.finish(index, output, &inputs)?;
        }
        if let (Some(outputs), Ok(mut last)) = (env.inferred(), self.inferred.try_lock()) {
            let inputs = inputs.iter().map(|input| input.shape().clone()).collect();
            *last = Inferred { inputs, outputs: outputs.into() };
        }
        Ok(())
    }

    /// Makes outputs ahead, where the last run tells their shapes.
    fn make_ready(
        &self,
        env: &mut HostEnv<'_>,
        inputs: &[Tensor],
        ready: &mut SmallVec<[Option<Tensor>; 1]>,
    ) -> Result<()> {
        let known = self.inferred.try_lock().ok().and_then(|last| last.outputs(inputs)).unwrap_or_default();
        for (index, shape) in known.into_iter().enumerate() {
            ready.push(Some(env.make_output(index, self.node.output_dtypes[index], &shape)?));
        }
        Ok(())
    }

    /// Starts an asynchronous kernel and waits: hosts do not let their callback outlive the call.
    fn wait(
        &self,
        function: fn(AsyncKernelContext),
        env: &HostEnv<'_>,
        inputs: &[Tensor],
    ) -> Result<Vec<Option<Tensor>>> {
        let (sender, receiver) = mpsc::sync_channel(1);
        let done = Box::new(move |result| {
            let _ = sender.send(result);
        });
        let context = AsyncKernelContext::new(self.node.clone(), inputs.to_vec(), None, done);
        function(context.with_device(env.device().cloned()));
        receiver.recv().unwrap_or_else(|_| Err(Error::internal("an asynchronous kernel ended without a result")))
    }

    fn checked_output<'a>(&self, index: usize, output: Option<&'a Tensor>) -> Result<&'a Tensor> {
        let dtype = self.node.output_dtypes[index];
        match output {
            Some(tensor) if tensor.dtype() == dtype => Ok(tensor),
            Some(tensor) => Err(self.wrong_output(index, &format!("is {dtype}, the kernel gave {}", tensor.dtype()))),
            None => Err(self.wrong_output(index, "was not set by the kernel")),
        }
    }

    #[cold]
    fn wrong_output(&self, index: usize, what: &str) -> Error {
        let arg = self.node.output_ranges.iter().position(|range| range.contains(&index));
        let name = arg.and_then(|arg| self.node.op.outputs.get(arg)).map_or("?", |arg| &arg.name);
        Error::internal(format!("output `{name}` of {} {what}", self.node.op.name))
    }
}

fn check_dtypes(node: &NodeInfo, inputs: &[Tensor]) -> Result<()> {
    match inputs.iter().zip(&node.input_dtypes).position(|(input, dtype)| input.dtype() != *dtype) {
        None => Ok(()),
        Some(at) => {
            let (wanted, given) = (node.input_dtypes[at], inputs[at].dtype());
            Err(Error::internal(format!("input {at} of {} is {wanted}, the host gives {given}", node.op.name)))
        }
    }
}
