//! Runs of kernels on a host's memory.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};

use oplink_api::resolve::check_inputs;
use oplink_api::tensor::Allocator;
use oplink_api::{
    AsyncKernelContext, DType, Error, KernelContext, KernelEnv, NodeInfo, PartialShape, Result, Shape, Tensor, ensure,
};
use smallvec::SmallVec;

use crate::guard::guarded;
use crate::memory::{self, OutputAddress};
use crate::prepare::{Function, PreparedKernel};

/// Where a host wants its outputs.
pub trait OutputMemory: Send + Sync {
    /// Memory for the output at a position. The host keeps the memory that it gave last for a position.
    ///
    /// # Errors
    /// Memory runs out, or the output is to have another shape.
    fn allocate(&self, index: usize, dtype: DType, shape: &Shape) -> Result<Tensor>;

    /// As [`allocate`](Self::allocate), for a tensor that is there but for its memory. `None` where the host gives
    /// tensors only, or there are no elements.
    ///
    /// # Errors
    /// As [`allocate`](Self::allocate).
    fn address(&self, index: usize, dtype: DType, shape: &Shape) -> Result<Option<OutputAddress>> {
        let _ = (index, dtype, shape);
        Ok(None)
    }

    /// Takes an output of strings, for which no memory of the host is asked.
    ///
    /// # Errors
    /// The host has no strings; memory runs out.
    fn store_strings(&self, index: usize, strings: &Tensor) -> Result<()> {
        let _ = strings;
        Err(Error::unimplemented(format!("output {index} is of strings, which the host has not")))
    }

    /// As [`KernelEnv::parallel_for`]; by default on the calling thread.
    fn parallel_for(&self, count: usize, grain: usize, body: &(dyn Fn(std::ops::Range<usize>) + Sync)) {
        let _ = grain;
        body(0..count);
    }

    /// As [`KernelEnv::intra_op_threads`].
    fn threads(&self) -> usize {
        1
    }
}

/// The tensors of a run.
pub(crate) struct Slots {
    pub(crate) inputs: Vec<Tensor>,
    outputs: Vec<Option<Tensor>>,
    /// Outputs made ahead.
    ready: Vec<Option<Tensor>>,
    /// Their addresses.
    addresses: Vec<usize>,
    /// Whether the outputs are those that were made ahead.
    are_ready: bool,
    is_free: bool,
}

impl Slots {
    #[inline]
    pub(crate) fn new(inputs: SmallVec<[Tensor; 4]>, outputs: usize) -> Self {
        let none = |count| std::iter::repeat_with(|| None).take(count).collect();
        let (inputs, outputs) = (inputs.into_vec(), none(outputs));
        Self { inputs, outputs, ready: Vec::new(), addresses: Vec::new(), are_ready: false, is_free: false }
    }

    /// Whether what is left of the tensors can be tensors of the next run.
    #[inline]
    pub(crate) fn are_free(&self) -> bool {
        self.is_free
    }

    /// Makes outputs of these shapes ahead.
    #[inline]
    fn make_ready(&mut self, node: &NodeInfo, shapes: &[Shape], memory: &impl OutputMemory) -> Result<()> {
        if self.addresses.len() != shapes.len() {
            self.addresses.resize(shapes.len(), 0);
        }
        self.ready.resize_with(shapes.len(), || None);
        let places = self.ready.iter_mut().zip(&mut self.addresses).enumerate();
        for ((shape, dtype), (index, (slot, address))) in shapes.iter().zip(&node.output_dtypes).zip(places) {
            *address = memory::make_output(slot, memory, index, *dtype, shape)?;
        }
        Ok(())
    }

    /// Ends the use of all tensors. Those that stay are over memory that is the host's again: nobody reads them before
    /// they are over other memory. False where somebody else still has memory of the host.
    #[inline]
    fn end(&mut self) -> bool {
        let is_alone = |tensor: &Tensor| tensor.is_only_reference() || tensor.dtype() == DType::Invalid;
        let mut outputs = self.outputs.iter().chain(&self.ready).flatten();
        if !outputs.all(is_alone) || !self.inputs.iter().all(is_alone) {
            return self.end_shared();
        }
        if self.are_ready {
            // From place to place: a copy in between would be read while it is written.
            self.ready.iter_mut().zip(&mut self.outputs).for_each(|(ready, output)| std::mem::swap(ready, output));
        } else {
            self.ready.clear();
        }
        self.outputs.iter_mut().for_each(|slot| *slot = None);
        self.is_free = self.inputs.iter().all(|input| !input.owns_memory() || input.dtype() == DType::Invalid);
        true
    }

    /// As [`end`](Self::end), where tensors share memory. Nothing is left then.
    #[cold]
    fn end_shared(&mut self) -> bool {
        self.is_free = false;
        self.outputs.append(&mut self.ready);
        end_all(std::mem::take(&mut self.inputs), std::mem::take(&mut self.outputs))
    }
}

/// The last memory that the host gave for an output, but for one made ahead.
struct Allocated {
    index: usize,
    address: usize,
    shape: Shape,
}

/// The environment of one run.
struct Run<'a> {
    memory: &'a dyn OutputMemory,
    dtypes: &'a [DType],
    allocated: Mutex<Vec<Allocated>>,
    inferred: OnceLock<Vec<Shape>>,
}

impl<'a> Run<'a> {
    #[inline]
    fn new(node: &'a NodeInfo, memory: &'a dyn OutputMemory) -> Self {
        Self { memory, dtypes: &node.output_dtypes, allocated: Mutex::default(), inferred: OnceLock::new() }
    }

    fn allocate(&self, index: usize, dtype: DType, shape: &Shape) -> Result<Tensor> {
        if dtype == DType::String {
            return Tensor::zeros(dtype, shape.clone());
        }
        let output = self.memory.allocate(index, dtype, shape)?;
        let address = output.as_ptr().addr();
        let mut allocated = self.allocated.lock().unwrap_or_else(PoisonError::into_inner);
        allocated.retain(|allocated| allocated.index != index);
        allocated.push(Allocated { index, address, shape: shape.clone() });
        Ok(output)
    }

    /// Copies an output that is not in the memory that the host gave for it last: at `ready`, of that shape, where
    /// the kernel asked for no other. Whether the output is that one.
    #[inline]
    fn finish(&mut self, index: usize, output: &Tensor, ready: Option<(usize, &Shape)>) -> Result<bool> {
        let (address, shape) = (output.as_ptr().addr(), output.shape());
        let allocated = self.allocated.get_mut().unwrap_or_else(PoisonError::into_inner);
        let is_there = match allocated.iter().find(|allocated| allocated.index == index) {
            Some(last) => last.address == address && last.shape == *shape,
            None if ready == Some((address, shape)) => return Ok(!output.owns_memory()),
            None => false,
        };
        if is_there { Ok(false) } else { self.copy(index, output).map(|()| false) }
    }

    #[cold]
    fn copy(&self, index: usize, output: &Tensor) -> Result<()> {
        if output.dtype() == DType::String {
            return self.memory.store_strings(index, output);
        }
        let mut memory = self.allocate(index, output.dtype(), output.shape())?;
        match output.dtype() {
            DType::Bool => memory.as_mut_slice::<bool>()?.copy_from_slice(output.as_slice()?),
            _ => memory.as_mut_bytes()?.copy_from_slice(output.as_bytes()?),
        }
        Ok(())
    }
}

impl KernelEnv for Run<'_> {
    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        None
    }

    fn shapes_inferred(&self, outputs: &[PartialShape]) {
        let is_host_memory = !self.dtypes.contains(&DType::String);
        if let Some(shapes) =
            outputs.iter().map(PartialShape::to_shape).collect::<Option<_>>().filter(|_| is_host_memory)
        {
            _ = self.inferred.set(shapes);
        }
    }

    fn allocate_output(&self, node: &NodeInfo, index: usize, shape: Shape) -> Result<Tensor> {
        self.allocate(index, node.output_dtypes[index], &shape)
    }

    fn parallel_for(&self, count: usize, grain: usize, body: &(dyn Fn(std::ops::Range<usize>) + Sync)) {
        self.memory.parallel_for(count, grain, body);
    }

    fn intra_op_threads(&self) -> usize {
        self.memory.threads()
    }
}

impl PreparedKernel {
    /// Runs the kernel; its outputs are in the host's memory then.
    ///
    /// A kernel that keeps a tensor of the host's memory beyond its run ends the process, since nothing else would keep
    /// it from reading memory that is gone or written to.
    ///
    /// # Errors
    /// Those of the kernel; the inputs are not those that the kernel was prepared for, or an output is missing.
    pub fn run(&self, inputs: SmallVec<[Tensor; 4]>, memory: &dyn OutputMemory) -> Result<()> {
        let mut slots = Slots::new(inputs, self.node.output_dtypes.len());
        self.run_first(&mut slots, memory).map(drop)
    }

    /// As [`run`](Self::run), on the inputs in `slots`. The shapes of the outputs, where the shape function was asked
    /// for them and they follow from the inputs' shapes alone; else none.
    pub(crate) fn run_first(&self, slots: &mut Slots, memory: &dyn OutputMemory) -> Result<Vec<Shape>> {
        self.check(&slots.inputs)?;
        let mut run = Run::new(&self.node, memory);
        self.run_in(&mut run, slots, &[])?;
        Ok(run.inferred.into_inner().unwrap_or_default())
    }

    /// As [`run_first`](Self::run_first), with inputs of the same dtypes and shapes as then. `shapes` are what that
    /// returned.
    #[inline]
    pub(crate) fn run_again(
        &self,
        slots: &mut Slots,
        shapes: &mut Vec<Shape>,
        memory: &impl OutputMemory,
    ) -> Result<()> {
        slots.make_ready(&self.node, shapes, memory)?;
        let mut run = Run::new(&self.node, memory);
        let result = self.run_in(&mut run, slots, shapes);
        if run.allocated.get_mut().is_ok_and(|allocated| !allocated.is_empty()) {
            // The kernel takes other memory than what was made ahead.
            shapes.clear();
        }
        result
    }

    #[inline]
    fn run_in(&self, run: &mut Run<'_>, slots: &mut Slots, shapes: &[Shape]) -> Result<()> {
        let what = || format!("the kernel of {}", self.node.op.name);
        let result = guarded(what, || self.compute(run, slots, shapes));
        if !slots.end() {
            kept(&self.node.op.name);
        }
        result
    }

    #[inline]
    fn compute(&self, run: &mut Run<'_>, slots: &mut Slots, shapes: &[Shape]) -> Result<()> {
        let Slots { inputs, outputs, ready, addresses, are_ready, .. } = slots;
        *are_ready = false;
        let ready = if shapes.is_empty() { &mut [] } else { ready.as_mut_slice() };
        self.call_function(run, inputs, outputs, ready)?;
        let mut are_all = ready.len() == outputs.len();
        for (index, output) in outputs.iter().enumerate() {
            let output = checked(&self.node, index, output.as_ref())?;
            are_all &= run.finish(index, output, addresses.get(index).copied().zip(shapes.get(index)))?;
        }
        *are_ready = are_all;
        Ok(())
    }

    /// Calls the kernel's function, which sets the outputs; `ready` are some that were made ahead.
    #[inline]
    pub(crate) fn call_function(
        &self,
        env: &dyn KernelEnv,
        inputs: &mut [Tensor],
        outputs: &mut [Option<Tensor>],
        ready: &mut [Option<Tensor>],
    ) -> Result<()> {
        let context = KernelContext::new(&self.node, inputs, outputs, env);
        match &self.function {
            Function::Compute(function) => function(&mut context.with_ready_outputs(ready)),
            Function::Object(kernel) => kernel.compute(&mut context.with_ready_outputs(ready)),
            Function::Async(function) => {
                for (slot, output) in outputs.iter_mut().zip(self.wait(*function, inputs)?) {
                    *slot = output;
                }
                Ok(())
            }
        }
    }

    /// Whether the inputs are those that the kernel was prepared for.
    fn check(&self, inputs: &[Tensor]) -> Result<()> {
        let wanted = &self.node.input_dtypes;
        if wanted.len() == inputs.len() && inputs.iter().zip(wanted).all(|(input, wanted)| input.dtype() == *wanted) {
            return Ok(());
        }
        check_inputs(&self.node, &inputs.iter().map(Tensor::dtype).collect::<Vec<_>>())
    }

    /// Starts an asynchronous kernel and waits. It gets copies of its inputs, since it may hold them a while longer
    /// than it says.
    fn wait(&self, function: fn(AsyncKernelContext), inputs: &[Tensor]) -> Result<Vec<Option<Tensor>>> {
        let (sender, receiver) = mpsc::sync_channel(1);
        let done = Box::new(move |result| {
            let _ = sender.send(result);
        });
        let inputs = inputs.iter().map(Tensor::deep_copy).collect::<Result<Vec<_>>>()?;
        function(AsyncKernelContext::new(self.node.clone(), inputs, None, done));
        receiver.recv().unwrap_or_else(|_| Err(Error::internal("an asynchronous kernel ended without a result")))
    }
}

/// An output that a kernel of the node gave.
#[inline]
pub(crate) fn checked<'t>(node: &NodeInfo, index: usize, output: Option<&'t Tensor>) -> Result<&'t Tensor> {
    let (op, dtype) = (&node.op.name, node.output_dtypes[index]);
    let Some(output) = output else {
        return Err(Error::internal(format!("output {index} of {op} was not set by the kernel")));
    };
    ensure!(output.dtype() == dtype, "output {index} of {op} is {dtype}, the kernel gave {}", output.dtype());
    Ok(output)
}

/// Ends tensors. False where somebody else still has the host's memory of one.
fn end_all(mut inputs: Vec<Tensor>, mut outputs: Vec<Option<Tensor>>) -> bool {
    let mut is_free = true;
    while let Some(output) = outputs.pop() {
        let Some(tensor) = output else { continue };
        let others = outputs.iter().flatten().chain(&inputs);
        let is_last = !others.into_iter().any(|other| other.shares_memory_with(&tensor));
        is_free &= memory::end(tensor) || !is_last;
    }
    while let Some(tensor) = inputs.pop() {
        let is_last = !inputs.iter().any(|other| other.shares_memory_with(&tensor));
        let is_moved = tensor.dtype() == DType::Invalid;
        is_free &= memory::end(tensor) || is_moved || !is_last;
    }
    is_free
}

#[cold]
fn kept(op: &str) -> ! {
    eprintln!(
        "oplink: the kernel of {op} kept a tensor beyond its run, and its memory is the host's: keep \
         `Tensor::deep_copy` of it. The process ends, since the memory is about to be used again."
    );
    std::process::abort()
}
