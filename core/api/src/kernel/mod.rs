//! Kernels of nodes as the runtime sees them: the trait, what they are constructed from, and the context they compute
//! in.

mod construction;
mod env;

use std::sync::Arc;

use smallvec::SmallVec;

use crate::arguments::{InputSlots, OutputSlots, ask_or_allocate};
use crate::attr::FromAttr;
use crate::device::{DeviceContext, HostMemory};
use crate::{
    DType, Element, Env, Error, ErrorKind, Input, NodeInfo, PartialShape, Resource, ResourceHandle, Result, Shape,
    ShapeContext, Step, Tensor, bail,
};
pub use construction::{Formula, FormulaLookup, KernelConstruction, KernelOptions};
pub use env::{DefaultEnv, KernelEnv};

/// A kernel with state that is built once for each node and takes its arguments by position.
///
/// With `#[kernel(Op, …)] impl RawKernel for MyKernel { … }` the runtime calls `new` when it prepares the node and
/// `compute` at each step, possibly from several threads at once. Kernels of declared ops are
/// [`Kernel`](crate::Kernel)s, which take their arguments by name.
pub trait RawKernel: Send + Sync + 'static {
    /// Builds the kernel from the node's attrs and dtypes.
    ///
    /// # Errors
    /// An attr or a dtype is one that the kernel does not serve. The node is not prepared then.
    fn new(construction: &KernelConstruction<'_>) -> Result<Self>
    where
        Self: Sized;

    /// Computes the outputs of one step.
    ///
    /// # Errors
    /// The values or shapes of the inputs are not those that the kernel takes, memory runs out, or the step is
    /// cancelled.
    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()>;
}

/// Kernels of a device that are those of the host: a type names a group of them.
///
/// With `#[kernel(Op, device = GPU, …, host_memory = […])] impl HostFallback for Group {}` a node on the device runs
/// the kernel that the registry has of the same op and dtypes for the host, without code of its own. That kernel reads
/// and writes the arguments that `host_memory` names; it forwards the others, or asks for their shapes only.
pub trait HostFallback {}

/// One run of a kernel: its inputs, its outputs and the step's environment.
pub struct KernelContext<'a> {
    run: Env<'a>,
    inputs: &'a mut [Tensor],
    outputs: &'a mut [Option<Tensor>],
    ready: &'a mut [Option<Tensor>],
}

impl<'a> KernelContext<'a> {
    /// A run of `node`. There is one slot for each input and output of the node. An input that nobody needs after
    /// the run is the only reference to its memory; kernels may take and reuse it. The slot of a taken input is left
    /// with a tensor of its shape that has no elements and the dtype `Invalid`.
    #[inline]
    pub fn new(
        node: &'a NodeInfo,
        inputs: &'a mut [Tensor],
        outputs: &'a mut [Option<Tensor>],
        env: &'a dyn KernelEnv,
    ) -> Self {
        Self { run: Env::new(node, env, None), inputs, outputs, ready: &mut [] }
    }

    /// The same run with tensors for outputs of the shapes that the shape function gives, made ahead: kernels that take
    /// such outputs get these, and the shape function is not asked.
    #[inline]
    #[must_use]
    pub fn with_ready_outputs(mut self, ready: &'a mut [Option<Tensor>]) -> Self {
        self.ready = ready;
        self
    }

    /// All outputs, at these positions, where they were made ahead.
    #[inline]
    pub(crate) fn take_ready<const N: usize>(&mut self, outputs: [usize; N]) -> Option<[&'a mut Option<Tensor>; N]> {
        if self.ready.len() != N || !self.ready.iter().all(Option::is_some) {
            return None;
        }
        std::mem::take(&mut self.ready).get_disjoint_mut(outputs).ok()
    }

    /// Sets an output to what is in a place, which is empty then.
    #[inline]
    pub(crate) fn set_output_from(&mut self, index: usize, place: &mut Option<Tensor>) {
        let slot = &mut self.outputs[index];
        *slot = None;
        std::mem::swap(slot, place);
    }

    /// The same run of a kernel that names arguments in `host_memory`.
    #[inline]
    #[must_use]
    pub fn with_host_memory(mut self, host_memory: Option<&'a HostMemory>) -> Self {
        self.run = Env::new(self.run.node(), self.run.env(), host_memory);
        self
    }

    /// Inputs, outputs and environment apart, each to be bound on its own.
    #[inline]
    pub fn split(&mut self) -> (InputSlots<'_>, OutputSlots<'_>, Env<'_>) {
        let run = &self.run;
        (InputSlots::new(run.node(), self.inputs), OutputSlots::new(run, self.outputs), *run)
    }

    /// The first of `candidates` whose memory an output of this shape can take.
    #[inline]
    pub(crate) fn forwardable(
        &self,
        candidates: impl IntoIterator<Item = usize>,
        output: usize,
        shape: &Shape,
    ) -> Option<usize> {
        candidates.into_iter().find(|&index| self.run.can_forward((index, &self.inputs[index]), output, shape))
    }

    /// The inputs, and the slots of the outputs.
    #[inline]
    pub(crate) fn slots(&mut self) -> (&[Tensor], &mut [Option<Tensor>]) {
        (self.inputs, self.outputs)
    }

    /// What the run has beside its inputs and outputs.
    #[inline]
    pub fn as_env(&self) -> Env<'a> {
        self.run
    }

    /// An output that was made ahead, where the memory of an input of its shape cannot be its.
    #[inline]
    pub(crate) fn take_ready_like(&mut self, input: usize, output: usize) -> Option<Tensor> {
        let is_like = |ready: &Tensor| *ready.shape() == *self.inputs[input].shape();
        if !self.ready.get(output).is_some_and(|ready| ready.as_ref().is_some_and(is_like))
            || self.inputs[input].is_unique()
        {
            return None;
        }
        self.ready[output].take()
    }

    /// The node.
    #[inline]
    pub fn node(&self) -> &'a NodeInfo {
        self.run.node()
    }

    /// The step's environment.
    #[inline]
    pub fn env(&self) -> &'a dyn KernelEnv {
        self.run.env()
    }

    /// The step that this run is part of.
    ///
    /// # Errors
    /// The run is part of none.
    #[inline]
    pub fn step(&self) -> Result<&'a Step> {
        self.run.step()
    }

    /// The queue and the memory of the device that the kernel runs on.
    ///
    /// # Errors
    /// The kernel runs in host memory.
    #[inline]
    pub fn device(&self) -> Result<&'a dyn DeviceContext> {
        self.run.device()
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
    ///
    /// # Errors
    /// The op declares no input of this name.
    pub fn input_list(&self, name: &str) -> Result<&[Tensor]> {
        let node = self.node();
        let arg = node.input_arg(name).ok_or_else(|| Error::invalid_argument(format!("no input `{name}`")))?;
        Ok(&self.inputs[node.input_ranges[arg].clone()])
    }

    /// An attr as a Rust type.
    ///
    /// # Errors
    /// There is no such attr, or it is of another kind.
    pub fn attr<T: FromAttr<'a>>(&self, name: &str) -> Result<T> {
        self.node().attr(name)
    }

    /// A new tensor in the step's host memory, on any device; plain elements hold arbitrary values. Memory of the
    /// device is allocated by [`device`](Self::device).
    ///
    /// # Errors
    /// Memory runs out, or the shape has too many elements.
    #[inline]
    pub fn allocate(&self, dtype: DType, shape: impl Into<Shape>) -> Result<Tensor> {
        self.run.allocate(dtype, shape)
    }

    /// A new tensor for an output, of the output's dtype: in the device's memory, or in host memory where there is no
    /// device, where the kernel's `host_memory` names the output, and where its elements are objects of the host.
    ///
    /// # Errors
    /// Memory runs out, or the shape has too many elements.
    #[inline]
    pub fn allocate_output(&self, index: usize, shape: impl Into<Shape>) -> Result<Tensor> {
        self.run.allocate_output(index, shape.into())
    }

    /// Sets an output to a new tensor; see [`allocate_output`](Self::allocate_output).
    ///
    /// # Errors
    /// As [`allocate_output`](Self::allocate_output).
    #[inline]
    pub fn allocate_and_set_output(&mut self, index: usize, shape: impl Into<Shape>) -> Result<()> {
        self.outputs[index] = Some(self.allocate_output(index, shape)?);
        Ok(())
    }

    /// Takes one of `candidates` whose memory nobody else holds, that has the output's dtype and this shape, and that
    /// is in the memory where the output belongs, or allocates. The returned tensor stands in the taken input's place.
    ///
    /// # Errors
    /// Memory runs out, or the shape has too many elements.
    pub fn forward_or_allocate(
        &mut self,
        candidates: &[usize],
        output: usize,
        shape: &Shape,
    ) -> Result<(Option<usize>, Tensor)> {
        if let Some(index) = self.forwardable(candidates.iter().copied(), output, shape) {
            return Ok((Some(index), self.take_input(index)));
        }
        if !self.run.env().forwards() {
            return Ok((None, self.run.allocate_output(output, shape.clone())?));
        }
        let inputs = self.inputs.iter_mut().enumerate().filter(|(index, _)| candidates.contains(index));
        let mut handles: SmallVec<[Input<'_>; 4]> =
            inputs.map(|(index, tensor)| Input::new(tensor, index, "")).collect();
        let (taken, tensor) = ask_or_allocate(&self.run, &mut handles, output, shape)?;
        Ok((taken.map(|at| handles[at].index()), tensor))
    }

    /// Takes an input, leaving a tensor without elements in its slot.
    #[inline]
    pub fn take_input(&mut self, index: usize) -> Tensor {
        self.inputs[index].move_out()
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
    ///
    /// # Errors
    /// The op has no shape function, or that one does not take the shapes of this run.
    pub fn infer_output_shapes(&self) -> Result<Vec<PartialShape>> {
        self.infer_outputs(false)
    }

    /// As [`infer_output_shapes`](Self::infer_output_shapes); `allocates_all` tells the environment what was inferred,
    /// for a kernel all of whose outputs are allocated of these shapes.
    pub(crate) fn infer_outputs(&self, allocates_all: bool) -> Result<Vec<PartialShape>> {
        let node = self.node();
        let Some(shape_fn) = node.shape_fn else {
            bail!("op {} has no shape function, so its outputs cannot be allocated ahead of the kernel", node.op.name)
        };
        let mut context = ShapeContext::for_run(node, self.inputs);
        shape_fn.infer(&mut context).map_err(|e| e.with_kind(ErrorKind::ShapeInference))?;
        if allocates_all && !context.asked_values() {
            self.env().shapes_inferred(context.output_shapes());
        }
        Ok(context.into_output_shapes())
    }
}
