//! `TridiagonalSolve` and `TridiagonalMatMul`.

use num_complex::Complex;
use oplink::memory::try_filled;
use oplink::prelude::*;
use oplink_ops::decomposition::{TridiagonalMatMul, TridiagonalMatMulInputs, TridiagonalSolve};

use crate::batch::{Matrices, each, write};
use crate::dense::{subtract_row, two_rows};
use crate::scalar::Scalar;

/// `TridiagonalSolve` of every number.
#[kernel(TridiagonalSolve, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>])]
pub fn tridiagonal_solve_cpu<T: Scalar>(
    diagonals: &Tensor,
    rhs: &Tensor,
    partial_pivoting: bool,
    perturb_singular: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(!perturb_singular, "perturb_singular is not implemented: singular matrices give NaN");
    let (matrices, sides) = (Matrices::of("diagonals", diagonals)?, Matrices::of("rhs", rhs)?);
    let (size, width) = (matrices.columns, sides.columns);
    ensure!(
        matrices.rows == 3 && sides.rows == size && matrices.batch == sides.batch,
        "diagonals must have shape [..., 3, n] and rhs [..., n, k], they have {} and {}",
        diagonals.shape(),
        rhs.shape()
    );
    let (values, right) = (diagonals.as_slice::<T>()?, rhs.as_slice::<T>()?);
    let found = each(env, sides.count(), (8 + width) * size, |at| {
        let mut x = sides.get(right, at).to_vec();
        if size > 0 && width > 0 {
            solve(env, matrices.get(values, at), [size, width], partial_pivoting, &mut x)?;
        }
        Ok(x)
    })?;
    write(&mut output, rhs.shape().clone(), found.iter().map(Vec::as_slice))
}

/// Eliminates what is below the diagonal, row by row; each row has at most three numbers right of what is eliminated.
fn solve<T: Scalar>(env: Env<'_>, diagonals: &[T], [size, width]: [usize; 2], pivots: bool, x: &mut [T]) -> Result<()> {
    let (above, rest) = diagonals.split_at(size);
    let (main, below) = rest.split_at(size);
    let zero = T::zero();
    let mut rows = try_filled([zero; 3], size)?;
    let mut current = [main[0], if size > 1 { above[0] } else { zero }, zero];
    for row in 0..size - 1 {
        if row % 512 == 511 {
            env.poll();
        }
        let mut next = [below[row + 1], main[row + 1], if row + 2 < size { above[row + 1] } else { zero }];
        if pivots && next[0].magnitude() > current[0].magnitude() {
            std::mem::swap(&mut current, &mut next);
            let (low, high) = x[row * width..].split_at_mut(width);
            low.swap_with_slice(&mut high[..width]);
        }
        let factor = next[0] / current[0];
        let (from, to) = two_rows(x, width, [row, row + 1]);
        subtract_row(to, factor, from);
        rows[row] = current;
        current = [next[1] - factor * current[1], next[2] - factor * current[2], zero];
    }
    rows[size - 1] = current;
    for row in (0..size).rev() {
        for (at, &factor) in rows[row][1..].iter().enumerate() {
            if row + 1 + at < size {
                let (from, to) = two_rows(x, width, [row + 1 + at, row]);
                subtract_row(to, factor, from);
            }
        }
        let pivot = rows[row][0];
        x[row * width..][..width].iter_mut().for_each(|value| *value /= pivot);
    }
    Ok(())
}

/// `TridiagonalMatMul` of every number.
#[kernel(TridiagonalMatMul, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>])]
pub fn tridiagonal_mat_mul_cpu<T: Scalar>(
    inputs: TridiagonalMatMulInputs<'_>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let sides = Matrices::of("rhs", &inputs.rhs)?;
    let (size, width) = (sides.rows, sides.columns);
    let expected = sides.followed_by(&[1, size]);
    for (name, diagonal) in
        [("superdiag", &inputs.superdiag), ("maindiag", &inputs.maindiag), ("subdiag", &inputs.subdiag)]
    {
        ensure!(
            diagonal.shape() == &expected,
            "{name} must have shape {expected} as rhs says, it is {}",
            diagonal.shape()
        );
    }
    let right = inputs.rhs.as_slice::<T>()?;
    let diagonals = [inputs.subdiag.as_slice::<T>()?, inputs.maindiag.as_slice()?, inputs.superdiag.as_slice()?];
    let found = each(env, sides.count(), 3 * sides.size(), |at| {
        let right = sides.get(right, at);
        let mut out = try_filled(T::zero(), right.len())?;
        for (row, out) in env.watch(out.chunks_exact_mut(width.max(1))).enumerate() {
            for (offset, diagonal) in diagonals.iter().enumerate() {
                let Some(from) = (row + offset).checked_sub(1).filter(|&from| from < size) else { continue };
                subtract_row(out, T::zero() - diagonal[at * size + row], &right[from * width..][..width]);
            }
        }
        Ok(out)
    })?;
    write(&mut output, inputs.rhs.shape().clone(), found.iter().map(Vec::as_slice))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_with};

    fn tensor<const N: usize>(shape: [usize; N], values: &[f64]) -> Tensor {
        Tensor::from_vec(shape, values.to_vec()).unwrap()
    }

    #[test]
    fn products_and_solutions() {
        // [[4, 1, 0], [8, 5, 2], [0, 9, 10]] times [1, 2, 3].
        let rows = [[1.0, 2.0, 3.0], [4.0, 5.0, 10.0], [7.0, 8.0, 9.0]];
        let [above, main, below] = rows.map(|row| tensor([1, 3], &row));
        let (x, y) = (|| tensor([3, 1], &[1.0, 2.0, 3.0]), || tensor([3, 1], &[6.0, 24.0, 48.0]));
        check("TridiagonalMatMul", [above, main, below, x()], y());
        let diagonals = || tensor([3, 3], &rows.concat());
        check("TridiagonalSolve", [diagonals(), y()], x());
        check_with("TridiagonalSolve", &[("partial_pivoting", false.into())], [diagonals(), y()], x());
    }
}
