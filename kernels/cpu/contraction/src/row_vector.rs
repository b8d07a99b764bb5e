//! Products of a row vector with a matrix in row-major order, as recurrent cells make them.

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
/// Rows of the matrix that the vector is multiplied with at a time. From memory, more are read faster; in a cache of
/// eight ways, more push each other out where they are a power of two apart.
const STREAMS: usize = 8;
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
/// parts of the rows are added in their order, so that the result does not depend on the number of threads.
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
    if row.rows() != 1 || column_stride != 1 || x_stride != 1 || finish.scale.is_some() || finish.side.is_some() {
        return Ok(false);
    }
    match finish.bias {
        Some(bias) => out.copy_from_slice(bias),
        None => out.fill(L::ZERO),
    }
    let (x, columns) = (&x[..matrix.rows()], out.len());
    if x.len() * columns < PARTED_ELEMENTS || x.len() < PARTS * STREAMS {
        add_all_products(x, values, stride, out);
    } else {
        let length = x.len().div_ceil(PARTS).next_multiple_of(STREAMS);
        let mut sums = Tensor::allocate(L::DTYPE, Shape::new(&[PARTS, columns]), env.allocator())?;
        let sums = sums.as_mut_slice::<L>()?;
        for_each_chunk_up_to(env, sums, polled(TASK_COST.div_ceil(length)), columns, &|start, sums| {
            for (part, sums) in (start / columns..).zip(sums.chunks_exact_mut(columns)) {
                let from = x.len().min(part * length);
                let x = &x[from..x.len().min(from + length)];
                sums.fill(L::ZERO);
                add_all_products(x, values.get(from * stride..).unwrap_or_default(), stride, sums);
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
fn add_all_products<L: MultiplyAdd>(x: &[L], rows: &[L], stride: usize, out: &mut [L]) {
    for (index, x) in x.chunks(STREAMS).enumerate() {
        add_products(x, rows.get(index * STREAMS * stride..).unwrap_or_default(), stride, out);
    }
}

/// As [`add_all_products`] for a few numbers.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn add_products<L: MultiplyAdd>(x: &[L], rows: &[L], stride: usize, out: &mut [L]) {
    let add_product = |a: L, b: L, c: L| {
        if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
            a.multiply_add::<true>(b, c)
        } else {
            a.multiply_add::<false>(b, c)
        }
    };
    let count = out.len();
    if let Ok(x) = <&[L; STREAMS]>::try_from(x) {
        let rows: [&[L]; STREAMS] = std::array::from_fn(|index| &rows[index * stride..][..count]);
        for i in 0..count {
            let mut sum = out[i];
            for stream in 0..STREAMS {
                sum = add_product(x[stream], rows[stream][i], sum);
            }
            out[i] = sum;
        }
        return;
    }
    for (index, &x) in x.iter().enumerate() {
        let row = &rows[index * stride..][..count];
        for (out, &value) in out.iter_mut().zip(row) {
            *out = add_product(x, value, *out);
        }
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
            assert!(multiply_row(&Threads(threads), row, matrix, Finish::default(), &mut out).unwrap());
            out
        };
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
