//! `MatrixTriangularSolve` and `BandedTriangularSolve`.

use num_complex::Complex;
use oplink::prelude::*;
use oplink_ops::decomposition::{BandedTriangularSolve, BatchMatrixTriangularSolve, MatrixTriangularSolve};

use crate::batch::{Matrices, Pairs, each, write};
use crate::dense::{Triangle, solve_triangle};
use crate::scalar::Scalar;

/// `MatrixTriangularSolve` of every number that TensorFlow has a kernel for.
#[kernel(MatrixTriangularSolve, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>])]
#[kernel(BatchMatrixTriangularSolve, device = CPU, T = [f32, f64])]
pub fn matrix_triangular_solve_cpu<T: Scalar>(
    matrix: &Tensor,
    rhs: &Tensor,
    lower: bool,
    adjoint: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (matrices, sides) = (Matrices::square("matrix", matrix)?, Matrices::of("rhs", rhs)?);
    let size = matrices.rows;
    ensure!(sides.rows == size, "rhs must have {size} rows as matrix has, its shape is {}", rhs.shape());
    let pairs = Pairs::new(&matrices.batch, &sides.batch)?;
    let (values, right) = (matrix.as_slice::<T>()?, rhs.as_slice::<T>()?);
    let (count, width) = (pairs.batch.iter().product(), sides.columns);
    let found = each(env, count, width * matrices.size(), |number| {
        let [matrix, side] = pairs.get(number);
        let (matrix, mut x) = (matrices.get(values, matrix), sides.get(right, side).to_vec());
        let at = |row: usize, column: usize| matrix[row * size + column];
        solve_triangle(env, at, [size, width, size], Triangle { lower, adjoint }, &mut x);
        Ok(x)
    })?;
    let shape = Shape::new(&[&pairs.batch[..], &[size, width]].concat());
    write(&mut output, shape, found.iter().map(Vec::as_slice))
}

/// `BandedTriangularSolve` of every number.
#[kernel(BandedTriangularSolve, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>])]
pub fn banded_triangular_solve_cpu<T: Scalar>(
    matrix: &Tensor,
    rhs: &Tensor,
    lower: bool,
    adjoint: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (bands, sides) = (Matrices::of("matrix", matrix)?, Matrices::of("rhs", rhs)?);
    let (count, size, width) = (bands.rows, bands.columns, sides.columns);
    ensure!(count > 0, "matrix must have a diagonal, its shape is {}", matrix.shape());
    ensure!(sides.rows == size, "rhs must have {size} rows as the diagonals are long, its shape is {}", rhs.shape());
    let pairs = Pairs::new(&bands.batch, &sides.batch)?;
    let (values, right) = (matrix.as_slice::<T>()?, rhs.as_slice::<T>()?);
    let found = each(env, pairs.batch.iter().product(), width * bands.size(), |number| {
        let [matrix, side] = pairs.get(number);
        let (bands, mut x) = (bands.get(values, matrix), sides.get(right, side).to_vec());
        let at = |row: usize, column: usize| {
            let diagonal = if lower { row - column } else { column - row };
            match diagonal < count {
                true if lower => bands[diagonal * size + row],
                true => bands[(count - 1 - diagonal) * size + row],
                false => T::zero(),
            }
        };
        solve_triangle(env, at, [size, width, count - 1], Triangle { lower, adjoint }, &mut x);
        Ok(x)
    })?;
    let shape = Shape::new(&[&pairs.batch[..], &[size, width]].concat());
    write(&mut output, shape, found.iter().map(Vec::as_slice))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_with};

    fn tensor<const N: usize>(shape: [usize; N], values: &[f64]) -> Tensor {
        Tensor::from_vec(shape, values.to_vec()).unwrap()
    }

    #[test]
    fn one_triangle_is_read_and_batches_broadcast() {
        let matrix = || tensor([2, 2], &[2.0, 9.0, 1.0, 4.0]);
        check("MatrixTriangularSolve", [matrix(), tensor([2, 1], &[2.0, 9.0])], tensor([2, 1], &[1.0, 2.0]));
        let attrs = [("lower", false.into()), ("adjoint", true.into())];
        let right = tensor([1, 2, 1], &[2.0, 13.0]);
        check_with("MatrixTriangularSolve", &attrs, [matrix(), right], tensor([1, 2, 1], &[1.0, 1.0]));
    }

    #[test]
    fn bands_lie_as_in_tensorflow() {
        // [[1, 0, 0], [5, 2, 0], [0, 6, 3]], and [[4, 1, 0], [0, 5, 2], [0, 0, 6]].
        let bands = || tensor([2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let right = tensor([3, 1], &[1.0, 9.0, 19.0]);
        check("BandedTriangularSolve", [bands(), right], tensor([3, 1], &[1.0, 2.0, 7.0 / 3.0]));
        let right = tensor([3, 1], &[5.0, 7.0, 6.0]);
        check_with("BandedTriangularSolve", &[("lower", false.into())], [bands(), right], tensor([3, 1], &[1.0; 3]));
    }
}
