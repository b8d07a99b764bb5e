//! Runs of kernels for GPUs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oplink_api::device::{DeviceContext, copy_to_host_blocking};
use oplink_api::gpu::GpuKernel;
use oplink_api::resolve::check_inputs;
use oplink_api::tensor::Allocator;
use oplink_api::{DType, Error, KernelContext, KernelEnv, NodeInfo, Result, Shape, Tensor, ensure};
use smallvec::{SmallVec, smallvec};

use super::ForeignStream;
use super::prepare::{Function, PreparedGpuKernel};
use crate::guard::guarded;
use crate::run::{OutputMemory, checked};

/// The last memory that the host gave for an output.
struct Allocated {
    index: usize,
    tensor: Tensor,
}

/// The environment of one run.
struct Run<'a> {
    memory: &'a dyn OutputMemory,
    device: Arc<dyn DeviceContext>,
    allocated: Mutex<SmallVec<[Allocated; 2]>>,
}

impl Run<'_> {
    fn allocated(&self) -> MutexGuard<'_, SmallVec<[Allocated; 2]>> {
        self.allocated.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn allocate(&self, index: usize, dtype: DType, shape: &Shape) -> Result<Tensor> {
        ensure!(dtype.size().is_some(), "output {index} is of {dtype}, which no GPU has");
        let tensor = self.memory.allocate(index, dtype, shape)?;
        let mut allocated = self.allocated();
        allocated.retain(|allocated| allocated.index != index);
        allocated.push(Allocated { index, tensor: tensor.clone() });
        Ok(tensor)
    }

    /// Copies an output that is not in the memory that the host gave for it: one that `host_memory` names, or that the
    /// kernel took from an input or made itself.
    fn finish(&self, index: usize, output: &Tensor) -> Result<()> {
        let is_there = |allocated: &Allocated| {
            let place = |tensor: &Tensor| tensor.device_memory().map(|memory| (memory.block.handle(), memory.offset));
            allocated.index == index
                && place(output).is_some_and(|at| place(&allocated.tensor) == Some(at))
                && allocated.tensor.shape() == output.shape()
        };
        if self.allocated().iter().any(is_there) {
            return Ok(());
        }
        let target = self.allocate(index, output.dtype(), output.shape())?;
        self.device.copy_into(output, &target)
    }
}

impl KernelEnv for Run<'_> {
    fn device(&self) -> Option<&Arc<dyn DeviceContext>> {
        Some(&self.device)
    }

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

impl PreparedGpuKernel {
    /// Enqueues the kernel on the stream of a call, and does not wait for it; its outputs are in the host's memory when
    /// the stream's work is done. Inputs in host memory are taken where the kernel's `host_memory` names them, and
    /// scalars anywhere.
    ///
    /// # Errors
    /// Those of the kernel and of the driver; the inputs are not those that the kernel was prepared for, or an output
    /// is missing.
    pub fn run(&self, inputs: SmallVec<[Tensor; 4]>, memory: &dyn OutputMemory, stream: &ForeignStream) -> Result<()> {
        let dtypes: SmallVec<[DType; 4]> = inputs.iter().map(Tensor::dtype).collect();
        check_inputs(&self.node, &dtypes)?;
        let run = Run { memory, device: stream.context(), allocated: Mutex::default() };
        let mut placed = inputs
            .iter()
            .enumerate()
            .map(|(at, input)| self.placed(&run, at, input))
            .collect::<Result<SmallVec<[Tensor; 4]>>>()?;
        let mut outputs: SmallVec<[Option<Tensor>; 2]> = smallvec![None; self.node.output_dtypes.len()];
        let what = || format!("the kernel of {} for GPUs", self.node.op.name);
        // `inputs` lives on: so no kernel takes an input's memory for an output, which the host would see.
        guarded(what, || self.compute(&run, &mut placed, &mut outputs))?;
        outputs.iter().enumerate().try_for_each(|(index, output)| {
            let output = checked(&self.node, index, output.as_ref())?;
            run.finish(index, output)
        })
    }

    /// The input where the kernel wants it.
    fn placed(&self, run: &Run<'_>, at: usize, input: &Tensor) -> Result<Tensor> {
        match (self.host_memory.has_input(at), input.is_on_device()) {
            (true, true) => copy_to_host_blocking(&*run.device, input),
            // As frameworks do for their own ops.
            (false, false) if input.rank() == 0 => run.device.copy_to_device(&input.deep_copy()?),
            (false, false) => Err(Error::invalid_argument(format!(
                "input {at} of {} lies on the CPU, others on {}: move it there",
                self.node.op.name,
                run.device.device()
            ))),
            // A kernel that keeps it does not keep the host's memory.
            (true, false) => input.deep_copy(),
            (false, true) => Ok(input.clone()),
        }
    }

    fn compute(&self, run: &Run<'_>, inputs: &mut [Tensor], outputs: &mut [Option<Tensor>]) -> Result<()> {
        let mut context =
            KernelContext::new(&self.node, inputs, outputs, run).with_host_memory(Some(&self.host_memory));
        match &self.function {
            Function::Program(program) => launch(program, &mut context),
            Function::Compute(function) => function(&mut context),
            Function::Object(kernel) => kernel.compute(&mut context),
        }
    }
}

fn launch(program: &GpuKernel, context: &mut KernelContext<'_>) -> Result<()> {
    (program.run)(program, context)
}
