//! References to buffers, and the blocks of buffers that are gone, which each thread keeps for its next ones: a tensor
//! of a few elements costs neither a request to the system nor an atomic operation where its thread alone holds it.
//!
//! Contract: there are no weak references to a buffer. So whoever sees a count of one holds the only reference, and no
//! other can come into being but through it.
#![allow(unsafe_code, reason = "room: tensor memory")]

use std::cell::Cell;
use std::mem::MaybeUninit;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};

use super::Buffer;

/// Blocks that a thread keeps.
const KEPT: usize = 256;

/// A block for a buffer.
type Block = Arc<MaybeUninit<Buffer>>;

/// The blocks that a thread keeps: the first `len` are there.
struct Blocks {
    len: Cell<usize>,
    blocks: [Cell<Option<Block>>; KEPT],
}

thread_local! {
    static FREE: Blocks = const { Blocks { len: Cell::new(0), blocks: [const { Cell::new(None) }; KEPT] } };
}

impl Blocks {
    #[inline]
    fn pop(&self) -> Option<Block> {
        let last = self.len.get().checked_sub(1)?;
        self.len.set(last);
        self.blocks[last].take()
    }

    /// Keeps a block, or lets it go.
    #[inline]
    fn push(&self, block: Block) {
        let len = self.len.get();
        if let Some(free) = self.blocks.get(len) {
            free.set(Some(block));
            self.len.set(len + 1);
        }
    }
}

/// A counted reference to a buffer; or, as `None`, to the one without bytes, which costs nothing and is never the only
/// one.
#[derive(Clone)]
pub(crate) struct SharedBuffer(Option<Arc<Buffer>>);

/// What references to no buffer of their own are for.
static EMPTY: Buffer = Buffer::empty();

impl SharedBuffer {
    /// To the buffer without bytes.
    pub(super) const EMPTY: Self = Self(None);

    /// A reference to a new buffer, which `write` writes in its block; it is not moved afterwards.
    ///
    /// # Safety
    /// `write` initialises the buffer that the pointer is for.
    #[inline]
    pub(super) unsafe fn new(write: impl FnOnce(*mut Buffer)) -> Self {
        // A thread that ends keeps no blocks any more.
        let block = FREE.try_with(Blocks::pop).ok().flatten().unwrap_or_else(Arc::new_uninit);
        write(Arc::as_ptr(&block).cast_mut().cast());
        // SAFETY: the caller's function initialised it.
        Self(Some(unsafe { block.assume_init() }))
    }

    /// Whether there is no other reference. What others did through theirs has happened then.
    #[inline]
    pub(super) fn is_only(&self) -> bool {
        self.0.as_ref().is_some_and(is_only)
    }

    /// The buffer, where there is no other reference.
    #[inline]
    pub(super) fn get_mut(&mut self) -> Option<&mut Buffer> {
        let buffer = self.0.as_ref().filter(|buffer| is_only(buffer))?;
        // SAFETY: this is the only reference, and there are no weak ones (contract of the module): nobody else reads
        // the buffer as long as `self` is borrowed. The pointer may be written through: the block came from the
        // allocator.
        Some(unsafe { &mut *Arc::as_ptr(buffer).cast_mut() })
    }

    /// Whether both are references to one buffer.
    #[inline]
    pub(super) fn is(&self, other: &Self) -> bool {
        self.address() == other.address()
    }

    /// Where the buffer is, which distinguishes it while it is there.
    #[inline]
    pub(super) fn address(&self) -> usize {
        std::ptr::from_ref::<Buffer>(self).addr()
    }
}

#[inline]
fn is_only(buffer: &Arc<Buffer>) -> bool {
    let is_only = Arc::strong_count(buffer) == 1;
    if is_only {
        fence(Ordering::Acquire);
    }
    is_only
}

impl Deref for SharedBuffer {
    type Target = Buffer;

    #[inline]
    fn deref(&self) -> &Buffer {
        match &self.0 {
            Some(buffer) => buffer,
            None => &EMPTY,
        }
    }
}

impl Drop for SharedBuffer {
    #[inline]
    fn drop(&mut self) {
        if let Some(buffer) = self.0.take()
            && is_only(&buffer)
        {
            recycle(buffer);
        }
    }
}

/// Ends a buffer whose only reference this is, and keeps its block.
fn recycle(buffer: Arc<Buffer>) {
    let place = Arc::into_raw(buffer).cast_mut();
    // SAFETY: the buffer is reached through this reference alone, which gives it up. What it drops may end other
    // buffers, so the list of blocks is not in use meanwhile.
    unsafe { place.drop_in_place() };
    // SAFETY: the pointer is that of the reference, whose type has the same layout and may be uninitialised.
    let block: Block = unsafe { Arc::from_raw(place.cast()) };
    // A thread that ends keeps no blocks any more.
    let _ = FREE.try_with(|free| free.push(block));
}

#[cfg(test)]
mod tests {
    use crate::resource::{Variant, VariantObject};
    use crate::{Shape, Tensor};

    /// A value that holds a tensor.
    struct Holds(Tensor);

    impl VariantObject for Holds {
        fn type_name(&self) -> &str {
            self.0.dtype().name()
        }
    }

    #[test]
    fn a_block_serves_the_next_buffer_of_its_thread() {
        let first = Tensor::scalar(1.0f32);
        let (place, _) = first.part();
        let again = first.clone();
        drop(first);
        let other = Tensor::scalar(2.0f32);
        assert_ne!(other.part().0, place, "the block is still in use");
        assert_eq!(again.to_scalar::<f32>().unwrap(), 1.0);
        drop(again);
        let next = Tensor::scalar(3i64);
        assert_eq!(next.part().0, place);
        assert_eq!((next.to_scalar::<i64>().unwrap(), other.to_scalar::<f32>().unwrap()), (3, 2.0));
    }

    #[test]
    fn buffers_end_on_other_threads_and_within_one_another() {
        let tensors: Vec<Tensor> = (0..1000).map(|value| Tensor::full(Shape::new(&[20]), value)).collect();
        let shared = tensors.clone();
        let sum = std::thread::spawn(move || {
            shared.into_iter().map(|tensor| tensor.as_slice::<i32>().unwrap()[19]).sum::<i32>()
        });
        drop(tensors);
        assert_eq!(sum.join().unwrap(), 499_500);
        let inner = Tensor::scalar(7i32);
        let outer = Tensor::scalar(Variant::new(Holds(inner.clone())));
        assert!(!inner.is_unique());
        drop(outer);
        assert!(inner.is_unique());
    }
}
