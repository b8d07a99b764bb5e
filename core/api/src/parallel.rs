//! Loops over disjoint parts of an output on the intra-op threads.
//!
//! All of them look at the step between parts, and end the kernel where its step is cancelled or over its deadline.
#![allow(unsafe_code, reason = "room: disjoint parts of one output on several threads")]

use std::cmp::Ordering;
use std::marker::PhantomData;
use std::ops::Range;
use std::slice;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::AcqRel;

use crate::interrupt::{self, POLLED_GRAINS};
use crate::{KernelEnv, Step};

pub use crate::interrupt::Watched;

/// Parts that `for_each_chunk` makes for each thread, so that an uneven machine still ends together.
const CHUNKS_A_THREAD: usize = 4;

/// Ends the kernel that runs in `env` where its step was cancelled or is over its deadline; see
/// [`Env::poll`](crate::Env::poll).
#[inline]
pub fn poll(env: &dyn KernelEnv) {
    interrupt::poll(env.step().map(Step::cancellation));
}

/// `items`, with a look at the step after every thousand of them; see [`Env::watch`](crate::Env::watch).
#[inline]
pub fn watch<I: IntoIterator>(env: &dyn KernelEnv, items: I) -> Watched<'_, I::IntoIter> {
    interrupt::watch(env.step().map(Step::cancellation), items)
}

/// The order of numbers and the like, for sorts of rows whose length comes from input: with looks at the step.
pub fn watched_order<T: Ord>(env: &dyn KernelEnv) -> impl FnMut(&T, &T) -> Ordering + use<'_, T> {
    interrupt::watched_order(env.step().map(Step::cancellation))
}

/// Calls `body` with disjoint parts of `output` that cover it, and the position at which each starts.
///
/// Runs on the caller's thread where `output` has fewer than `2 * grain` elements; otherwise on the intra-op threads,
/// in parts of at least `grain` elements whose lengths (but for the last) are multiples of `unit`. `unit` is 1 or more.
pub fn for_each_chunk<U: Send>(
    env: &dyn KernelEnv,
    output: &mut [U],
    grain: usize,
    unit: usize,
    body: &(dyn Fn(usize, &mut [U]) + Sync),
) {
    for_each_chunk_up_to(env, output, (grain, grain.saturating_mul(POLLED_GRAINS)), unit, body);
}

/// As [`for_each_chunk`], in parts of `grain.1` elements at most, as far as `unit` allows: what is worked on between
/// two looks at the step.
pub fn for_each_chunk_up_to<U: Send>(
    env: &dyn KernelEnv,
    output: &mut [U],
    (grain, most): (usize, usize),
    unit: usize,
    body: &(dyn Fn(usize, &mut [U]) + Sync),
) {
    let shared = SharedOutput { first: output.as_mut_ptr(), length: output.len(), elements: PhantomData };
    for_each_part(env, output.len(), (grain, most), unit, &|part| {
        // SAFETY: `for_each_part` calls with disjoint parts of `output`, each once, and nobody else has it meanwhile.
        body(part.start, unsafe { shared.part(&part) });
    });
}

/// Calls `body` with disjoint ranges that cover `0..total`, each once: the one copy of what [`for_each_chunk_up_to`]
/// does for every element type.
fn for_each_part(
    env: &dyn KernelEnv,
    total: usize,
    (grain, most): (usize, usize),
    unit: usize,
    body: &(dyn Fn(Range<usize>) + Sync),
) {
    let most = most.max(1).checked_next_multiple_of(unit).unwrap_or(usize::MAX);
    let threads = env.intra_op_threads();
    if threads <= 1 || total < 2 * grain {
        return in_blocks(env, 0..total, most, body);
    }
    let length = total.div_ceil(threads * CHUNKS_A_THREAD).max(grain).next_multiple_of(unit);
    // An environment is anybody's: none may make two threads write to one part.
    let claimed: Vec<AtomicBool> = (0..total.div_ceil(length)).map(|_| AtomicBool::new(false)).collect();
    env.parallel_for(claimed.len(), 1, &|range| {
        for index in range {
            assert!(!claimed[index].swap(true, AcqRel), "an environment computes part {index} twice");
            let start = index * length;
            in_blocks(env, start..total.min(start + length), most, body);
        }
    });
}

/// Calls `body` with blocks of at most `most` elements one after the other.
fn in_blocks(env: &dyn KernelEnv, range: Range<usize>, most: usize, body: &(dyn Fn(Range<usize>) + Sync)) {
    if range.len() <= most {
        return body(range);
    }
    for start in range.clone().step_by(most) {
        poll(env);
        body(start..range.end.min(start.saturating_add(most)));
    }
}

/// An output that threads write disjoint parts of.
struct SharedOutput<'a, U> {
    first: *mut U,
    length: usize,
    elements: PhantomData<&'a mut [U]>,
}

// SAFETY: threads get elements of disjoint parts, which can be sent to them.
unsafe impl<U: Send> Sync for SharedOutput<'_, U> {}

impl<'a, U> SharedOutput<'a, U> {
    /// The elements of a part.
    ///
    /// # Safety
    /// No other part that is still used has one of them.
    #[inline]
    unsafe fn part(&self, part: &Range<usize>) -> &'a mut [U] {
        assert!(part.start <= part.end && part.end <= self.length, "a part beyond the end of its output");
        // SAFETY: inside of the slice, as was asserted, which `elements` borrows; the caller keeps parts apart.
        unsafe { slice::from_raw_parts_mut(self.first.add(part.start), part.len()) }
    }
}

/// Calls `body` for each row of `width` elements of `output`, with the row's number, on the intra-op threads where
/// there are at least `2 * grain` elements. `width` is 1 or more and divides the length.
pub fn for_each_row<U: Send>(
    env: &dyn KernelEnv,
    output: &mut [U],
    width: usize,
    grain: usize,
    body: &(dyn Fn(usize, &mut [U]) + Sync),
) {
    for_each_chunk(env, output, grain, width, &|start, chunk| {
        for (row, values) in chunk.chunks_exact_mut(width).enumerate() {
            body(start / width + row, values);
        }
    });
}

/// Calls `body` with parts of `output` of at most `length` elements, and the position at which each starts, one after
/// the other on the caller's thread. `length` is 1 or more.
pub fn for_each_block<U>(env: &dyn KernelEnv, output: &mut [U], length: usize, mut body: impl FnMut(usize, &mut [U])) {
    for (number, block) in output.chunks_mut(length).enumerate() {
        if number > 0 {
            poll(env);
        }
        body(number * length, block);
    }
}
