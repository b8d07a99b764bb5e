//! Buffers of one tile, kept by each thread from one call to the next.

use std::cell::RefCell;

use super::tiles::TILE;
use crate::DType;
use crate::tensor::values::{ValueBuffer, Values, ValuesMut};

/// Buffers that a thread keeps at most.
const KEPT: usize = 16;

thread_local! {
    static FREE: RefCell<Vec<ValueBuffer>> = const { RefCell::new(Vec::new()) };
}

/// A buffer of [`TILE`] elements with arbitrary contents.
pub(super) struct Scratch(Option<ValueBuffer>);

impl Scratch {
    /// One for values that are computed as `dtype` is; of dtypes that formulas are not for, an empty one.
    pub(super) fn new(dtype: DType) -> Self {
        let wanted = super::stored_dtype(dtype);
        let kept = FREE.with_borrow_mut(|free| {
            let at = free.iter().rposition(|buffer| buffer.dtype() == wanted)?;
            Some(free.swap_remove(at))
        });
        Self(kept.or_else(|| ValueBuffer::new(wanted, TILE)))
    }

    /// No buffer.
    pub(super) const fn none() -> Self {
        Self(None)
    }

    /// The buffer, leaving none.
    pub(super) fn take(&mut self) -> Self {
        Self(self.0.take())
    }

    #[inline]
    pub(super) fn first(&self, length: usize) -> Values<'_> {
        self.0.as_ref().map_or(Values::NONE, |buffer| buffer.first(length))
    }

    #[inline]
    pub(super) fn first_mut(&mut self, length: usize) -> ValuesMut<'_> {
        self.0.as_mut().map_or(ValuesMut::empty(), |buffer| buffer.first_mut(length))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let Some(buffer) = self.0.take() else { return };
        // A thread that ends has let go of its buffers already: then this one goes the same way.
        let _ = FREE.try_with(|free| {
            let mut free = free.borrow_mut();
            if free.len() < KEPT {
                free.push(buffer);
            }
        });
    }
}
