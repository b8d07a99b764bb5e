//! Transforms along one axis of a row-major block of complex numbers.

use num_complex::Complex;
use oplink::KernelEnv;
use rustfft::{Fft, FftNum};

use oplink_cpu_support::parallel::for_each_chunk;

/// Fewest numbers that are worth a thread's while.
pub(super) const GRAIN: usize = 1 << 13;
/// Lines that are copied together: a cache line or two of neighbours.
const TILE: usize = 16;

/// Transforms the lines that lie one after the other.
pub(super) fn along_last<T: FftNum>(env: &dyn KernelEnv, numbers: &mut [Complex<T>], fft: &dyn Fft<T>) {
    if fft.len() <= 1 {
        return;
    }
    for_each_chunk(env, numbers, GRAIN, fft.len(), &|_, part| {
        // bounded: a few lines of the input, or its size
        let mut scratch = vec![Complex::from(T::zero()); fft.get_inplace_scratch_len()];
        fft.process_with_scratch(part, &mut scratch);
    });
}

/// Transforms the lines of which neighbours lie `inner` numbers apart.
pub(super) fn along<T: FftNum>(env: &dyn KernelEnv, numbers: &mut [Complex<T>], inner: usize, fft: &dyn Fft<T>) {
    let matrix = fft.len() * inner;
    if inner == 1 || fft.len() <= 1 {
        along_last(env, numbers, fft);
    } else if env.intra_op_threads() <= numbers.len() / matrix || numbers.len() < 2 * GRAIN {
        for_each_chunk(env, numbers, GRAIN, matrix, &|_, part| columns(part, inner, fft));
    } else {
        // bounded: a few lines of the input, or its size
        let mut lines = vec![Complex::from(T::zero()); numbers.len()];
        transpose(env, numbers, fft.len(), inner, &mut lines);
        along_last(env, &mut lines, fft);
        transpose(env, &lines, inner, fft.len(), numbers);
    }
}

/// Transforms the columns of matrices with rows of `inner` numbers, a few columns at a time.
fn columns<T: FftNum>(matrices: &mut [Complex<T>], inner: usize, fft: &dyn Fft<T>) {
    // bounded: a few lines of the input, or its size
    let mut scratch = vec![Complex::from(T::zero()); fft.get_inplace_scratch_len()];
    // bounded: a few lines of the input, or its size
    let mut lines = vec![Complex::from(T::zero()); fft.len() * TILE];
    for matrix in matrices.chunks_exact_mut(fft.len() * inner) {
        for first in (0..inner).step_by(TILE) {
            let count = TILE.min(inner - first);
            let lines = &mut lines[..count * fft.len()];
            for (at, row) in matrix.chunks_exact(inner).enumerate() {
                for (line, &number) in row[first..][..count].iter().enumerate() {
                    lines[line * fft.len() + at] = number;
                }
            }
            fft.process_with_scratch(lines, &mut scratch);
            for (at, row) in matrix.chunks_exact_mut(inner).enumerate() {
                for (line, number) in row[first..][..count].iter_mut().enumerate() {
                    *number = lines[line * fft.len() + at];
                }
            }
        }
    }
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
