//! A host's memory, seen as tensors without copying.
#![allow(unsafe_code, reason = "room: memory of a host")]

use std::num::NonZeroUsize;
use std::ptr::{self, NonNull};

use oplink_api::tensor::ALIGNMENT;
use oplink_api::{DType, Result, Shape, Tensor, bail};

use crate::run::OutputMemory;

/// Ends a tensor that is no longer used. False where somebody else still has memory of the host through it.
#[inline]
pub fn end(tensor: Tensor) -> bool {
    tensor.owns_memory() || tensor.is_only_reference()
}

/// The alignment that kernels rely on for elements of a dtype: a power of two.
#[inline]
pub fn alignment(dtype: DType) -> usize {
    dtype.size().unwrap_or(size_of::<u64>()).clamp(1, align_of::<u64>())
}

/// Whether elements of a dtype may lie at this address.
#[inline]
pub fn is_aligned(dtype: DType, data: *const u8) -> bool {
    data.addr() & (alignment(dtype) - 1) == 0
}

/// A tensor over memory that the host reads too: nobody writes it. Elements at a misaligned address are copied.
///
/// # Errors
/// The shape has too many elements, there is no memory for them, or the dtype has no elements of a fixed size.
///
/// # Safety
/// `data` points to as many initialised elements as the shape has, which nobody writes as long as the tensor, or a
/// clone of it, is used.
#[inline]
pub unsafe fn borrowed(dtype: DType, shape: Shape, data: *const u8) -> Result<Tensor> {
    let Some(size) = dtype.size() else { bail!("the host gave a tensor of {dtype}, which has no elements here") };
    let data = address(dtype, &shape, data.cast_mut())?;
    if is_aligned(dtype, data.as_ptr()) {
        // SAFETY: the elements are there and aligned; nobody writes them (Safety section).
        return unsafe { Tensor::from_foreign_read_only(dtype, shape, data, Box::new(())) };
    }
    let Some(count) = shape.checked_num_elements() else { bail!("the shape {shape} has too many elements") };
    // SAFETY: `data` has as many elements of `size` bytes as the shape has, all of them initialised (Safety section).
    let bytes = unsafe { std::slice::from_raw_parts(data.as_ptr(), size * count) };
    Tensor::from_bytes(dtype, shape, bytes)
}

/// Makes a [`borrowed`] tensor of an earlier call, or what stayed where a kernel took it, one of its shape over other
/// memory. False where it cannot: the elements are misaligned, or there are none.
///
/// # Safety
/// As [`borrowed`].
#[inline]
pub(crate) unsafe fn borrow_again(tensor: &mut Tensor, dtype: DType, data: *const u8) -> bool {
    let Some(data) = NonNull::new(data.cast_mut()).filter(|data| is_aligned(dtype, data.as_ptr())) else {
        return false;
    };
    // SAFETY: the elements are there and aligned; nobody writes them (Safety section).
    if tensor.dtype() == dtype && unsafe { tensor.move_foreign(data) } {
        return true;
    }
    // The kernel took the tensor, and its shape stayed.
    // SAFETY: the elements are there and aligned; nobody writes them (Safety section).
    match unsafe { borrowed(dtype, tensor.shape().clone(), data.as_ptr()) } {
        Ok(made) => *tensor = made,
        Err(_) => return false,
    }
    true
}

/// Where an output's elements go.
#[derive(Clone, Copy, Debug)]
pub struct OutputAddress(NonNull<u8>);

impl OutputAddress {
    /// # Safety
    /// There is room for the output's elements, all bytes of which are initialised; nobody else reads or writes it
    /// until the run ends.
    #[inline]
    pub unsafe fn new(address: NonNull<u8>) -> Self {
        Self(address)
    }
}

/// Makes an output ahead: what stayed of the last one, or a new tensor. Its address.
#[inline]
pub(crate) fn make_output(
    slot: &mut Option<Tensor>,
    memory: &impl OutputMemory,
    index: usize,
    dtype: DType,
    shape: &Shape,
) -> Result<usize> {
    if let Some(OutputAddress(address)) = memory.address(index, dtype, shape)? {
        if let Some(tensor) = slot
            && dtype != DType::Bool
            && is_aligned(dtype, address.as_ptr())
            // SAFETY: the host gave memory for the elements, which is the run's alone; dtype and shape are those of the
            // output, as they were.
            && unsafe { tensor.move_foreign(address) }
        {
            return Ok(address.addr().get());
        }
        // SAFETY: the host gave memory for the elements, which is the run's alone.
        *slot = Some(unsafe { output(dtype, shape.clone(), address.as_ptr()) }?);
    } else {
        *slot = Some(memory.allocate(index, dtype, shape)?);
    }
    Ok(slot.as_ref().map_or(0, |output| output.as_ptr().addr()))
}

/// A tensor over memory of the host that nobody else uses: an output's.
///
/// # Errors
/// The shape has too many elements, there is no memory for them, or it is misaligned.
///
/// # Safety
/// `data` points to room for as many elements as the shape has, all bytes of which are initialised, and which nobody
/// else reads or writes as long as the tensor, or a clone of it, is used.
#[inline]
pub unsafe fn output(dtype: DType, shape: Shape, data: *mut u8) -> Result<Tensor> {
    let Some(size) = dtype.size() else { bail!("the host has no memory for an output of {dtype}") };
    let data = address(dtype, &shape, data)?;
    if !is_aligned(dtype, data.as_ptr()) {
        bail!("the host gave an output of {dtype} at a misaligned address");
    }
    let Some(count) = shape.checked_num_elements() else { bail!("the shape {shape} has too many elements") };
    if dtype == DType::Bool {
        // SAFETY: there is room for the elements, and nobody else uses it. Not any byte is a bool, a zero is.
        unsafe { ptr::write_bytes(data.as_ptr(), 0, size * count) };
    }
    // SAFETY: as above; bytes of other dtypes are values whatever they are.
    unsafe { Tensor::from_foreign(dtype, shape, data, Box::new(())) }
}

/// The elements' address; a well-aligned one for no elements.
#[inline]
fn address(dtype: DType, shape: &Shape, data: *mut u8) -> Result<NonNull<u8>> {
    const NOWHERE: NonNull<u8> = NonNull::without_provenance(NonZeroUsize::new(ALIGNMENT).unwrap());
    match NonNull::new(data) {
        _ if shape.num_elements() == 0 => Ok(NOWHERE),
        Some(data) => Ok(data),
        None => bail!("the host gave a tensor of {dtype} {shape} without memory"),
    }
}
