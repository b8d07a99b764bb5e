//! Tensors whose elements are read when they are first needed.
#![allow(unsafe_code, reason = "room: tensor memory")]

use std::ptr::NonNull;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::{Buffer, SharedBuffer, Tensor, element_size};
use crate::{DType, Element, Error, Result, Shape, ensure};

/// Where the elements of a tensor are until they are needed, such as a part of a file.
pub trait StoredElements: Send + Sync {
    /// Fills `bytes` with the elements as they lie in memory, from byte `offset` of them on.
    ///
    /// # Errors
    /// The elements cannot be read, have not as many bytes, or are no longer those that the tensor was made of.
    fn read_at(&self, bytes: &mut [u8], offset: usize) -> Result<()>;
}

/// Elements that are in memory from their first use on.
pub(super) struct Stored {
    source: Arc<dyn StoredElements>,
    len: usize,
    memory: OnceLock<SharedBuffer>,
    /// Why the last reading failed; held by the thread that reads.
    failure: Mutex<Option<Error>>,
}

impl Stored {
    fn new(source: Arc<dyn StoredElements>, len: usize) -> Self {
        Self { source, len, memory: OnceLock::new(), failure: Mutex::new(None) }
    }

    /// The first element; `None` where the elements cannot be read.
    pub(super) fn start(&self) -> Option<NonNull<u8>> {
        if self.memory.get().is_none() {
            self.read_once();
        }
        self.memory.get()?.host_ptr()
    }

    /// Why the elements could not be read when they were last asked for.
    pub(super) fn failure(&self) -> Option<Error> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    #[cold]
    fn read_once(&self) {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        if self.memory.get().is_none() {
            *failure = self.read().err();
        }
    }

    fn read(&self) -> Result<()> {
        let memory = Buffer::allocate(DType::UInt8, self.len, 1, None)?;
        memory.ask_for_pages();
        if let Some(start) = memory.host_ptr() {
            // SAFETY: the buffer is fresh, has this many initialised bytes, and nobody else knows it yet.
            self.source.read_at(unsafe { std::slice::from_raw_parts_mut(start.as_ptr(), self.len) }, 0)?;
        }
        let _ = self.memory.set(memory);
        Ok(())
    }
}

impl Tensor {
    /// A tensor of a plain dtype whose elements are read from `source` when somebody first asks for them, and are in
    /// memory from then on. A source that fails is asked again at the next use; until it succeeds, every access to the
    /// elements is its error.
    ///
    /// # Errors
    /// The dtype is not plain, or bool, of which not all bytes are values; the shape has too many elements.
    pub fn stored(dtype: DType, shape: impl Into<Shape>, source: Arc<dyn StoredElements>) -> Result<Self> {
        let shape = shape.into();
        ensure!(dtype.size().is_some() && dtype != DType::Bool, "elements of {dtype} cannot be read as they are");
        let count = shape.checked_num_elements();
        let len = count.and_then(|count| count.checked_mul(element_size(dtype).ok()?));
        let Some((count, len)) = count.zip(len) else {
            return Err(Error::resource_exhausted(format!("shape {shape} has too many elements")));
        };
        Ok(Self { buffer: Buffer::stored(Box::new(Stored::new(source, len)), len), shape, offset: 0, count, dtype })
    }

    /// A tensor of arbitrary values of a plain dtype in memory of the system's that is meant to be written whole and
    /// kept, such as weights in another layout: a device's allocator reuses memory better without what stays.
    ///
    /// # Errors
    /// No tensor has the dtype, the shape has too many elements, or memory runs out.
    pub fn lasting(dtype: DType, shape: impl Into<Shape>) -> Result<Self> {
        let tensor = Self::zeros(dtype, shape)?;
        tensor.buffer.ask_for_pages();
        Ok(tensor)
    }

    /// The same elements for a reader that needs them once. Where they are still to be read, the tensor that is
    /// returned reads them for itself, so that their memory ends with it and its clones; elsewhere it shares the
    /// memory.
    #[must_use]
    pub fn for_one_use(&self) -> Self {
        match self.unread() {
            Some(stored) => {
                let again = Stored::new(stored.source.clone(), stored.len);
                Self { buffer: Buffer::stored(Box::new(again), stored.len), ..self.clone() }
            }
            None => self.clone(),
        }
    }

    /// Whether the elements are still to be read.
    pub fn is_unread(&self) -> bool {
        self.unread().is_some()
    }

    fn unread(&self) -> Option<&Stored> {
        self.buffer.as_stored().filter(|stored| stored.memory.get().is_none())
    }

    /// Fills `to` with the elements from number `first` on, in row-major order. Those that are still to be read are
    /// read into `to`, and are still to be read afterwards.
    ///
    /// # Errors
    /// The tensor has another dtype, fewer elements, or lies in a device's memory; the elements cannot be read.
    pub fn read_part<T: Element>(&self, first: usize, to: &mut [T]) -> Result<()> {
        let end = first.checked_add(to.len()).filter(|end| *end <= self.count);
        let Some(end) = end else {
            let (wanted, count) = (to.len(), self.count);
            return Err(Error::internal(format!("{wanted} elements from number {first} on are read of {count}")));
        };
        match self.unread().filter(|_| self.dtype == T::DTYPE) {
            Some(stored) => {
                let (bytes, offset) = (size_of_val(to), self.offset + first * size_of::<T>());
                // SAFETY: the bytes are those of `to`, which is borrowed mutably; what is stored is of a plain dtype
                // but bool, every pattern of whose bytes is a value.
                let bytes = unsafe { std::slice::from_raw_parts_mut(to.as_mut_ptr().cast::<u8>(), bytes) };
                stored.source.read_at(bytes, offset)
            }
            None => {
                to.clone_from_slice(&self.as_slice::<T>()?[first..end]);
                Ok(())
            }
        }
    }

    /// Whether both are the same part of one block of memory, read or not.
    pub fn is_same_part(&self, other: &Self) -> bool {
        self.part() == other.part() && self.num_bytes() == other.num_bytes()
    }

    /// What distinguishes parts of blocks of memory while they are alive.
    pub fn part(&self) -> (usize, usize) {
        (self.buffer.address(), self.offset)
    }
}
