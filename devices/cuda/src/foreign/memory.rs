//! Blocks of a GPU's memory that a framework owns, or that the stream's allocator gave.

use std::any::Any;
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use oplink_api::device::DeviceBlock;
use oplink_api::{Code, DType, Error, ErrorKind, Result, Shape, Tensor};

use super::Lease;
use crate::driver::{self, Entered, Place};

/// Bytes that blocks are a multiple of: kernels look at memory as words too.
const WORD: usize = 4;

/// A block of a call.
pub(super) struct Block {
    lease: Arc<Lease>,
    address: u64,
    bytes: usize,
    /// Whether the stream's allocator gave it.
    is_own: bool,
}

impl Block {
    /// Memory of the framework. Elements of less than a word are taken where they start a word only: kernels see such
    /// memory as words, and frameworks allocate whole ones.
    pub(super) fn foreign(lease: Arc<Lease>, dtype: DType, shape: &Shape, address: *mut u8) -> Result<Self> {
        let bytes = bytes_of(dtype, shape)?;
        if address.is_null() && bytes > 0 {
            return Err(Error::invalid_argument(format!("the host gave a tensor of {dtype} {shape} without memory")));
        }
        let address = address.expose_provenance();
        if bytes > 0 && !address.is_multiple_of(dtype.size().unwrap_or(1).min(size_of::<u64>())) {
            return Err(Error::invalid_argument(format!("the host gave a tensor of {dtype} at a misaligned address")));
        }
        Ok(Self { lease, address: address as u64, bytes: bytes.next_multiple_of(WORD), is_own: false })
    }

    /// New memory, in the stream's order.
    pub(super) fn allocate(lease: Arc<Lease>, dtype: DType, shape: &Shape) -> Result<Self> {
        let bytes = bytes_of(dtype, shape)?.next_multiple_of(WORD);
        if bytes == 0 {
            return Ok(Self { lease, address: 0, bytes, is_own: false });
        }
        let gpu = &lease.opened.gpu;
        gpu.enter()?;
        let what = || format!("allocating {bytes} bytes on the host's stream");
        let address = driver::allocate(lease.stream, bytes).map_err(|error| gpu.error(&what(), error))?;
        Ok(Self { lease, address, bytes, is_own: true })
    }
}

fn bytes_of(dtype: DType, shape: &Shape) -> Result<usize> {
    let bytes = dtype.size().zip(shape.checked_num_elements()).and_then(|(size, count)| size.checked_mul(count));
    let bytes = bytes.filter(|bytes| *bytes <= isize::MAX as usize - WORD);
    bytes.ok_or_else(|| Error::invalid_argument(format!("a tensor of {dtype} {shape} has no place on a GPU")))
}

impl Drop for Block {
    fn drop(&mut self) {
        if !self.is_own {
            return;
        }
        // Nobody is left who could be told of a failure.
        let Ok(_entered) = Entered::new(self.lease.opened.gpu.context().cu_ctx()) else { return };
        // A stream that the framework may have ended since is not named again.
        let stream = (!self.lease.is_over.load(Ordering::Acquire)).then_some(self.lease.stream);
        // SAFETY: the address is of `allocate`, freed once; work that uses it was given to the stream before.
        unsafe { driver::free(self.address, stream) };
    }
}

impl DeviceBlock for Block {
    fn device(&self) -> &str {
        self.lease.opened.gpu.name()
    }

    fn handle(&self) -> *mut c_void {
        ptr::with_exposed_provenance_mut(self.address as usize)
    }

    fn offset(&self) -> usize {
        0
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Where a tensor of the call lies.
pub(super) fn place(lease: &Arc<Lease>, tensor: &Tensor) -> Result<Place> {
    let name = lease.opened.gpu.name();
    let refuse = |why: &str| {
        let (dtype, shape) = (tensor.dtype(), tensor.shape());
        let message = format!("{name}: a {dtype} tensor of shape {shape} {why}");
        Err(Error::new(Code::InvalidArgument, ErrorKind::Device, message))
    };
    let Some(memory) = tensor.device_memory() else { return refuse("lies in the host's memory") };
    match memory.block.as_any().downcast_ref::<Block>() {
        Some(block) if Arc::ptr_eq(&block.lease, lease) && !lease.is_over.load(Ordering::Acquire) => {
            Ok(Place { address: block.address + memory.offset as u64, bytes: memory.bytes })
        }
        Some(_) => refuse("is of another call, which is over: a kernel keeps no tensor of a GPU beyond its run here"),
        None => refuse("lies in memory of another device"),
    }
}
