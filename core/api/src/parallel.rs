//! Loops over disjoint parts of an output on the intra-op threads.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use crate::KernelEnv;

/// Parts that `for_each_chunk` makes for each thread, so that an uneven machine still ends together.
const CHUNKS_A_THREAD: usize = 4;

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
    let threads = env.intra_op_threads();
    if threads <= 1 || output.len() < 2 * grain {
        body(0, output);
        return;
    }
    let length = output.len().div_ceil(threads * CHUNKS_A_THREAD).max(grain).next_multiple_of(unit);
    let chunks: Vec<_> = output.chunks_mut(length).map(Mutex::new).collect();
    env.parallel_for(chunks.len(), 1, &|range: Range<usize>| {
        for index in range {
            let mut chunk = chunks[index].lock().unwrap_or_else(PoisonError::into_inner);
            body(index * length, &mut chunk);
        }
    });
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
