//! The matrix product of strided matrices: f32 and f64 by the `gemm` crates, or without the feature `gemm` by panels as
//! convolutions are; integers (wrapping) and complex numbers by a blocked loop. The 16-bit floats are multiplied in
//! f32.
#![allow(unsafe_code, reason = "room: the calls into gemm, after bounds are checked")]

use oplink::KernelEnv;
use oplink::element::Complex;
use oplink::memory::try_filled;

use super::finish::Finish;
pub use super::matrix::Matrix;
#[cfg(not(feature = "gemm"))]
use super::panels::{MatrixRows, Product};
use super::tile::TileElement;
use super::{HAS_GEMM, TASK_COST, polled};
use oplink_cpu_support::elementwise::Arithmetic;
use oplink_cpu_support::parallel::{for_each_chunk_up_to, for_each_row, poll};

/// Rows of the product that stay together.
const ROW_UNIT: usize = 4;
/// Columns of a single row that stay together.
const COLUMN_UNIT: usize = 64;
/// Rows of a product from which on a transposed right matrix is copied once for all parts.
const MANY_ROWS: usize = if cfg!(test) { 4 } else { 64 };
/// Multiply-adds of f32 that a part of a product should at least have.
const PART_COST: usize = if cfg!(test) { 1 << 12 } else { 1 << 21 };
/// Parts of a product at most: each copies the right matrix to where it is multiplied fastest.
const MOST_PARTS: usize = 8;
/// Rows of a part at least, for the same reason.
const FEWEST_ROWS: usize = if cfg!(test) { 4 } else { 32 };
/// Columns of the product that the plain loop keeps in cache at a time.
const COLUMN_BLOCK: usize = 64;

/// An element that matrices are multiplied in.
pub trait Gemm: Arithmetic {
    /// How many times longer a product takes than one of f32, about.
    const COST: usize = 1;

    /// `out = lhs * rhs`. `out` has `lhs.rows()` rows of `rhs.columns()` elements, `stride` apart.
    ///
    /// # Panics
    /// Where `lhs.columns()` is not `rhs.rows()`, or `out` is too short.
    fn multiply(lhs: Matrix<'_, Self>, rhs: Matrix<'_, Self>, out: &mut [Self], stride: usize);

    /// The complex conjugate.
    #[inline]
    fn conjugate(self) -> Self {
        self
    }
}

/// `out = lhs * rhs` on the environment's threads, `out` in row-major order.
///
/// Products of several rows are made of parts that follow from the extents alone: how a number is summed depends on the
/// extents of the product that it is computed in, and must not depend on the number of threads. A single row is summed
/// alike however it is cut.
pub fn product<T: Gemm>(env: &dyn KernelEnv, lhs: Matrix<'_, T>, rhs: Matrix<'_, T>, out: &mut [T]) {
    let (rows, columns) = (lhs.rows, rhs.columns);
    if out.is_empty() {
        return;
    }
    if rows == 1 {
        let (grain, most) = polled(TASK_COST.div_ceil(lhs.columns.max(1)));
        return for_each_chunk_up_to(env, out, (grain, most.div_ceil(T::COST)), COLUMN_UNIT, &|start, part| {
            T::multiply(lhs, rhs.column_range(start, part.len()), part, part.len());
        });
    }
    let parts = num_parts(lhs, columns);
    let turned = if HAS_GEMM && parts > 1 && rows >= MANY_ROWS { turned(rhs) } else { None };
    let rhs = turned.as_deref().map_or(rhs, |turned| Matrix::row_major(turned, rhs.rows, columns));
    if HAS_GEMM && rows < columns && rows < parts * MANY_ROWS && product_by_columns(env, lhs, rhs, parts, out) {
        return;
    }
    for_each_rows(env, lhs, columns, out, &|first, part| {
        T::multiply(lhs.row_range(first, part.len() / columns), rhs, part, columns);
    });
}

/// Parts of a product that threads share out.
fn num_parts<T: Gemm>(lhs: Matrix<'_, T>, columns: usize) -> usize {
    let cost = lhs.rows.saturating_mul(columns).saturating_mul(lhs.columns).saturating_mul(T::COST);
    (cost / PART_COST).clamp(1, MOST_PARTS)
}

/// Calls `body` with the first row and the rows of each part of a product, on the environment's threads.
fn for_each_rows<T: Gemm>(
    env: &dyn KernelEnv,
    lhs: Matrix<'_, T>,
    columns: usize,
    out: &mut [T],
    body: &(dyn Fn(usize, &mut [T]) + Sync),
) {
    let (_, most) = polled(TASK_COST.div_ceil(lhs.columns.max(1)));
    // Rows that are computed between two looks at the step.
    let most = (most.div_ceil(T::COST) / columns).max(1).next_multiple_of(ROW_UNIT);
    let count = lhs.rows.div_ceil(num_parts(lhs, columns)).max(FEWEST_ROWS).next_multiple_of(ROW_UNIT);
    let compute = |first: usize, part: &mut [T]| {
        for (index, part) in part.chunks_mut(most * columns).enumerate() {
            poll(env);
            body(first + index * most, part);
        }
    };
    if lhs.rows < 2 * count {
        return compute(0, out);
    }
    // bounded: the parts of a product
    let mut parts: Vec<(usize, &mut [T])> = Vec::with_capacity(MOST_PARTS);
    let (mut first, mut rest) = (0, out);
    while first < lhs.rows {
        // The last part has what is left too.
        let left = lhs.rows - first;
        let rows = if left < 2 * count { left } else { count };
        let (part, others) = rest.split_at_mut(rows * columns);
        parts.push((first, part));
        (first, rest) = (first + rows, others);
    }
    for_each_row(env, &mut parts, 1, 1, &|_, parts| {
        parts.iter_mut().for_each(|(first, part)| compute(*first, part));
    });
}

/// As [`product`], with what follows done to each thread's part.
pub fn product_and_finish<T: Gemm + TileElement>(
    env: &dyn KernelEnv,
    lhs: Matrix<'_, T>,
    rhs: Matrix<'_, T>,
    finish: Finish<'_, T>,
    out: &mut [T],
) {
    let columns = rhs.columns;
    if out.is_empty() {
        return;
    }
    for_each_rows(env, lhs, columns, out, &|first, part| {
        <T as Gemm>::multiply(lhs.row_range(first, part.len() / columns), rhs, part, columns);
        part.chunks_exact_mut(columns).enumerate().for_each(|(row, part)| finish.end_row(first + row, part));
    });
}

/// As [`product`] for fewer rows than columns: threads share out the columns, each part of which is computed by itself.
/// False where nothing was done, because the columns are few or memory runs out.
fn product_by_columns<T: Gemm>(
    env: &dyn KernelEnv,
    lhs: Matrix<'_, T>,
    rhs: Matrix<'_, T>,
    parts: usize,
    out: &mut [T],
) -> bool {
    let (rows, columns) = (lhs.rows, rhs.columns);
    let width = columns.div_ceil(parts).next_multiple_of(COLUMN_UNIT);
    let parts = columns / width;
    // The last part has what is left too.
    let range = |part: usize| part * width..if part + 1 == parts { columns } else { (part + 1) * width };
    if parts < 2 {
        return false;
    }
    let most = range(parts - 1).len();
    let Ok(mut products) = try_filled(T::ZERO, parts * rows * most) else { return false };
    for_each_row(env, &mut products, rows * most, 1, &|part, out| {
        let columns = range(part);
        poll(env);
        T::multiply(lhs, rhs.column_range(columns.start, columns.len()), out, most);
    });
    for (row, out) in out.chunks_exact_mut(columns).enumerate() {
        for part in 0..parts {
            let columns = range(part);
            let from = &products[(part * rows + row) * most..][..columns.len()];
            out[columns].copy_from_slice(from);
        }
    }
    true
}

/// A copy in row-major order of a matrix whose columns are side by side; else every part of a product would copy it
/// again. None of others, and where there is no memory.
fn turned<T: Gemm>(matrix: Matrix<'_, T>) -> Option<Vec<T>> {
    if matrix.row_stride != 1 || matrix.column_stride == 1 {
        return None;
    }
    let mut copy = try_filled(T::ZERO, matrix.rows.checked_mul(matrix.columns)?).ok()?;
    matrix.copy_to(&mut copy, matrix.columns);
    Some(copy)
}

fn check<T>(lhs: &Matrix<'_, T>, rhs: &Matrix<'_, T>, out: &[T], stride: usize) -> bool {
    assert_eq!(lhs.columns, rhs.rows, "inner extents differ");
    if lhs.rows == 0 || rhs.columns == 0 {
        return false;
    }
    assert!(stride >= rhs.columns || lhs.rows == 1, "rows of the product overlap");
    assert!((lhs.rows - 1) * stride + rhs.columns <= out.len(), "product too short");
    true
}

/// The elements in row-major order, converted.
fn packed<T: Copy, U>(matrix: &Matrix<'_, T>, convert: impl Fn(T) -> U) -> Vec<U> {
    let positions = (0..matrix.rows).flat_map(|row| (0..matrix.columns).map(move |column| (row, column)));
    positions.map(|(row, column)| convert(at(matrix, row, column))).collect()
}

#[inline]
fn at<T: Copy>(matrix: &Matrix<'_, T>, row: usize, column: usize) -> T {
    matrix.data[row * matrix.row_stride + column * matrix.column_stride]
}

#[cfg(feature = "gemm")]
macro_rules! by_gemm {
    ($($ty:ident => $function:path;)*) => {$(
        impl Gemm for $ty {
            fn multiply(lhs: Matrix<'_, Self>, rhs: Matrix<'_, Self>, out: &mut [Self], stride: usize) {
                if !check(&lhs, &rhs, out, stride) {
                    return;
                }
                // Row-major output: the transposed product, whose columns are contiguous.
                // SAFETY: Matrix keeps both operands inside their slices, check does so for the output, which is
                // borrowed mutably; the output is only written (read_dst is false).
                unsafe {
                    $function()(
                        rhs.columns, lhs.rows, lhs.columns,
                        out.as_mut_ptr(), stride as isize, 1, false,
                        rhs.data.as_ptr(), rhs.row_stride as isize, rhs.column_stride as isize,
                        lhs.data.as_ptr(), lhs.row_stride as isize, lhs.column_stride as isize,
                        0.0, 1.0, false, false, false,
                        gemm_common::Parallelism::None,
                    );
                }
            }
        }
    )*};
}

#[cfg(feature = "gemm")]
by_gemm! {
    f32 => gemm_f32::gemm::f32::get_gemm_fn;
    f64 => gemm_f64::gemm::f64::get_gemm_fn;
}

#[cfg(not(feature = "gemm"))]
macro_rules! by_panels {
    ($($ty:ident)*) => {$(
        impl Gemm for $ty {
            fn multiply(lhs: Matrix<'_, Self>, rhs: Matrix<'_, Self>, out: &mut [Self], stride: usize) {
                if !check(&lhs, &rhs, out, stride) {
                    return;
                }
                let product = Product { rows: &MatrixRows(lhs), right: rhs, finish: Finish::default() };
                // bounded: a tile
                let mut scratch = vec![Self::ZERO; product.scratch(lhs.rows)];
                product.multiply(0, &mut out[..(lhs.rows - 1) * stride + rhs.columns], stride, &mut scratch);
            }
        }
    )*};
}

#[cfg(not(feature = "gemm"))]
by_panels! { f32 f64 }

macro_rules! by_loop {
    ($($ty:ty $(, $conjugate:item)?;)*) => {$(
        impl Gemm for $ty {
            const COST: usize = 16;

            fn multiply(lhs: Matrix<'_, Self>, rhs: Matrix<'_, Self>, out: &mut [Self], stride: usize) {
                plain(lhs, rhs, out, stride);
            }
            $($conjugate)?
        }
    )*};
}

by_loop! {
    i16; i32; i64;
    Complex<f32>, fn conjugate(self) -> Self { self.conj() };
    Complex<f64>, fn conjugate(self) -> Self { self.conj() };
}

fn plain<T: Arithmetic>(lhs: Matrix<'_, T>, rhs: Matrix<'_, T>, out: &mut [T], stride: usize) {
    if !check(&lhs, &rhs, out, stride) {
        return;
    }
    for start in (0..rhs.columns).step_by(COLUMN_BLOCK) {
        let count = COLUMN_BLOCK.min(rhs.columns - start);
        let block = packed(&rhs.column_range(start, count), |x| x);
        for row in 0..lhs.rows {
            let to = &mut out[row * stride + start..][..count];
            to.fill(T::ZERO);
            for (k, from) in block.chunks_exact(count).enumerate() {
                let factor = at(&lhs, row, k);
                to.iter_mut().zip(from).for_each(|(to, &from)| *to = to.add(factor.mul(from)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::Threads;

    fn naive(a: &[f64], b: &[f64], (m, k, n): (usize, usize, usize)) -> Vec<f64> {
        (0..m * n).map(|i| (0..k).map(|p| a[i / n * k + p] * b[p * n + i % n]).sum()).collect()
    }

    fn values(count: usize) -> Vec<f64> {
        (0..count).map(|i| ((i * 7 + 3) % 11) as f64 - 5.0).collect()
    }

    fn check_type<T: Gemm>(convert: impl Fn(f64) -> T) {
        for (m, k, n) in [(1, 1, 1), (1, 9, 40), (3, 5, 7), (17, 0, 4), (33, 70, 65), (0, 3, 2), (5, 2, 0)] {
            let (a, b) = (values(m * k), values(k * n));
            let expected: Vec<T> = naive(&a, &b, (m, k, n)).into_iter().map(&convert).collect();
            let (a, b): (Vec<T>, Vec<T>) =
                (a.into_iter().map(&convert).collect(), b.into_iter().map(&convert).collect());
            let mut out = vec![T::ONE; m * n];
            product(&oplink::DefaultEnv, Matrix::row_major(&a, m, k), Matrix::row_major(&b, k, n), &mut out);
            assert_eq!(out, expected, "{m}x{k}x{n}");
            let at: Vec<T> = packed(&Matrix::row_major(&a, m, k).transposed(true), |x| x);
            let bt: Vec<T> = packed(&Matrix::row_major(&b, k, n).transposed(true), |x| x);
            let a = Matrix::row_major(&at, k, m).transposed(true);
            product(&oplink::DefaultEnv, a, Matrix::row_major(&bt, n, k).transposed(true), &mut out);
            assert_eq!(out, expected, "transposed {m}x{k}x{n}");
        }
    }

    #[test]
    fn products_agree_with_the_definition() {
        check_type(|x| x as f32);
        check_type(|x| x);
        check_type(|x| x as i32);
        check_type(|x| x as i64);
        check_type(|x| Complex::new(x as f32, 0.0));
    }

    /// Values that are rounded when they are summed, so that another order would show.
    fn fractions(count: usize) -> Vec<f32> {
        (0..count).map(|i| ((i * 7919 + 13) % 1009) as f32 / 997.0 - 0.5).collect()
    }

    #[test]
    fn products_are_the_same_bits_whatever_the_number_of_threads() {
        for (m, k, n) in [
            (1, 3000, 1000),
            (1, 300, 129),
            (2, 300, 129),
            (16, 200, 517),
            (30, 257, 1000),
            (70, 33, 1000),
            (130, 70, 65),
            (600, 40, 3),
        ] {
            let (a, b) = (fractions(m * k), fractions(k * n));
            for (transpose_a, transpose_b) in [(false, false), (true, false), (false, true), (true, true)] {
                let (rows, columns) = if transpose_a { (k, m) } else { (m, k) };
                let left = Matrix::row_major(&a, rows, columns).transposed(transpose_a);
                let (rows, columns) = if transpose_b { (n, k) } else { (k, n) };
                let right = Matrix::row_major(&b, rows, columns).transposed(transpose_b);
                let [one, two, three] = [1, 2, 3].map(|threads| {
                    let mut out = vec![7.0; m * n];
                    product(&Threads(threads), left, right, &mut out);
                    out.into_iter().map(f32::to_bits).collect::<Vec<_>>()
                });
                assert!(one == two && one == three, "{m}x{k}x{n}, transposed {transpose_a} {transpose_b}");
            }
        }
    }

    #[test]
    fn operands_outside_their_memory_are_refused() {
        let refused = std::panic::catch_unwind(|| Matrix::row_major(&[0f32; 5], 2, 3));
        assert!(refused.is_err());
    }
}
