//! Tensors over memory that somebody else owns.
#![allow(unsafe_code, reason = "room: tensor memory")]

use std::ffi::c_void;
use std::ptr::NonNull;

use super::buffer::Access;
use super::{Buffer, Tensor, element_size};
use crate::{DType, Error, Result, Shape};

/// What owns memory that tensors are over: a value that frees it when it is dropped, or a handle of C.
pub enum ForeignOwner {
    /// A value of Rust.
    Value(Box<dyn Send + Sync>),
    /// A handle.
    Handle(ForeignHandle),
}

/// A handle of C that owns memory, freed when this is dropped.
pub struct ForeignHandle {
    handle: NonNull<c_void>,
    free: unsafe extern "C" fn(*mut c_void),
}

// SAFETY: the handle is one that any thread may free (contract of `new`).
unsafe impl Send for ForeignHandle {}
// SAFETY: nothing is done with a shared handle.
unsafe impl Sync for ForeignHandle {}

impl ForeignHandle {
    /// # Safety
    /// `free` takes the handle, on any thread, and this is the only one that frees it.
    #[inline]
    pub unsafe fn new(handle: NonNull<c_void>, free: unsafe extern "C" fn(*mut c_void)) -> Self {
        Self { handle, free }
    }
}

impl Drop for ForeignHandle {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the function takes the handle, which is freed once (contract of `new`).
        unsafe { (self.free)(self.handle.as_ptr()) }
    }
}

impl<T: Send + Sync + 'static> From<Box<T>> for ForeignOwner {
    fn from(owner: Box<T>) -> Self {
        Self::Value(owner)
    }
}

impl From<Box<dyn Send + Sync>> for ForeignOwner {
    fn from(owner: Box<dyn Send + Sync>) -> Self {
        Self::Value(owner)
    }
}

impl From<ForeignHandle> for ForeignOwner {
    #[inline]
    fn from(owner: ForeignHandle) -> Self {
        Self::Handle(owner)
    }
}

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
        owner: impl Into<ForeignOwner>,
    ) -> Result<Self> {
        // SAFETY: this function's Safety section is that of `foreign` with `Access::Unique`.
        unsafe { Self::foreign(dtype, shape, ptr, owner.into(), Access::Unique) }
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
        owner: impl Into<ForeignOwner>,
    ) -> Result<Self> {
        // SAFETY: this function's Safety section is that of `foreign` with `Access::ReadOnly`.
        unsafe { Self::foreign(dtype, shape, ptr, owner.into(), Access::ReadOnly) }
    }

    unsafe fn foreign(
        dtype: DType,
        shape: Shape,
        ptr: NonNull<u8>,
        owner: ForeignOwner,
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
