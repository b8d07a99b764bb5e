//! Tensors over memory that somebody else owns.
#![allow(unsafe_code, reason = "room: tensor memory")]

use std::ptr::NonNull;

use super::buffer::Access;
use super::{Buffer, Tensor, element_size};
use crate::{DType, Error, Result, Shape};

impl Tensor {
    /// A tensor over memory that somebody else owns, without copying.
    ///
    /// # Errors
    /// The shape has too many elements, or no tensor has the dtype.
    ///
    /// # Safety
    /// `ptr` points to `shape.num_elements()` valid elements of `dtype`, aligned for it, that stay valid and are
    /// written by nobody else until `owner` is dropped; dropping `owner` frees them.
    pub unsafe fn from_foreign(
        dtype: DType,
        shape: Shape,
        ptr: NonNull<u8>,
        owner: Box<dyn Send + Sync>,
    ) -> Result<Self> {
        // SAFETY: this function's Safety section is that of `foreign` with `Access::Unique`.
        unsafe { Self::foreign(dtype, shape, ptr, owner, Access::Unique) }
    }

    /// A tensor over memory that somebody else owns and others may read, without copying: it never counts as unique, so
    /// nobody writes it.
    ///
    /// # Errors
    /// As [`from_foreign`](Self::from_foreign).
    ///
    /// # Safety
    /// As [`from_foreign`](Self::from_foreign), but others may read the memory.
    pub unsafe fn from_foreign_read_only(
        dtype: DType,
        shape: Shape,
        ptr: NonNull<u8>,
        owner: Box<dyn Send + Sync>,
    ) -> Result<Self> {
        // SAFETY: this function's Safety section is that of `foreign` with `Access::ReadOnly`.
        unsafe { Self::foreign(dtype, shape, ptr, owner, Access::ReadOnly) }
    }

    unsafe fn foreign(
        dtype: DType,
        shape: Shape,
        ptr: NonNull<u8>,
        owner: Box<dyn Send + Sync>,
        access: Access,
    ) -> Result<Self> {
        let count = shape.checked_num_elements().ok_or_else(|| Error::invalid_argument("shape too large"))?;
        let len = count * element_size(dtype)?;
        // SAFETY: `ptr`, `len` and `owner` are as `Buffer::foreign` demands (Safety section).
        let buffer = unsafe { Buffer::foreign(ptr, len, owner, access) };
        Ok(Self { buffer, shape, offset: 0, count, dtype })
    }

    /// Makes a tensor over memory that somebody else owns one over other memory of the same length. False, and nothing
    /// changes, where it is not the only one over such memory.
    ///
    /// # Safety
    /// The memory is as the one before was to be, as long as the tensor or a clone of it is used; no owner keeps it.
    /// (The one before may be gone, where nobody read the tensor since.)
    #[inline]
    pub unsafe fn move_foreign(&mut self, ptr: NonNull<u8>) -> bool {
        let Some(buffer) = self.buffer.get_mut().filter(|buffer| buffer.is_foreign()) else { return false };
        // SAFETY: the memory is as the one before (Safety section), whose length was that of the buffer.
        unsafe { buffer.move_foreign(ptr) };
        true
    }
}
