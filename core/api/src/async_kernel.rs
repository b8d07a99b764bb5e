//! Kernels that complete later.

use std::sync::Arc;

use crate::arguments::{InputSlots, TypedOp};
use crate::attr::FromAttr;
use crate::device::DeviceContext;
use crate::{AttrMap, Code, Error, ErrorKind, NodeInfo, Resource, ResourceHandle, Result, Step, Tensor};

/// Receives the outputs of an asynchronous kernel.
pub type Done = Box<dyn FnOnce(Result<Vec<Option<Tensor>>>) + Send>;

/// The run of an asynchronous kernel: owns its inputs, and is completed by `finish`, from any thread.
///
/// Dropping it unfinished completes the run with an error, so that a step never hangs on a forgotten callback.
pub struct AsyncKernelContext {
    node: Arc<NodeInfo>,
    inputs: Vec<Tensor>,
    outputs: Vec<Option<Tensor>>,
    step: Option<Step>,
    device: Option<Arc<dyn DeviceContext>>,
    done: Option<Done>,
}

impl AsyncKernelContext {
    /// A run of `node` within `step`, if it is part of one; `done` gets the outputs.
    pub fn new(node: Arc<NodeInfo>, inputs: Vec<Tensor>, step: Option<Step>, done: Done) -> Self {
        let outputs = vec![None; node.output_dtypes.len()];
        Self { node, inputs, outputs, step, device: None, done: Some(done) }
    }

    /// The same run on a device with memory of its own.
    #[must_use]
    pub fn with_device(mut self, device: Option<Arc<dyn DeviceContext>>) -> Self {
        self.device = device;
        self
    }

    /// The queue and the memory of the device that the kernel runs on.
    ///
    /// # Errors
    /// The kernel runs in host memory.
    pub fn device(&self) -> Result<&Arc<dyn DeviceContext>> {
        self.device.as_ref().ok_or_else(|| works_in_host_memory(&self.node))
    }

    /// The step that this run is part of.
    ///
    /// # Errors
    /// The run is part of none.
    pub fn step(&self) -> Result<&Step> {
        self.step.as_ref().ok_or_else(|| Error::internal("this kernel runs only as part of a step"))
    }

    /// The resource that an input's handle refers to.
    ///
    /// # Errors
    /// There is none, or one of another type.
    pub fn resource<T: Resource>(&self, index: usize) -> Result<Arc<T>> {
        let handle = self.inputs[index].as_slice::<ResourceHandle>()?.first();
        handle.ok_or_else(|| Error::invalid_argument(format!("input {index} holds no resource handle")))?.get()
    }

    /// The node.
    pub fn node(&self) -> &NodeInfo {
        &self.node
    }

    /// The node's attrs.
    pub fn attrs(&self) -> &AttrMap {
        &self.node.attrs
    }

    /// An attr as a Rust type.
    ///
    /// # Errors
    /// There is no such attr, or it is of another kind.
    pub fn attr<'a, T: FromAttr<'a>>(&'a self, name: &str) -> Result<T> {
        self.node.attr(name)
    }

    /// The inputs and the attrs by name, of the node's op `O` or of one with the same names.
    ///
    /// # Errors
    /// The run lacks an input; an attr is missing, or has a value that the op does not allow.
    pub fn arguments<O: TypedOp>(&mut self) -> Result<(O::Inputs<'_>, O::Attrs<'_>)> {
        let inputs = O::inputs(&mut InputSlots::new(&self.node, &mut self.inputs))?;
        Ok((inputs, O::attrs(&self.node)?))
    }

    /// All inputs.
    pub fn inputs(&self) -> &[Tensor] {
        &self.inputs
    }

    /// An output, where it is set.
    pub fn output(&self, index: usize) -> Option<&Tensor> {
        self.outputs.get(index)?.as_ref()
    }

    /// Sets an output.
    ///
    /// # Panics
    /// Where the node has fewer outputs.
    pub fn set_output(&mut self, index: usize, tensor: Tensor) {
        self.outputs[index] = Some(tensor);
    }

    /// Sets all outputs, in the declared order.
    ///
    /// # Panics
    /// Where the node has fewer outputs.
    pub fn set_outputs(&mut self, tensors: impl IntoIterator<Item = Tensor>) {
        tensors.into_iter().enumerate().for_each(|(index, tensor)| self.set_output(index, tensor));
    }

    /// Completes the run.
    pub fn finish(mut self, result: Result<()>) {
        let outputs = std::mem::take(&mut self.outputs);
        if let Some(done) = self.done.take() {
            done(result.map(|()| outputs));
        }
    }
}

/// The error of a kernel that asks for a device where there is none.
#[cold]
pub(crate) fn works_in_host_memory(node: &NodeInfo) -> Error {
    let name = &node.device;
    let message = format!("the kernel asks for a device's memory and queue, but {name} works in host memory");
    Error::new(Code::FailedPrecondition, ErrorKind::InvalidArgument, message)
}

impl Drop for AsyncKernelContext {
    fn drop(&mut self) {
        if let Some(done) = self.done.take() {
            let op = &self.node.op.name;
            done(Err(Error::internal(format!(
                "the asynchronous kernel of {op} dropped its context without finishing it"
            ))));
        }
    }
}
