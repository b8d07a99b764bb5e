//! Tensors over memory that somebody else owns.
#![allow(unsafe_code, reason = "room: tensor memory")]

use std::ptr::NonNull;
use std::sync::Arc;

use super::buffer::Access;
use super::{Buffer, Tensor, element_size};
use crate::{DType, Error, Result, Shape};

/// What is left of a tensor over foreign memory: room for the next one, so that a call that wraps tensors of its caller
/// allocates little.
pub struct ForeignRoom(Arc<Buffer>);

impl Tensor {
    /// A tensor over memory that somebody else owns, without copying.
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
        // SAFETY: forwarded to the caller.
        unsafe { Self::foreign(None, dtype, shape, ptr, owner, Access::Unique) }
    }

    /// As [`from_foreign`](Self::from_foreign), in the room of an earlier tensor.
    ///
    /// # Safety
    /// As [`from_foreign`](Self::from_foreign).
    pub unsafe fn from_foreign_in(
        room: Option<ForeignRoom>,
        dtype: DType,
        shape: Shape,
        ptr: NonNull<u8>,
        owner: Box<dyn Send + Sync>,
    ) -> Result<Self> {
        // SAFETY: forwarded to the caller.
        unsafe { Self::foreign(room, dtype, shape, ptr, owner, Access::Unique) }
    }

    /// A tensor over memory that somebody else owns and others may read, without copying: it never counts as unique, so
    /// nobody writes it.
    ///
    /// # Safety
    /// As [`from_foreign`](Self::from_foreign), but others may read the memory.
    pub unsafe fn from_foreign_read_only(
        room: Option<ForeignRoom>,
        dtype: DType,
        shape: Shape,
        ptr: NonNull<u8>,
        owner: Box<dyn Send + Sync>,
    ) -> Result<Self> {
        // SAFETY: forwarded to the caller.
        unsafe { Self::foreign(room, dtype, shape, ptr, owner, Access::ReadOnly) }
    }

    unsafe fn foreign(
        room: Option<ForeignRoom>,
        dtype: DType,
        shape: Shape,
        ptr: NonNull<u8>,
        owner: Box<dyn Send + Sync>,
        access: Access,
    ) -> Result<Self> {
        let count = shape.checked_num_elements().ok_or_else(|| Error::invalid_argument("shape too large"))?;
        let len = count * element_size(dtype)?;
        let buffer = match room {
            Some(ForeignRoom(mut buffer)) => match Arc::get_mut(&mut buffer) {
                Some(unused) => {
                    // SAFETY: forwarded to the caller.
                    unsafe { unused.wrap(ptr, len, owner, access) };
                    buffer
                }
                // SAFETY: forwarded to the caller.
                None => unsafe { Buffer::foreign(ptr, len, owner, access) },
            },
            // SAFETY: forwarded to the caller.
            None => unsafe { Buffer::foreign(ptr, len, owner, access) },
        };
        Ok(Self { buffer, shape, offset: 0, count, dtype })
    }

    /// Ends a tensor. Where it is the only one over foreign memory, the owner is dropped and the room is returned.
    pub fn into_foreign_room(mut self) -> Option<ForeignRoom> {
        Arc::get_mut(&mut self.buffer)?.unwrap_foreign().then_some(ForeignRoom(self.buffer))
    }
}
