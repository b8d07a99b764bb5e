//! What kernels of a plugin run in: the host's kernel context.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use oplink_abi::{TF_OpKernelContext, TF_Tensor};
use oplink_api::device::{DeviceContext, HostMemory};
use oplink_api::tensor::Allocator;
use oplink_api::{DType, Error, Input, KernelEnv, NodeInfo, PartialShape, Result, Shape, Tensor};
use smallvec::SmallVec;

use crate::host::Host;
use crate::host_device::HostDevice;
use crate::status::Status;
use crate::tf_tensor::{self, dims};

/// One run's context of the host.
pub(crate) struct HostEnv<'a> {
    run: HostRun<'a>,
    /// Locked while the kernel runs, which may call from several threads.
    calls: Mutex<Calls<'a>>,
    inferred: OnceLock<SmallVec<[Shape; 1]>>,
}

/// What does not change during a run.
struct HostRun<'a> {
    host: &'static Host,
    context: *mut TF_OpKernelContext,
    device: Option<RunDevice<'a>>,
}

/// The device of a run, for a kernel whose device may have memory of its own.
struct RunDevice<'a> {
    name: Arc<str>,
    context: Arc<dyn DeviceContext>,
    run: Arc<HostDevice>,
    host_memory: &'a HostMemory,
}

/// What is used by one call into the host at a time.
struct Calls<'a> {
    status: &'a Status,
    outputs: SmallVec<[Allocated; 2]>,
    inputs: SmallVec<[*mut TF_Tensor; 4]>,
    /// Inputs on a device, by position: held so that no kernel takes one for its own.
    held: Vec<(usize, Tensor)>,
}

/// The last memory that the host gave for an output; it keeps that until the run ends.
struct Allocated {
    index: usize,
    address: *const u8,
    shape: Shape,
}

// SAFETY: the host's context is bound to no thread, and called by one at a time: the lock is held.
unsafe impl Send for HostEnv<'_> {}
// SAFETY: the host takes calls on a run's context from any thread, and what changes in `self` is under a lock.
unsafe impl Sync for HostEnv<'_> {}

impl<'a> HostEnv<'a> {
    /// The environment of a run; `host_memory` is given for a kernel of a device that may have memory of its own.
    ///
    /// # Safety
    /// The context is alive as long as the environment.
    pub(crate) unsafe fn new(
        host: &'static Host,
        context: *mut TF_OpKernelContext,
        status: &'a Status,
        host_memory: Option<&'a HostMemory>,
    ) -> Self {
        let calls = Calls { status, outputs: SmallVec::new(), inputs: SmallVec::new(), held: Vec::new() };
        let device = host_memory.and_then(|host_memory| {
            // SAFETY: `context` is null or alive (Safety section).
            let run = Arc::new(unsafe { HostDevice::of_run(host, context, status) }?);
            Some(RunDevice { name: run.name(), context: run.clone(), run, host_memory })
        });
        let run = HostRun { host, context, device };
        Self { run, calls: Mutex::new(calls), inferred: OnceLock::new() }
    }

    fn calls(&self) -> MutexGuard<'_, Calls<'a>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is called, while no kernel runs.
    #[inline]
    fn parts(&mut self) -> (&HostRun<'a>, &mut Calls<'a>) {
        (&self.run, self.calls.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds all inputs, in the host's memory.
    #[inline]
    pub(crate) fn inputs(&mut self, count: usize, inputs: &mut SmallVec<[Tensor; 4]>) -> Result<()> {
        let (run, calls) = self.parts();
        for index in 0..count {
            inputs.push(run.input(calls, index)?);
        }
        Ok(())
    }

    /// Memory for an output, ahead of the kernel's run.
    #[inline]
    pub(crate) fn make_output(&mut self, index: usize, dtype: DType, shape: &Shape) -> Result<Tensor> {
        let (run, calls) = self.parts();
        run.valid_output(calls, index, dtype, shape)
    }

    /// The shapes of all outputs, where the run asked the shape function and they follow from the inputs' shapes alone.
    pub(crate) fn inferred(&self) -> Option<&[Shape]> {
        self.inferred.get().map(|shapes| &**shapes)
    }

    /// Hands an output to the host; see [`HostRun::finish`].
    #[inline]
    pub(crate) fn finish(&mut self, index: usize, output: &Tensor, inputs: &[Tensor]) -> Result<()> {
        let (run, calls) = self.parts();
        run.finish(calls, index, output, inputs)
    }
}

impl HostRun<'_> {
    #[inline]
    fn input(&self, calls: &mut Calls<'_>, index: usize) -> Result<Tensor> {
        let mut handle = ptr::null_mut();
        // SAFETY: the context is alive, the handle is written to.
        unsafe { (self.host.TF_GetInput)(self.context, index as c_int, &raw mut handle, calls.status.raw()) };
        if handle.is_null() {
            calls.status.check()?;
        }
        if calls.inputs.len() <= index {
            calls.inputs.resize(index + 1, ptr::null_mut());
        }
        calls.inputs[index] = handle;
        match self.device.as_ref().filter(|device| !device.host_memory.has_input(index)) {
            // SAFETY: the handle is the plugin's; others may read the input.
            None => unsafe { tf_tensor::adopt(self.host, handle) },
            Some(device) => {
                // SAFETY: the handle is the plugin's.
                let input = unsafe { tf_tensor::adopt_on_device(self.host, handle, &device.name) }?;
                calls.held.push((index, input.clone()));
                Ok(input)
            }
        }
    }

    fn allocate(&self, calls: &mut Calls<'_>, index: usize, dtype: DType, shape: &Shape) -> Result<Tensor> {
        let extents = dims(shape);
        let bytes = shape.num_elements() * dtype.size().unwrap_or(size_of::<oplink_api::TString>());
        let (rank, number) = (extents.len() as c_int, dtype.number());
        // SAFETY: the context is alive; `extents` has `rank` extents.
        let handle = unsafe {
            let status = calls.status.raw();
            (self.host.TF_AllocateOutput)(self.context, index as c_int, number, extents.as_ptr(), rank, bytes, status)
        };
        self.output(calls, index, handle, dtype, shape)
    }

    /// An output's memory as a tensor.
    fn output(
        &self,
        calls: &mut Calls<'_>,
        index: usize,
        handle: *mut TF_Tensor,
        dtype: DType,
        shape: &Shape,
    ) -> Result<Tensor> {
        if handle.is_null() {
            calls.status.check()?;
        }
        let output = match self.device.as_ref().filter(|device| !device.host_memory.has_output(index)) {
            // SAFETY: the handle is the plugin's; the host reads the output when the run is over.
            None => unsafe { tf_tensor::adopt_output(self.host, handle, dtype, shape) }?,
            // SAFETY: the handle is the plugin's.
            Some(device) => unsafe { tf_tensor::adopt_on_device(self.host, handle, &device.name) }?,
        };
        calls.outputs.retain(|allocated| allocated.index != index);
        calls.outputs.push(Allocated { index, address: output.as_ptr(), shape: shape.clone() });
        Ok(output)
    }

    /// Memory for an output, whose elements are values.
    #[inline]
    fn valid_output(&self, calls: &mut Calls<'_>, index: usize, dtype: DType, shape: &Shape) -> Result<Tensor> {
        let output = self.allocate(calls, index, dtype, shape)?;
        // SAFETY: nobody else has the memory yet.
        unsafe { tf_tensor::make_valid(&output) };
        Ok(output)
    }

    /// Hands an output to the host: nothing is left to do for memory that it gave for this output, an input is passed
    /// on, and everything else is copied into memory of the host.
    fn finish(&self, calls: &mut Calls<'_>, index: usize, output: &Tensor, inputs: &[Tensor]) -> Result<()> {
        let is_there = |allocated: &Allocated| {
            allocated.index == index && allocated.address == output.as_ptr() && allocated.shape == *output.shape()
        };
        if calls.outputs.iter().any(is_there) {
            return Ok(());
        }
        let same = |input: &Tensor| input.shares_memory_with(output) && input.as_ptr() == output.as_ptr();
        let input = inputs.iter().position(|input| same(input) && input.shape() == output.shape());
        if let Some(handle) = input.and_then(|input| calls.inputs.get(input).copied()) {
            // SAFETY: the context is alive, and so is the handle: the input's tensor has it.
            unsafe { (self.host.TF_SetOutput)(self.context, index as c_int, handle, calls.status.raw()) };
            return calls.status.check();
        }
        if let Some(handle) = tf_tensor::handle_on_device(output) {
            // SAFETY: the context is alive, and so is the handle: the output's tensor has it.
            unsafe { (self.host.TF_SetOutput)(self.context, index as c_int, handle, calls.status.raw()) };
            return calls.status.check();
        }
        let mut memory = self.allocate(calls, index, output.dtype(), output.shape())?;
        if let Some(memory) = memory.device_memory().or(output.device_memory()) {
            return Err(Error::internal(format!(
                "output {index} is to lie in the memory of {}, and the kernel gave another tensor there or on the host: \
                 give one that the context allocated, or an input as it is",
                memory.block.device()
            )));
        }
        copy(output, &mut memory)
    }
}

/// The device's context may be kept by the kernel: it no longer allocates when the run is over.
impl Drop for HostEnv<'_> {
    fn drop(&mut self) {
        if let Some(device) = &self.run.device {
            device.run.end();
        }
    }
}

impl KernelEnv for HostEnv<'_> {
    fn device(&self) -> Option<&Arc<dyn DeviceContext>> {
        self.run.device.as_ref().map(|device| &device.context)
    }

    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        None
    }

    fn allocate_output(&self, node: &NodeInfo, index: usize, shape: Shape) -> Result<Tensor> {
        self.run.valid_output(&mut self.calls(), index, node.output_dtypes[index], &shape)
    }

    fn shapes_inferred(&self, outputs: &[PartialShape]) {
        if let Some(shapes) = outputs.iter().map(PartialShape::to_shape).collect() {
            _ = self.inferred.set(shapes);
        }
    }

    /// The host gives an input away where nobody else has it: so the plugin gives up its own handle before it asks.
    fn forwards(&self) -> bool {
        true
    }

    fn forward_or_allocate(
        &self,
        node: &NodeInfo,
        inputs: &mut [Input<'_>],
        index: usize,
        shape: Shape,
    ) -> Result<(Option<usize>, Tensor)> {
        let dtype = node.output_dtypes[index];
        let fits = |input: &&mut Input<'_>| input.dtype() == dtype && *input.shape() == shape;
        let mut given_up: SmallVec<[&mut Input<'_>; 4]> = inputs.iter_mut().filter(fits).collect();
        if given_up.is_empty() {
            return Ok((None, self.allocate_output(node, index, shape)?));
        }
        given_up.iter_mut().for_each(|input| *input.slot_mut() = Tensor::empty());
        let candidates: SmallVec<[c_int; 4]> = given_up.iter().map(|input| input.index() as c_int).collect();
        let mut calls = self.calls();
        calls.held.retain(|(at, _)| !candidates.contains(&(*at as c_int)));
        let (extents, mut taken) = (dims(&shape), -1);
        // SAFETY: the context is alive; the arrays have these lengths.
        let handle = unsafe {
            (self.run.host.TF_ForwardInputOrAllocateOutput)(
                self.run.context,
                candidates.as_ptr(),
                candidates.len() as c_int,
                index as c_int,
                extents.as_ptr(),
                extents.len() as c_int,
                &raw mut taken,
                calls.status.raw(),
            )
        };
        let output = self.run.output(&mut calls, index, handle, dtype, &shape)?;
        for input in given_up.iter_mut().filter(|input| input.index() as c_int != taken) {
            *input.slot_mut() = self.run.input(&mut calls, input.index())?;
        }
        drop(given_up);
        let taken = inputs.iter().position(|input| input.index() as c_int == taken);
        if taken.is_none() {
            // SAFETY: nobody else has the memory yet.
            unsafe { tf_tensor::make_valid(&output) };
        }
        Ok((taken, output))
    }
}

/// Copies the elements into memory of the same dtype and shape, whose plain elements need not be values yet.
fn copy(from: &Tensor, to: &mut Tensor) -> Result<()> {
    match from.dtype() {
        DType::String => {
            to.as_mut_slice::<oplink_api::TString>()?.clone_from_slice(from.as_slice()?);
            Ok(())
        }
        dtype if dtype != DType::Bool => {
            to.as_mut_bytes()?.copy_from_slice(from.as_bytes()?);
            Ok(())
        }
        _ => {
            // SAFETY: nobody else has the memory yet.
            unsafe { tf_tensor::make_valid(to) };
            to.as_mut_slice::<bool>()?.copy_from_slice(from.as_slice()?);
            Ok(())
        }
    }
}
