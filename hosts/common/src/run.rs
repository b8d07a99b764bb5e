//! Runs of kernels on a host's memory.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};

use oplink_api::resolve::check_inputs;
use oplink_api::tensor::Allocator;
use oplink_api::{AsyncKernelContext, DType, Error, KernelContext, KernelEnv, NodeInfo, Result, Shape, Tensor, ensure};
use smallvec::{SmallVec, smallvec};

use crate::guard::guarded;
use crate::memory;
use crate::prepare::{Function, PreparedKernel};

/// Where a host wants its outputs.
pub trait OutputMemory: Send + Sync {
    /// Memory for the output at a position. The host keeps the memory that it gave last for a position.
    ///
    /// # Errors
    /// Memory runs out, or the output is to have another shape.
    fn allocate(&self, index: usize, dtype: DType, shape: &Shape) -> Result<Tensor>;

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

/// The last memory that the host gave for an output.
struct Allocated {
    index: usize,
    address: usize,
    shape: Shape,
}

/// The environment of one run.
struct Run<'a> {
    memory: &'a dyn OutputMemory,
    allocated: Mutex<SmallVec<[Allocated; 2]>>,
}

impl Run<'_> {
    fn allocated(&self) -> MutexGuard<'_, SmallVec<[Allocated; 2]>> {
        self.allocated.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn allocate(&self, index: usize, dtype: DType, shape: &Shape) -> Result<Tensor> {
        if dtype == DType::String {
            return Tensor::zeros(dtype, shape.clone());
        }
        let output = self.memory.allocate(index, dtype, shape)?;
        let mut allocated = self.allocated();
        allocated.retain(|allocated| allocated.index != index);
        allocated.push(Allocated { index, address: output.as_ptr().addr(), shape: shape.clone() });
        Ok(output)
    }

    /// Copies an output that is not in the memory that the host gave for it.
    fn finish(&self, index: usize, output: &Tensor) -> Result<()> {
        if output.dtype() == DType::String {
            return self.memory.store_strings(index, output);
        }
        let is_there = |allocated: &Allocated| {
            allocated.index == index
                && allocated.address == output.as_ptr().addr()
                && allocated.shape == *output.shape()
        };
        if self.allocated().iter().any(is_there) {
            return Ok(());
        }
        let mut memory = self.allocate(index, output.dtype(), output.shape())?;
        match output.dtype() {
            DType::Bool => memory.as_mut_slice::<bool>()?.copy_from_slice(output.as_slice()?),
            _ => memory.as_mut_bytes()?.copy_from_slice(output.as_bytes()?),
        }
        memory::end(memory);
        Ok(())
    }
}

impl KernelEnv for Run<'_> {
    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        None
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
    pub fn run(&self, mut inputs: SmallVec<[Tensor; 4]>, memory: &dyn OutputMemory) -> Result<()> {
        self.check(&inputs)?;
        let run = Run { memory, allocated: Mutex::default() };
        let mut outputs: SmallVec<[Option<Tensor>; 2]> = smallvec![None; self.node.output_dtypes.len()];
        let what = || format!("the kernel of {}", self.node.op.name);
        let result = guarded(what, || self.compute(&run, &mut inputs, &mut outputs));
        let is_free = end_all(inputs, outputs);
        if !is_free {
            kept(&self.node.op.name);
        }
        result
    }

    fn compute(&self, run: &Run<'_>, inputs: &mut [Tensor], outputs: &mut [Option<Tensor>]) -> Result<()> {
        match &self.function {
            Function::Compute(function) => function(&mut KernelContext::new(&self.node, inputs, outputs, run))?,
            Function::Object(kernel) => kernel.compute(&mut KernelContext::new(&self.node, inputs, outputs, run))?,
            Function::Async(function) => {
                for (slot, output) in outputs.iter_mut().zip(self.wait(*function, inputs)?) {
                    *slot = output;
                }
            }
        }
        outputs.iter().enumerate().try_for_each(|(index, output)| {
            let output = self.checked(index, output.as_ref())?;
            run.finish(index, output)
        })
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
    pub(crate) fn wait(&self, function: fn(AsyncKernelContext), inputs: &[Tensor]) -> Result<Vec<Option<Tensor>>> {
        let (sender, receiver) = mpsc::sync_channel(1);
        let done = Box::new(move |result| {
            let _ = sender.send(result);
        });
        let inputs = inputs.iter().map(Tensor::deep_copy).collect::<Result<Vec<_>>>()?;
        function(AsyncKernelContext::new(self.node.clone(), inputs, None, done));
        receiver.recv().unwrap_or_else(|_| Err(Error::internal("an asynchronous kernel ended without a result")))
    }

    pub(crate) fn checked<'t>(&self, index: usize, output: Option<&'t Tensor>) -> Result<&'t Tensor> {
        let (op, dtype) = (&self.node.op.name, self.node.output_dtypes[index]);
        let Some(output) = output else {
            return Err(Error::internal(format!("output {index} of {op} was not set by the kernel")));
        };
        ensure!(output.dtype() == dtype, "output {index} of {op} is {dtype}, the kernel gave {}", output.dtype());
        Ok(output)
    }
}

/// Ends tensors. False where somebody else still has the host's memory of one.
fn end_all(mut inputs: SmallVec<[Tensor; 4]>, mut outputs: SmallVec<[Option<Tensor>; 2]>) -> bool {
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
