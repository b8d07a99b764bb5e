//! What kernels of a plugin run in: the host's kernel context.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oplink_abi::{TF_OpKernelContext, TF_Tensor};
use oplink_api::{Allocator, DType, KernelEnv, NodeInfo, Result, Shape, Tensor};
use smallvec::SmallVec;

use crate::host::Host;
use crate::status::Status;
use crate::tensor::{self, Access, dims};

/// One run's context of the host.
pub(crate) struct HostEnv<'a> {
    host: &'static Host,
    context: *mut TF_OpKernelContext,
    calls: Mutex<Calls<'a>>,
}

/// What is used by one call into the host at a time.
struct Calls<'a> {
    status: &'a Status,
    outputs: SmallVec<[Allocated; 2]>,
    inputs: SmallVec<[*mut TF_Tensor; 4]>,
}

/// The last memory that the host gave for an output; it keeps that until the run ends.
struct Allocated {
    index: usize,
    address: *const u8,
    shape: Shape,
}

// SAFETY: the host's context is bound to no thread, and called by one at a time: the lock is held.
unsafe impl Send for HostEnv<'_> {}
// SAFETY: as above.
unsafe impl Sync for HostEnv<'_> {}

impl<'a> HostEnv<'a> {
    /// # Safety
    /// The context is alive as long as the environment.
    pub(crate) unsafe fn new(host: &'static Host, context: *mut TF_OpKernelContext, status: &'a Status) -> Self {
        let calls = Calls { status, outputs: SmallVec::new(), inputs: SmallVec::new() };
        Self { host, context, calls: Mutex::new(calls) }
    }

    fn calls(&self) -> MutexGuard<'_, Calls<'a>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All inputs, in the host's memory.
    pub(crate) fn inputs(&self, count: usize) -> Result<SmallVec<[Tensor; 4]>> {
        let mut calls = self.calls();
        (0..count).map(|index| self.input(&mut calls, index)).collect()
    }

    fn input(&self, calls: &mut Calls<'_>, index: usize) -> Result<Tensor> {
        let mut handle = ptr::null_mut();
        // SAFETY: the context is alive, the handle is written to.
        unsafe { (self.host.TF_GetInput)(self.context, index as c_int, &raw mut handle, calls.status.raw()) };
        calls.status.check()?;
        if calls.inputs.len() <= index {
            calls.inputs.resize(index + 1, ptr::null_mut());
        }
        calls.inputs[index] = handle;
        // SAFETY: the handle is the plugin's; others may read the input.
        unsafe { tensor::adopt(self.host, handle, Access::Shared) }
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
        self.output(calls, index, handle, shape)
    }

    /// An output's memory as a tensor.
    fn output(&self, calls: &mut Calls<'_>, index: usize, handle: *mut TF_Tensor, shape: &Shape) -> Result<Tensor> {
        calls.status.check()?;
        // SAFETY: the handle is the plugin's; the host reads the output when the run is over.
        let output = unsafe { tensor::adopt(self.host, handle, Access::Own) }?;
        calls.outputs.retain(|allocated| allocated.index != index);
        calls.outputs.push(Allocated { index, address: output.as_ptr(), shape: shape.clone() });
        Ok(output)
    }

    /// Hands an output to the host: nothing is left to do for memory that it gave for this output, an input is passed on,
    /// and everything else is copied into memory of the host.
    pub(crate) fn finish(&self, index: usize, output: &Tensor, inputs: &[Tensor]) -> Result<()> {
        let mut calls = self.calls();
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
        let mut memory = self.allocate(&mut calls, index, output.dtype(), output.shape())?;
        copy(output, &mut memory)
    }
}

impl KernelEnv for HostEnv<'_> {
    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        None
    }

    fn allocate_output(&self, node: &NodeInfo, index: usize, shape: Shape) -> Result<Tensor> {
        let output = self.allocate(&mut self.calls(), index, node.output_dtypes[index], &shape)?;
        // SAFETY: nobody else has the memory yet.
        unsafe { tensor::make_valid(&output) };
        Ok(output)
    }

    /// The host gives an input away where nobody else has it: so the plugin gives up its own handle before it asks.
    fn forward_or_allocate(
        &self,
        node: &NodeInfo,
        inputs: &mut [Tensor],
        candidates: &[usize],
        index: usize,
        shape: Shape,
    ) -> Result<(Option<usize>, Tensor)> {
        let dtype = node.output_dtypes[index];
        let fits = |at: &&usize| inputs.get(**at).is_some_and(|i| i.dtype() == dtype && *i.shape() == shape);
        let candidates: SmallVec<[c_int; 4]> = candidates.iter().filter(fits).map(|&at| at as c_int).collect();
        if candidates.is_empty() {
            return Ok((None, self.allocate_output(node, index, shape)?));
        }
        candidates.iter().for_each(|&at| inputs[at as usize] = Tensor::empty());
        let mut calls = self.calls();
        let (extents, mut taken) = (dims(&shape), -1);
        // SAFETY: the context is alive; the arrays have these lengths.
        let handle = unsafe {
            (self.host.TF_ForwardInputOrAllocateOutput)(
                self.context,
                candidates.as_ptr(),
                candidates.len() as c_int,
                index as c_int,
                extents.as_ptr(),
                extents.len() as c_int,
                &raw mut taken,
                calls.status.raw(),
            )
        };
        let output = self.output(&mut calls, index, handle, &shape)?;
        for &at in candidates.iter().filter(|&&at| at != taken) {
            inputs[at as usize] = self.input(&mut calls, at as usize)?;
        }
        let taken = usize::try_from(taken).ok();
        if taken.is_none() {
            // SAFETY: nobody else has the memory yet.
            unsafe { tensor::make_valid(&output) };
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
            unsafe { tensor::make_valid(to) };
            to.as_mut_slice::<bool>()?.copy_from_slice(from.as_slice()?);
            Ok(())
        }
    }
}
