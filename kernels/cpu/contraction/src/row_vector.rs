//! Products of a row vector with a matrix in row-major order, as recurrent cells make them.

use std::cell::Cell;

use multiversion::multiversion;
use multiversion::target::target_cfg_f;
use oplink::{KernelEnv, Result, Shape, Tensor};

use super::finish::Finish;
use super::matrix::Matrix;
use super::tile::TileElement;
use super::{HAS_GEMM, polled};
use oplink_cpu_support::parallel::for_each_chunk_up_to;

/// Multiply-adds that one thread should at least have. Each reads a number of the matrix, which takes longer than to
/// multiply it.
const TASK_COST: usize = if cfg!(test) { 1 << 10 } else { 1 << 16 };
/// Elements of matrices whose rows are summed in parts, at least.
const PARTED_ELEMENTS: usize = if cfg!(test) { 1 << 12 } else { 1 << 17 };
/// These parts.
const PARTS: usize = 4;
/// Rows of the matrix that the vector is multiplied with at a time: each is the next one of a quarter of the rows, so
/// that a processor reads ahead in as many places from beginning to end. In a cache of eight ways, more would push each
/// other out where they are a power of two apart.
const STREAMS: usize = 4;

thread_local! {
    /// Whether the thread reads the parts of the next matrix from the last one to the first.
    static BACKWARDS: Cell<bool> = const { Cell::new(false) };
}

/// Numbers that some processors multiply and add in one instruction.
pub trait MultiplyAdd: Copy {
    /// `self * b + c`, of floats in one rounding where `FUSED`.
    fn multiply_add<const FUSED: bool>(self, b: Self, c: Self) -> Self;
}

macro_rules! floats {
    ($($ty:ty),*) => {$(
        impl MultiplyAdd for $ty {
            #[inline(always)]
            fn multiply_add<const FUSED: bool>(self, b: Self, c: Self) -> Self {
                if FUSED { self.mul_add(b, c) } else { self * b + c }
            }
        }
    )*};
}

floats!(f32, f64);

impl MultiplyAdd for i32 {
    #[inline(always)]
    fn multiply_add<const FUSED: bool>(self, b: Self, c: Self) -> Self {
        self.wrapping_mul(b).wrapping_add(c)
    }
}

/// Writes a row vector times a matrix in row-major order, and what follows, which has no factors, to `out`: the matrix
/// is read once. False, and nothing written, where the operands or what follows are not of that form.
///
/// Threads share out the rows of a large matrix and read theirs from beginning to end. The sums of a fixed number of
/// parts of the rows are added in their order, so that the result does not depend on the number of threads. A thread
/// reads the parts forwards and backwards in turn: a loop that multiplies by a matrix as large as the cache finds those
/// that it read last.
///
/// # Errors
/// There is no memory for the sums.
pub fn multiply_row<L: TileElement>(
    env: &dyn KernelEnv,
    row: Matrix<'_, L>,
    matrix: Matrix<'_, L>,
    finish: Finish<'_, L>,
    out: &mut [L],
) -> Result<bool> {
    if !HAS_GEMM {
        return Ok(false);
    }
    let ((values, (stride, column_stride)), (x, (_, x_stride))) = (matrix.parts(), row.parts());
    if row.rows() != 1 || column_stride != 1 || x_stride != 1 || finish.scale.is_some() {
        return Ok(false);
    }
    finish.start(out);
    let (x, columns) = (&x[..matrix.rows()], out.len());
    if x.len() * columns < PARTED_ELEMENTS || x.len() < PARTS * STREAMS {
        add_products(x, values, stride, out);
    } else {
        let length = x.len().div_ceil(PARTS).next_multiple_of(STREAMS);
        let mut sums = Tensor::allocate(L::DTYPE, Shape::new(&[PARTS, columns]), env.allocator())?;
        let sums = sums.as_mut_slice::<L>()?;
        for_each_chunk_up_to(env, sums, polled(TASK_COST.div_ceil(length)), columns, &|start, sums| {
            let add_part = |(part, sums): (usize, &mut [L])| {
                let from = x.len().min(part * length);
                let x = &x[from..x.len().min(from + length)];
                sums.fill(L::ZERO);
                add_products(x, values.get(from * stride..).unwrap_or_default(), stride, sums);
            };
            let first = start / columns;
            let parts = sums.chunks_exact_mut(columns).enumerate().map(|(part, sums)| (first + part, sums));
            if BACKWARDS.replace(!BACKWARDS.get()) {
                parts.rev().for_each(add_part);
            } else {
                parts.for_each(add_part);
            }
        });
        for sums in sums.chunks_exact(columns) {
            out.iter_mut().zip(sums).for_each(|(out, &sum)| *out = out.add(sum));
        }
    }
    finish.end(out);
    Ok(true)
}

/// Adds to `out` the products of each number of `x` with a row of `rows`, which are `stride` apart.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn add_products<L: MultiplyAdd>(x: &[L], rows: &[L], stride: usize, out: &mut [L]) {
    let add = |sum: L, x: L, value: L| {
        if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
            x.multiply_add::<true>(value, sum)
        } else {
            x.multiply_add::<false>(value, sum)
        }
    };
    let (columns, length) = (out.len(), x.len() / STREAMS);
    let row = |index: usize| &rows[index * stride..][..columns];
    for index in 0..length {
        let [i0, i1, i2, i3] = [index, length + index, 2 * length + index, 3 * length + index];
        let ([x0, x1, x2, x3], [a, b, c, d]) = ([x[i0], x[i1], x[i2], x[i3]], [row(i0), row(i1), row(i2), row(i3)]);
        for (out, (((&a, &b), &c), &d)) in out.iter_mut().zip(a.iter().zip(b).zip(c).zip(d)) {
            *out = add(add(add(add(*out, x0, a), x1, b), x2, c), x3, d);
        }
    }
    for (index, &x) in x.iter().enumerate().skip(length * STREAMS) {
        out.iter_mut().zip(row(index)).for_each(|(out, &value)| *out = add(*out, x, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::Threads;

    #[test]
    fn a_row_vector_is_multiplied_alike_by_any_number_of_threads() {
        let (depth, columns) = (127, 700);
        let value = |i: usize| ((i * 7 + 3) % 1013) as f32 / 97.0 - 5.0;
        let x: Vec<f32> = (0..depth).map(value).collect();
        let y: Vec<f32> = (0..depth * columns).map(value).collect();
        let (row, matrix) = (Matrix::row_major(&x, 1, depth), Matrix::row_major(&y, depth, columns));
        let product = |threads| {
            let mut out = vec![7.0; columns];
            assert_eq!(multiply_row(&Threads(threads), row, matrix, Finish::default(), &mut out).unwrap(), HAS_GEMM);
            out
        };
        if !HAS_GEMM {
            return assert_eq!(product(1), vec![7.0; columns]);
        }
        let expected = product(1);
        let exact = |column: usize| (0..depth).map(|k| f64::from(x[k]) * f64::from(y[k * columns + column])).sum();
        for (column, &sum) in expected.iter().enumerate() {
            let exact: f64 = exact(column);
            assert!((f64::from(sum) - exact).abs() < 1e-2, "column {column}: {sum} for {exact}");
        }
        for threads in [1, 2, 3, 1] {
            assert_eq!(product(threads), expected, "{threads} threads");
        }
    }
}
