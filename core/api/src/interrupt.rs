//! How a kernel ends at once when its step is cancelled or over its deadline.
//!
//! Loops that return nothing unwind, from whatever thread they run on, to the run of the kernel, which takes the step's
//! reason out of the panic's payload. No hook of panics is called. In programs that are built to abort on panics,
//! kernels run to their end.

use std::any::Any;
use std::cmp::Ordering;

use crate::{Cancellation, Error};

/// Grains of a parallel loop that are worked on between two looks at the step: a grain is worth some ten microseconds.
pub(crate) const POLLED_GRAINS: usize = 16;
/// Items of a loop between two looks at the step.
const WATCHED_ITEMS: u32 = 1024;

/// What unwinds.
struct Interrupt(Error);

/// Ends the kernel that runs in a step which was cancelled or is over its deadline. It costs some tens of nanoseconds.
/// Nothing that outlives the kernel may be half changed then.
#[inline]
pub fn poll(stop: Option<&Cancellation>) {
    if let Some(stop) = stop
        && stop.is_cancelled()
    {
        interrupt(stop.reason());
    }
}

#[cold]
fn interrupt(reason: Error) {
    if cfg!(panic = "unwind") {
        std::panic::resume_unwind(Box::new(Interrupt(reason)));
    }
}

/// The reason of the step's end, where that is what a kernel unwound for.
pub fn reason_of(payload: &(dyn Any + Send)) -> Option<Error> {
    payload.downcast_ref::<Interrupt>().map(|Interrupt(reason)| reason.clone())
}

/// An iterator that looks at the step now and then, and ends the kernel where that is to end; see
/// [`Env::watch`](crate::Env::watch).
#[derive(Debug)]
pub struct Watched<'e, I> {
    items: I,
    stop: Option<&'e Cancellation>,
    left: u32,
}

/// `items`, with a look at the step after every thousand of them.
#[inline]
pub fn watch<I: IntoIterator>(stop: Option<&Cancellation>, items: I) -> Watched<'_, I::IntoIter> {
    Watched { items: items.into_iter(), stop, left: WATCHED_ITEMS }
}

/// The order of numbers and the like, with a look at the step after every few thousand comparisons.
pub fn watched_order<T: Ord>(stop: Option<&Cancellation>) -> impl FnMut(&T, &T) -> Ordering + use<'_, T> {
    let mut comparisons = watch(stop, std::iter::repeat(()));
    move |a, b| {
        comparisons.next();
        a.cmp(b)
    }
}

impl<I> Watched<'_, I> {
    #[inline]
    fn count(&mut self) {
        self.left -= 1;
        if self.left == 0 {
            self.left = WATCHED_ITEMS;
            poll(self.stop);
        }
    }
}

impl<I: Iterator> Iterator for Watched<'_, I> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        self.count();
        self.items.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for Watched<'_, I> {
    #[inline]
    fn next_back(&mut self) -> Option<I::Item> {
        self.count();
        self.items.next_back()
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Watched<'_, I> {}
