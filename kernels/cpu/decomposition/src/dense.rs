//! Single matrices in row-major order.

use faer::MatRef;
use oplink::memory::{check, try_filled, try_vec};
use oplink::prelude::*;

use crate::scalar::Scalar;

/// A matrix as faer sees it.
pub(crate) fn view<T>(elements: &[T], rows: usize, columns: usize) -> MatRef<'_, T> {
    MatRef::from_row_major_slice(elements, rows, columns)
}

/// The elements of a matrix, row by row.
pub(crate) fn elements<T: Copy>(matrix: MatRef<'_, T>) -> Result<Vec<T>> {
    let mut elements = try_vec(matrix.nrows() * matrix.ncols())?;
    for row in 0..matrix.nrows() {
        elements.extend((0..matrix.ncols()).map(|column| matrix[(row, column)]));
    }
    Ok(elements)
}

/// Whether a matrix of this size may be made beside what there is: decompositions ask for memory that cannot be
/// refused.
pub(crate) fn check_room<T>(rows: usize, columns: usize) -> Result<()> {
    check(rows.saturating_mul(columns).saturating_mul(4 * size_of::<T>()))
}

/// The conjugate transpose.
pub(crate) fn adjoint<T: Scalar>(matrix: &[T], rows: usize, columns: usize) -> Result<Vec<T>> {
    let mut out = try_vec(matrix.len())?;
    for column in 0..columns {
        out.extend((0..rows).map(|row| matrix[row * columns + column].conjugate()));
    }
    Ok(out)
}

/// The product of matrices [m, k] and [k, n].
pub(crate) fn product<T: Scalar>(a: &[T], b: &[T], [m, k, n]: [usize; 3]) -> Result<Vec<T>> {
    let mut out = try_filled(T::zero(), m * n)?;
    if n == 0 {
        return Ok(out);
    }
    for (row, out) in out.chunks_exact_mut(n).enumerate() {
        for inner in 0..k {
            subtract_row(out, T::zero() - a[row * k + inner], &b[inner * n..][..n]);
        }
    }
    Ok(out)
}

/// `row -= factor * other`.
pub(crate) fn subtract_row<T: Scalar>(row: &mut [T], factor: T, other: &[T]) {
    row.iter_mut().zip(other).for_each(|(value, &other)| *value -= factor * other);
}

/// The identity.
pub(crate) fn identity<T: Scalar>(size: usize) -> Result<Vec<T>> {
    let mut out = try_filled(T::zero(), size * size)?;
    out.iter_mut().step_by(size + 1).for_each(|value| *value = num_traits::One::one());
    Ok(out)
}

/// Two rows of a matrix with rows of `width`, the earlier one first.
pub(crate) fn two_rows<T>(matrix: &mut [T], width: usize, [first, second]: [usize; 2]) -> (&[T], &mut [T]) {
    let (low, high) = (first.min(second), first.max(second));
    let (before, after) = matrix.split_at_mut(high * width);
    let (low, high) = (&mut before[low * width..][..width], &mut after[..width]);
    if first < second { (low, high) } else { (high, low) }
}

/// Which triangle a matrix has, and whether its conjugate transpose is meant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Triangle {
    pub(crate) lower: bool,
    pub(crate) adjoint: bool,
}

/// Solves `A x = b` in place for a triangular matrix of which `at(row, column)` gives the elements, those of a column
/// at most `band` away from the diagonal.
pub(crate) fn solve_triangle<T: Scalar>(
    env: Env<'_>,
    at: impl Fn(usize, usize) -> T,
    [size, width, band]: [usize; 3],
    triangle: Triangle,
    x: &mut [T],
) {
    if width == 0 {
        return;
    }
    let element = |row: usize, column: usize| {
        if triangle.adjoint { at(column, row).conjugate() } else { at(row, column) }
    };
    let forward = triangle.lower != triangle.adjoint;
    for step in 0..size {
        env.poll();
        let row = if forward { step } else { size - 1 - step };
        let solved = if forward { row.saturating_sub(band)..row } else { row + 1..(row + 1 + band).min(size) };
        for other in solved {
            let factor = element(row, other);
            if !factor.is_zero() {
                let (from, to) = two_rows(x, width, [other, row]);
                subtract_row(to, factor, from);
            }
        }
        let diagonal = element(row, row);
        x[row * width..][..width].iter_mut().for_each(|value| *value /= diagonal);
    }
}
