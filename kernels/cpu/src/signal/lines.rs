//! Transforms along one axis of a row-major block of complex numbers.

use num_complex::Complex;
use oplink::KernelEnv;
use rustfft::{Fft, FftNum};

use crate::support::parallel::for_each_chunk;

/// Fewest numbers that are worth a thread's while.
pub(super) const GRAIN: usize = 1 << 13;
/// Lines that are transposed together, a cache line of numbers or two.
const TILE: usize = 8;

/// Transforms the lines that lie one after the other.
pub(super) fn along_last<T: FftNum>(env: &dyn KernelEnv, numbers: &mut [Complex<T>], fft: &dyn Fft<T>) {
    if fft.len() <= 1 {
        return;
    }
    for_each_chunk(env, numbers, GRAIN, fft.len(), &|_, part| {
        let mut scratch = vec![Complex::from(T::zero()); fft.get_inplace_scratch_len()];
        fft.process_with_scratch(part, &mut scratch);
    });
}

/// Transforms the lines of which neighbours lie `inner` numbers apart.
pub(super) fn along<T: FftNum>(env: &dyn KernelEnv, numbers: &mut [Complex<T>], inner: usize, fft: &dyn Fft<T>) {
    if inner == 1 || fft.len() <= 1 {
        return along_last(env, numbers, fft);
    }
    let mut lines = vec![Complex::from(T::zero()); numbers.len()];
    transpose(env, numbers, fft.len(), inner, &mut lines);
    along_last(env, &mut lines, fft);
    transpose(env, &lines, inner, fft.len(), numbers);
}

/// Writes each matrix of `rows` rows of `columns` numbers as its transpose.
fn transpose<T: Copy + Sync + Send>(env: &dyn KernelEnv, from: &[T], rows: usize, columns: usize, to: &mut [T]) {
    for_each_chunk(env, to, GRAIN, rows, &|start, part| {
        for (index, tile) in part.chunks_mut(TILE * rows).enumerate() {
            let first = start / rows + index * TILE;
            let origin = |line: usize| (first + line) / columns * rows * columns + (first + line) % columns;
            let origins: [usize; TILE] = std::array::from_fn(origin);
            let count = tile.len() / rows;
            for row in 0..rows {
                for (line, origin) in origins[..count].iter().enumerate() {
                    tile[line * rows + row] = from[origin + row * columns];
                }
            }
        }
    });
}
