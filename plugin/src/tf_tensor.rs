//! Tensors of the host, seen as tensors of ours without copying.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::any::Any;
use std::ffi::c_void;
use std::mem::{self, ManuallyDrop};
use std::ptr::{self, NonNull};
use std::sync::Arc;

use oplink_abi::TF_Tensor;
use oplink_api::device::DeviceBlock;
use oplink_api::tensor::{ALIGNMENT, ForeignHandle};
use oplink_api::{DType, Error, Result, Shape, Tensor, bail};
use smallvec::SmallVec;

use crate::host::Host;

/// Extents as C has them.
pub(crate) type Dims = SmallVec<[i64; 6]>;

/// A handle of the plugin's own.
struct Handle {
    host: &'static Host,
    raw: NonNull<TF_Tensor>,
}

// SAFETY: a handle counts references to memory of the host, which any thread may drop.
unsafe impl Send for Handle {}
// SAFETY: nothing is done with a shared handle.
unsafe impl Sync for Handle {}

impl Handle {
    /// As what a tensor over its memory is owned by.
    #[inline]
    fn into_owner(self) -> ForeignHandle {
        let handle = ManuallyDrop::new(self);
        // SAFETY: the function takes any pointer to a tensor of the host, as every function of C takes pointers.
        let free = unsafe {
            mem::transmute::<unsafe extern "C" fn(*mut TF_Tensor), unsafe extern "C" fn(*mut c_void)>(
                handle.host.TF_DeleteTensor,
            )
        };
        // SAFETY: the handle is the plugin's, and freed by its owner alone.
        unsafe { ForeignHandle::new(handle.raw.cast(), free) }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the handle is the plugin's, freed once.
        unsafe { (self.host.TF_DeleteTensor)(self.raw.as_ptr()) }
    }
}

/// A tensor over the memory of a handle, which it keeps as long as that memory is used. Others may read it, and nobody
/// writes.
///
/// # Safety
/// The handle is null or the plugin's to free, and tells the truth about its memory, which the host can read.
#[inline]
pub(crate) unsafe fn adopt(host: &'static Host, raw: *mut TF_Tensor) -> Result<Tensor> {
    // SAFETY: `raw` is null or alive (Safety section).
    let (handle, dtype, shape) = unsafe { read(host, raw) }?;
    let data = data(&handle, dtype, &shape)?;
    // SAFETY: the handle keeps the memory, which holds as many elements as the shape says; misaligned memory is only
    // copied, byte by byte. Who else reads it is the caller's contract.
    unsafe {
        match is_aligned(dtype, data) {
            true => Tensor::from_foreign_read_only(dtype, shape, data, handle.into_owner()),
            false => copied(dtype, shape, data),
        }
    }
}

/// The elements of a handle on the host; a well-aligned address for none.
#[inline]
fn data(handle: &Handle, dtype: DType, shape: &Shape) -> Result<NonNull<u8>> {
    // SAFETY: the handle is alive.
    let data = unsafe { (handle.host.TF_TensorData)(handle.raw.as_ptr()) }.cast::<u8>();
    match NonNull::new(data) {
        _ if shape.num_elements() == 0 => Ok(nowhere()),
        Some(data) => Ok(data),
        None => bail!("the host gave a tensor of {dtype} {shape} without memory"),
    }
}

/// A tensor over the memory that the host gave for an output of this dtype and shape.
///
/// # Safety
/// The handle is null or the plugin's to free, and its memory is on the host and as large as was asked for; nobody else
/// reads or writes it as long as the tensor lives, or until the plugin gives it back.
#[inline]
pub(crate) unsafe fn adopt_output(
    host: &'static Host,
    raw: *mut TF_Tensor,
    dtype: DType,
    shape: &Shape,
) -> Result<Tensor> {
    let Some(raw) = NonNull::new(raw) else { bail!("the host gave no tensor") };
    let handle = Handle { host, raw };
    if matches!(dtype, DType::Resource | DType::Variant) {
        return Err(unreadable(dtype));
    }
    let data = data(&handle, dtype, shape)?;
    if !is_aligned(dtype, data) {
        bail!("the host gave an output of {dtype} at a misaligned address");
    }
    // SAFETY: the handle keeps the memory, which holds as many elements as were asked for (Safety section).
    unsafe { Tensor::from_foreign(dtype, shape.clone(), data, handle.into_owner()) }
}

/// A tensor over the memory of a handle that lies on a device.
///
/// # Safety
/// The handle is null or the plugin's to free, and tells the truth about its memory.
pub(crate) unsafe fn adopt_on_device(host: &'static Host, raw: *mut TF_Tensor, device: &Arc<str>) -> Result<Tensor> {
    // SAFETY: `raw` is null or alive (Safety section).
    let (handle, dtype, shape) = unsafe { read(host, raw) }?;
    // SAFETY: the handle is alive.
    let address = unsafe { (host.TF_TensorData)(handle.raw.as_ptr()) }.addr();
    let Some(size) = dtype.size() else { bail!("the host gave a tensor of {dtype} in the memory of {device}") };
    let bytes = size * shape.num_elements();
    let block = HandleBlock { handle, device: device.clone(), address, bytes, shape: shape.clone() };
    Tensor::on_device(dtype, shape, Box::new(block))
}

/// Memory of a device behind a handle.
struct HandleBlock {
    handle: Handle,
    device: Arc<str>,
    address: usize,
    bytes: usize,
    shape: Shape,
}

impl DeviceBlock for HandleBlock {
    fn device(&self) -> &str {
        &self.device
    }

    fn handle(&self) -> *mut c_void {
        ptr::without_provenance_mut(self.address)
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

/// The handle behind a whole tensor on a device; `None` for a part of one, and for one of another shape.
pub(crate) fn handle_on_device(tensor: &Tensor) -> Option<*mut TF_Tensor> {
    let memory = tensor.device_memory()?;
    let block = memory.block.as_any().downcast_ref::<HandleBlock>()?;
    let is_whole = memory.offset == 0 && block.shape == *tensor.shape() && block.bytes == memory.bytes;
    is_whole.then_some(block.handle.raw.as_ptr())
}

/// What a handle says of itself.
///
/// # Safety
/// The handle is null or the plugin's to free.
#[inline]
unsafe fn read(host: &'static Host, raw: *mut TF_Tensor) -> Result<(Handle, DType, Shape)> {
    let Some(raw) = NonNull::new(raw) else { bail!("the host gave no tensor") };
    let handle = Handle { host, raw };
    // SAFETY: the handle is alive.
    let number = unsafe { (host.TF_TensorType)(raw.as_ptr()) };
    let dtype = DType::from_number(number).filter(|dtype| *dtype != DType::Invalid);
    let dtype =
        dtype.ok_or_else(|| Error::unimplemented(format!("a tensor of dtype number {number} is unknown here")))?;
    if matches!(dtype, DType::Resource | DType::Variant) {
        return Err(unreadable(dtype));
    }
    let shape = shape(host, raw)?;
    Ok((handle, dtype, shape))
}

#[cold]
fn unreadable(dtype: DType) -> Error {
    Error::unimplemented(format!("a plugin cannot read a tensor of {dtype}"))
}

#[inline]
fn shape(host: &Host, raw: NonNull<TF_Tensor>) -> Result<Shape> {
    // SAFETY: the handle is alive.
    let rank = unsafe { (host.TF_NumDims)(raw.as_ptr()) };
    let mut shape = Shape::scalar();
    for axis in 0..rank {
        // SAFETY: the handle is alive and has this axis.
        let dim = unsafe { (host.TF_Dim)(raw.as_ptr(), axis) };
        shape.push(usize::try_from(dim).map_err(|_| Error::internal(format!("the host gave an extent of {dim}")))?);
    }
    Ok(shape)
}

/// A well-aligned address for no elements.
fn nowhere() -> NonNull<u8> {
    NonNull::without_provenance(const { std::num::NonZeroUsize::new(ALIGNMENT).unwrap() })
}

/// Whether elements may lie at this address: alignments are powers of two.
#[inline]
fn is_aligned(dtype: DType, data: NonNull<u8>) -> bool {
    let alignment = dtype.size().unwrap_or(size_of::<u64>()).clamp(1, align_of::<u64>());
    data.addr().get() & (alignment - 1) == 0
}

/// # Safety
/// `data` holds the elements of the shape.
unsafe fn copied(dtype: DType, shape: Shape, data: NonNull<u8>) -> Result<Tensor> {
    let Some(size) = dtype.size() else { bail!("the host gave a tensor of {dtype} at a misaligned address") };
    // SAFETY: `data` has as many elements of `size` bytes as the shape has, and all of them are initialised (Safety
    // section).
    let bytes = unsafe { std::slice::from_raw_parts(data.as_ptr(), size * shape.num_elements()) };
    Tensor::from_bytes(dtype, shape, bytes)
}

/// Makes the bytes of fresh memory of the host values of the tensor's dtype, where not any bytes are.
///
/// # Safety
/// The tensor is over memory that nobody else uses.
pub(crate) unsafe fn make_valid(tensor: &Tensor) {
    if tensor.dtype() == DType::Bool && !tensor.is_on_device() {
        // SAFETY: the caller's contract; the memory is as long as the tensor says.
        unsafe { ptr::write_bytes(tensor.as_ptr().cast_mut(), 0, tensor.num_bytes()) }
    }
}

/// The extents as C has them.
pub(crate) fn dims(shape: &Shape) -> Dims {
    shape.dims().iter().map(|&dim| dim as i64).collect()
}
