//! An output that several threads write, each other parts of its rows.
#![allow(unsafe_code, reason = "room: threads share an output")]

use std::marker::PhantomData;

/// The rows of an output, several parts of which may be written at a time.
#[derive(Clone, Copy)]
pub(crate) struct SharedOutput<'a, T> {
    pub(crate) start: *mut T,
    pub(crate) length: usize,
    /// Elements from one row to the next.
    pub(crate) stride: usize,
    marker: PhantomData<&'a mut [T]>,
}

// SAFETY: who writes through it promises that nobody else does so at the same elements (see `copy_from`).
unsafe impl<T: Send> Send for SharedOutput<'_, T> {}
// SAFETY: it is a pointer and two numbers; who writes through it promises that nobody else
// does so at the same elements.
unsafe impl<T: Send> Sync for SharedOutput<'_, T> {}

impl<'a, T: Copy> SharedOutput<'a, T> {
    pub(crate) fn new(out: &'a mut [T], stride: usize) -> Self {
        Self { start: out.as_mut_ptr(), length: out.len(), stride, marker: PhantomData }
    }

    /// Copies values to the elements from `at` on.
    ///
    /// # Safety
    /// While this runs, nobody else reads or writes these elements.
    pub(crate) unsafe fn copy_from(&self, at: usize, values: &[T]) {
        assert!(at + values.len() <= self.length, "an output is too short");
        // SAFETY: they are inside the output, and nobody else's, as the caller promises.
        unsafe { self.start.add(at).copy_from_nonoverlapping(values.as_ptr(), values.len()) };
    }
}
