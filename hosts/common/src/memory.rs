//! A host's memory, seen as tensors without copying.
#![allow(unsafe_code, reason = "room: memory of a host")]

use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::ptr::{self, NonNull};

use oplink_api::tensor::{ALIGNMENT, RecycledBuffer};
use oplink_api::{DType, Result, Shape, Tensor, bail};

/// Buffers that a thread keeps for its next tensors.
const SPARE_BUFFERS: usize = 16;

thread_local! {
    static SPARE: RefCell<Vec<RecycledBuffer>> = const { RefCell::new(Vec::new()) };
}

fn take_recycled() -> Option<RecycledBuffer> {
    SPARE.try_with(|spare| spare.borrow_mut().pop()).ok().flatten()
}

/// Ends a tensor that is no longer used, and keeps its buffer for the next one. False where somebody else still has
/// the tensor's memory.
pub fn end(tensor: Tensor) -> bool {
    if tensor.owns_memory() {
        return true;
    }
    let Some(room) = tensor.into_recycled_buffer() else { return false };
    // A thread that is ending keeps nothing.
    let _ = SPARE.try_with(|spare| {
        let mut spare = spare.borrow_mut();
        if spare.len() < SPARE_BUFFERS {
            spare.push(room);
        }
    });
    true
}

/// The alignment that kernels rely on for elements of a dtype.
pub fn alignment(dtype: DType) -> usize {
    dtype.size().unwrap_or(size_of::<u64>()).clamp(1, align_of::<u64>())
}

/// Whether elements of a dtype may lie at this address.
pub fn is_aligned(dtype: DType, data: *const u8) -> bool {
    data.addr().is_multiple_of(alignment(dtype))
}

/// A tensor over memory that the host reads too: nobody writes it. Elements at a misaligned address are copied.
///
/// # Errors
/// The shape has too many elements, there is no memory for them, or the dtype has no elements of a fixed size.
///
/// # Safety
/// `data` points to as many initialised elements as the shape has, which nobody writes as long as the tensor, or a
/// clone of it, is used.
pub unsafe fn borrowed(dtype: DType, shape: Shape, data: *const u8) -> Result<Tensor> {
    let Some(size) = dtype.size() else { bail!("the host gave a tensor of {dtype}, which has no elements here") };
    let data = address(dtype, &shape, data.cast_mut())?;
    if is_aligned(dtype, data.as_ptr()) {
        // SAFETY: the elements are there and aligned; nobody writes them (Safety section).
        return unsafe { Tensor::from_foreign_read_only(take_recycled(), dtype, shape, data, Box::new(())) };
    }
    let Some(count) = shape.checked_num_elements() else { bail!("the shape {shape} has too many elements") };
    // SAFETY: `data` has as many elements of `size` bytes as the shape has, all of them initialised (Safety section).
    let bytes = unsafe { std::slice::from_raw_parts(data.as_ptr(), size * count) };
    Tensor::from_bytes(dtype, shape, bytes)
}

/// A tensor over memory of the host that nobody else uses: an output's.
///
/// # Errors
/// The shape has too many elements, there is no memory for them, or it is misaligned.
///
/// # Safety
/// `data` points to room for as many elements as the shape has, all bytes of which are initialised, and which nobody
/// else reads or writes as long as the tensor, or a clone of it, is used.
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
    unsafe { Tensor::from_foreign_in(take_recycled(), dtype, shape, data, Box::new(())) }
}

/// The elements' address; a well-aligned one for no elements.
fn address(dtype: DType, shape: &Shape, data: *mut u8) -> Result<NonNull<u8>> {
    const NOWHERE: NonNull<u8> = NonNull::without_provenance(NonZeroUsize::new(ALIGNMENT).unwrap());
    match NonNull::new(data) {
        _ if shape.num_elements() == 0 => Ok(NOWHERE),
        Some(data) => Ok(data),
        None => bail!("the host gave a tensor of {dtype} {shape} without memory"),
    }
}
