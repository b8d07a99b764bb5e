//! PyTorch's tensors on a GPU, seen as tensors of ours without copying, and the memory of outputs.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use oplink_abi::torch::{DEVICE_TYPE_CPU, DEVICE_TYPE_CUDA};
use oplink_api::{DType, Error, Result, Shape, Tensor, ensure};
use oplink_hosts_common::OutputMemory;
use oplink_hosts_common::cuda::ForeignStream;
use smallvec::SmallVec;

use super::functions::Cuda;
use crate::functions::{Torch, check};
use crate::tensors::{Handle, empty};
use crate::{dtypes, parallel};

/// What kernels see memory as: a tensor that starts within a word is copied.
const WORD: usize = 4;

/// The GPU that the tensors of a call are on; those on the CPU aside.
pub(super) fn device_of(cuda: &Cuda, handles: &[Handle]) -> Result<i32> {
    let mut found = None;
    for handle in handles {
        if handle.device_type()? != DEVICE_TYPE_CUDA {
            continue;
        }
        let device = handle.read(cuda.get_device_index, 0, "a device")?;
        let first = *found.get_or_insert(device);
        ensure!(device == first, "tensors lie on cuda:{first} and on cuda:{device}: move them to one GPU");
    }
    found.ok_or_else(|| Error::invalid_argument("no tensor of the call is on a GPU"))
}

/// A tensor over the elements, and what they were gathered into where they do not lie in row-major order.
///
/// # Errors
/// The tensor is neither on the GPU nor on the CPU, is sparse, or has a dtype that there is not here.
///
/// # Safety
/// The handle, and the one that is returned, outlive the call of the stream and its tensors.
pub(super) unsafe fn view(cuda: &Cuda, handle: &Handle, stream: &ForeignStream) -> Result<(Tensor, Option<Handle>)> {
    match handle.device_type()? {
        // SAFETY: the contract of this function.
        DEVICE_TYPE_CPU => return Ok((unsafe { handle.host_layout()?.view() }?, None)),
        DEVICE_TYPE_CUDA => {}
        _ => return Err(Error::invalid_argument("a tensor is neither on a GPU of CUDA nor on the CPU")),
    }
    let layout = handle.layout()?;
    let (dtype, shape) = (dtypes::from_torch(layout.dtype)?, Shape::from_i64(layout.sizes)?);
    let data = layout.row_major();
    let is_there = !data.is_null() || shape.num_elements() == 0;
    if is_there && data.addr().is_multiple_of(WORD) {
        // SAFETY: the elements are there in row-major order, as long as the handle.
        return Ok((unsafe { stream.tensor(dtype, shape, data) }?, None));
    }
    let device = handle.read(cuda.get_device_index, 0, "a device")?;
    let (own, data) = empty(handle.torch(), dtype, &shape, DEVICE_TYPE_CUDA, device)?;
    // SAFETY: both tensors are alive; PyTorch copies on the current stream, which is that of the call.
    check(unsafe { (cuda.copy)(own.raw(), handle.raw(), 0) }, "a copy of an input")?;
    // SAFETY: the new tensor has the elements in row-major order, as long as its handle.
    Ok((unsafe { stream.tensor(dtype, shape, data) }?, Some(own)))
}

/// Outputs of one call on a GPU.
pub(super) struct DeviceMemory {
    torch: &'static Torch,
    device: i32,
    stream: ForeignStream,
    handles: Mutex<SmallVec<[Option<Handle>; 2]>>,
}

impl DeviceMemory {
    pub(super) fn new(torch: &'static Torch, device: i32, stream: ForeignStream, count: usize) -> Self {
        let handles = std::iter::repeat_with(|| None).take(count).collect();
        Self { torch, device, stream, handles: Mutex::new(handles) }
    }

    fn handles(&self) -> MutexGuard<'_, SmallVec<[Option<Handle>; 2]>> {
        self.handles.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The outputs, all of which a run has made.
    pub(super) fn into_handles(self) -> SmallVec<[Option<Handle>; 2]> {
        self.handles.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OutputMemory for DeviceMemory {
    fn allocate(&self, index: usize, dtype: DType, shape: &Shape) -> Result<Tensor> {
        ensure!(shape.checked_num_elements().is_some(), "output {index} of the shape {shape} has too many elements");
        let (handle, data) = empty(self.torch, dtype, shape, DEVICE_TYPE_CUDA, self.device)?;
        let data = if shape.num_elements() == 0 { ptr::null_mut() } else { data };
        // SAFETY: the new tensor has room for its elements, nobody else has it, and its handle is kept below.
        let tensor = unsafe { self.stream.tensor(dtype, shape.clone(), data) }?;
        if let Some(slot) = self.handles().get_mut(index) {
            *slot = Some(handle);
        }
        Ok(tensor)
    }

    fn parallel_for(&self, count: usize, grain: usize, body: &(dyn Fn(std::ops::Range<usize>) + Sync)) {
        parallel::parallel_for(self.torch, count, grain, body);
    }

    fn threads(&self) -> usize {
        parallel::threads(self.torch)
    }
}
