//! Kernels: the trait, what they are constructed from, and the context they compute in.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::async_kernel::works_in_host_memory;
use crate::{
    Allocator, AttrMap, DType, DeviceContext, Element, Error, ErrorKind, FromAttr, HostMemory, NodeInfo, PartialShape,
    Resource, ResourceHandle, Result, Shape, ShapeContext, Step, Tensor, bail,
};

/// A kernel with state that is built once for each node.
///
/// With `#[kernel(Op, …)] impl Kernel for MyKernel { … }` the runtime calls `new` when it prepares the node and
/// `compute` at each step, possibly from several threads at once.
pub trait Kernel: Send + Sync + 'static {
    /// Builds the kernel from the node's attrs and dtypes.
    fn new(construction: &KernelConstruction<'_>) -> Result<Self>
    where
        Self: Sized;

    /// Computes the outputs of one step.
    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()>;
}

/// What a kernel is constructed from.
#[derive(Clone, Copy, Debug)]
pub struct KernelConstruction<'a> {
    node: &'a NodeInfo,
}

impl<'a> KernelConstruction<'a> {
    /// For `node`.
    pub fn new(node: &'a NodeInfo) -> Self {
        Self { node }
    }

    /// The node.
    pub fn node(&self) -> &'a NodeInfo {
        self.node
    }

    /// An attr as a Rust type.
    pub fn attr<T: FromAttr<'a>>(&self, name: &str) -> Result<T> {
        self.node.attr(name)
    }

    /// All attrs.
    pub fn attrs(&self) -> &'a AttrMap {
        &self.node.attrs
    }

    /// Dtypes of the inputs.
    pub fn input_dtypes(&self) -> &'a [DType] {
        &self.node.input_dtypes
    }

    /// Dtypes of the outputs.
    pub fn output_dtypes(&self) -> &'a [DType] {
        &self.node.output_dtypes
    }
}

/// What a kernel runs in: memory, threads, and the step it is part of.
pub trait KernelEnv: Send + Sync {
    /// The step; `None` where a kernel computes a value ahead of any step.
    fn step(&self) -> Option<&Step> {
        None
    }

    /// The queue and the memory of the device; `None` where kernels work in host memory.
    fn device(&self) -> Option<&Arc<dyn DeviceContext>> {
        None
    }

    /// The allocator of host memory: of outputs and temporaries where there is no [`device`](Self::device).
    fn allocator(&self) -> Option<&Arc<dyn Allocator>>;

    /// Memory for the output of `node` at a flat position, in the device's memory where there is a device and the dtype
    /// is plain; plain elements hold arbitrary values.
    fn allocate_output(&self, node: &NodeInfo, index: usize, shape: Shape) -> Result<Tensor> {
        let dtype = node.output_dtypes[index];
        match self.device() {
            Some(device) if dtype.size().is_some() => device.allocate_for(&node.name, dtype, shape),
            _ => Tensor::allocate(dtype, shape, self.allocator()),
        }
    }

    /// Memory for an output, where none of the inputs `candidates` could be taken over as it is. An environment whose
    /// inputs belong to somebody else may get one of them over; it leaves an empty tensor in its place and says which.
    fn forward_or_allocate(
        &self,
        node: &NodeInfo,
        inputs: &mut [Tensor],
        candidates: &[usize],
        index: usize,
        shape: Shape,
    ) -> Result<(Option<usize>, Tensor)> {
        let _ = (inputs, candidates);
        Ok((None, self.allocate_output(node, index, shape)?))
    }

    /// Runs `body` on ranges that cover `0..count`, at least `grain` long each, on the intra-op threads; returns when
    /// all are done.
    fn parallel_for(&self, count: usize, grain: usize, body: &(dyn Fn(std::ops::Range<usize>) + Sync)) {
        let _ = grain;
        body(0..count);
    }

    /// Threads that `parallel_for` may use, at least 1.
    fn intra_op_threads(&self) -> usize {
        1
    }
}

/// One thread and the system's memory.
#[derive(Debug, Default, Clone, Copy)]
pub struct DefaultEnv;

impl KernelEnv for DefaultEnv {
    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        None
    }
}

/// One run of a kernel: its inputs, its outputs and the step's environment.
pub struct KernelContext<'a> {
    node: &'a NodeInfo,
    inputs: &'a mut [Tensor],
    outputs: &'a mut [Option<Tensor>],
    env: &'a dyn KernelEnv,
    host_memory: Option<&'a HostMemory>,
    taken: SmallVec<[(usize, Shape); 1]>,
}

impl<'a> KernelContext<'a> {
    /// A run of `node`. There is one slot for each input and output of the node. An input that nobody needs after
    /// the run is the only reference to its memory; kernels may take and reuse it.
    #[inline]
    pub fn new(
        node: &'a NodeInfo,
        inputs: &'a mut [Tensor],
        outputs: &'a mut [Option<Tensor>],
        env: &'a dyn KernelEnv,
    ) -> Self {
        Self { node, inputs, outputs, env, host_memory: None, taken: SmallVec::new() }
    }

    /// The same run of a kernel that names arguments in `host_memory`.
    #[inline]
    #[must_use]
    pub fn with_host_memory(mut self, host_memory: Option<&'a HostMemory>) -> Self {
        self.host_memory = host_memory;
        self
    }

    /// The node.
    #[inline]
    pub fn node(&self) -> &'a NodeInfo {
        self.node
    }

    /// The step's environment.
    #[inline]
    pub fn env(&self) -> &'a dyn KernelEnv {
        self.env
    }

    /// The step that this run is part of.
    ///
    /// # Errors
    /// The run is part of none.
    #[inline]
    pub fn step(&self) -> Result<&'a Step> {
        let env: &'a dyn KernelEnv = self.env;
        env.step().ok_or_else(|| {
            Error::internal("this kernel runs only as part of a step: not ahead of one, and not in a plugin")
        })
    }

    /// The queue and the memory of the device that the kernel runs on.
    ///
    /// # Errors
    /// The kernel runs in host memory.
    #[inline]
    pub fn device(&self) -> Result<&'a dyn DeviceContext> {
        let env: &'a dyn KernelEnv = self.env;
        env.device().map(|device| &**device).ok_or_else(|| works_in_host_memory(self.node))
    }

    /// The handle in a scalar input of dtype resource, or behind an input that is a reference.
    ///
    /// # Errors
    /// The input holds no handle.
    pub fn handle(&self, index: usize) -> Result<&ResourceHandle> {
        let handles = self.inputs[index].as_slice::<ResourceHandle>()?;
        handles.first().ok_or_else(|| Error::invalid_argument(format!("input {index} holds no resource handle")))
    }

    /// The resource that an input's handle refers to.
    ///
    /// # Errors
    /// There is none, or one of another type.
    pub fn resource<T: Resource>(&self, index: usize) -> Result<Arc<T>> {
        self.handle(index)?.get()
    }

    /// The number of inputs.
    pub fn num_inputs(&self) -> usize {
        self.inputs.len()
    }

    /// The number of outputs.
    pub fn num_outputs(&self) -> usize {
        self.outputs.len()
    }

    /// An input by flat position.
    ///
    /// # Panics
    /// Where the node has fewer inputs.
    #[inline]
    pub fn input(&self, index: usize) -> &Tensor {
        &self.inputs[index]
    }

    /// All inputs.
    #[inline]
    pub fn inputs(&self) -> &[Tensor] {
        self.inputs
    }

    /// The inputs of the declared argument `name` (one, or several for `N * T` and list types).
    pub fn input_list(&self, name: &str) -> Result<&[Tensor]> {
        let arg = self.node.input_arg(name).ok_or_else(|| Error::invalid_argument(format!("no input `{name}`")))?;
        Ok(&self.inputs[self.node.input_ranges[arg].clone()])
    }

    /// An attr as a Rust type.
    pub fn attr<T: FromAttr<'a>>(&self, name: &str) -> Result<T> {
        self.node.attr(name)
    }

    /// A new tensor in the step's host memory, on any device; plain elements hold arbitrary values. Memory of the device
    /// is allocated by [`device`](Self::device).
    #[inline]
    pub fn allocate(&self, dtype: DType, shape: impl Into<Shape>) -> Result<Tensor> {
        Tensor::allocate(dtype, shape.into(), self.env.allocator())
    }

    /// A new tensor for an output, of the output's dtype: in the device's memory, or in host memory where there is no
    /// device, where the kernel's `host_memory` names the output, and where its elements are objects of the host.
    #[inline]
    pub fn allocate_output(&self, index: usize, shape: impl Into<Shape>) -> Result<Tensor> {
        if self.is_kept_on_host(index) {
            return Tensor::allocate(self.node.output_dtypes[index], shape.into(), self.env.allocator());
        }
        self.env.allocate_output(self.node, index, shape.into())
    }

    /// Sets an output to a new tensor; see [`allocate_output`](Self::allocate_output).
    #[inline]
    pub fn allocate_and_set_output(&mut self, index: usize, shape: impl Into<Shape>) -> Result<()> {
        self.outputs[index] = Some(self.allocate_output(index, shape)?);
        Ok(())
    }

    /// Whether `host_memory` keeps an output from the memory of the device.
    #[inline]
    fn is_kept_on_host(&self, output: usize) -> bool {
        self.host_memory.is_some_and(|host| host.has_output(output)) && self.env.device().is_some()
    }

    /// Takes one of `candidates` whose memory nobody else holds, that has the output's dtype and this shape, and that is
    /// in the memory where the output belongs, or allocates. The taken input becomes an empty tensor; use the returned one in its place.
    pub fn forward_or_allocate(
        &mut self,
        candidates: &[usize],
        output: usize,
        shape: &Shape,
    ) -> Result<(Option<usize>, Tensor)> {
        let dtype = self.node.output_dtypes[output];
        for &index in candidates {
            if self.can_forward(index, dtype, shape) && self.is_in_one_memory(index, output) {
                return Ok((Some(index), self.take_input(index)));
            }
        }
        if self.is_kept_on_host(output) {
            return Ok((None, self.allocate_output(output, shape.clone())?));
        }
        let found = self.env.forward_or_allocate(self.node, self.inputs, candidates, output, shape.clone())?;
        if let (Some(index), _) = found {
            self.taken.push((index, shape.clone()));
        }
        Ok(found)
    }

    #[inline]
    fn can_forward(&self, index: usize, dtype: DType, shape: &Shape) -> bool {
        let input = &self.inputs[index];
        input.dtype() == dtype && input.shape() == shape && input.is_unique()
    }

    /// Whether an input and an output belong both in host memory, or both in the device's. Inputs are on the host only
    /// where `host_memory` names them, or by their dtype.
    #[inline]
    fn is_in_one_memory(&self, input: usize, output: usize) -> bool {
        let named_apart = |host: &HostMemory| host.has_input(input) != host.has_output(output);
        !(self.host_memory.is_some_and(named_apart) && self.env.device().is_some())
    }

    /// Takes an input, leaving an empty tensor in its slot.
    #[inline]
    pub fn take_input(&mut self, index: usize) -> Tensor {
        let tensor = std::mem::replace(&mut self.inputs[index], Tensor::empty());
        self.taken.push((index, tensor.shape().clone()));
        tensor
    }

    /// Ends the run: the inputs that the kernel took, with the shapes they had.
    #[inline]
    pub fn into_taken_inputs(self) -> SmallVec<[(usize, Shape); 1]> {
        self.taken
    }

    /// An output, where it is set.
    pub fn output(&self, index: usize) -> Option<&Tensor> {
        self.outputs.get(index)?.as_ref()
    }

    /// Sets an output.
    ///
    /// # Panics
    /// Where the node has fewer outputs.
    #[inline]
    pub fn set_output(&mut self, index: usize, tensor: Tensor) {
        self.outputs[index] = Some(tensor);
    }

    /// Sets an output to a scalar.
    pub fn set_scalar<T: Element>(&mut self, index: usize, value: T) {
        self.set_output(index, Tensor::scalar(value));
    }

    /// The shapes that the op's shape function gives the outputs for the inputs of this run.
    pub fn infer_output_shapes(&self) -> Result<Vec<PartialShape>> {
        let Some(shape_fn) = self.node.shape_fn else {
            bail!(
                "op {} has no shape function, so its outputs cannot be allocated ahead of the kernel",
                self.node.op.name
            )
        };
        let mut context = ShapeContext::for_run(self.node, self.inputs);
        shape_fn.infer(&mut context).map_err(|e| e.with_kind(ErrorKind::ShapeInference))?;
        Ok(context.into_output_shapes())
    }
}
