//! Loops over disjoint parts of an output on the intra-op threads.
//!
//! All of them look at the step between parts, and end the kernel where its step is cancelled or over its deadline.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

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
    let most = most.max(1).checked_next_multiple_of(unit).unwrap_or(usize::MAX);
    let threads = env.intra_op_threads();
    if threads <= 1 || output.len() < 2 * grain {
        return in_blocks(env, 0, output, most, body);
    }
    let length = output.len().div_ceil(threads * CHUNKS_A_THREAD).max(grain).next_multiple_of(unit);
    let chunks: Vec<_> = output.chunks_mut(length).map(Mutex::new).collect();
    env.parallel_for(chunks.len(), 1, &|range: Range<usize>| {
        for index in range {
            let mut chunk = chunks[index].lock().unwrap_or_else(PoisonError::into_inner);
            in_blocks(env, index * length, &mut chunk, most, body);
        }
    });
}

/// Calls `body` with blocks of at most `most` elements one after the other.
#[inline]
fn in_blocks<U>(
    env: &dyn KernelEnv,
    start: usize,
    chunk: &mut [U],
    most: usize,
    body: &(dyn Fn(usize, &mut [U]) + Sync),
) {
    if chunk.len() <= most {
        return body(start, chunk);
    }
    in_several_blocks(env, start, chunk, most, body);
}

/// As [`in_blocks`], of more than one: in one copy for all of an element type's callers.
#[inline(never)]
fn in_several_blocks<U>(
    env: &dyn KernelEnv,
    start: usize,
    chunk: &mut [U],
    most: usize,
    body: &(dyn Fn(usize, &mut [U]) + Sync),
) {
    for (number, block) in chunk.chunks_mut(most).enumerate() {
        poll(env);
        body(start + number * most, block);
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
