//! `MatrixSolveLs`.

use num_complex::Complex;
use num_traits::Float as _;
use oplink::prelude::*;
use oplink_ops::decomposition::{BatchMatrixSolveLs, MatrixSolveLs};

use crate::batch::{Matrices, each, write};
use crate::cholesky::factor;
use crate::dense::{Triangle, adjoint, check_room, product, solve_triangle};
use crate::scalar::Scalar;
use crate::svd::decomposed;

/// `MatrixSolveLs` of every number.
#[kernel(MatrixSolveLs, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>])]
#[kernel(BatchMatrixSolveLs, device = CPU, T = [f32, f64])]
pub fn matrix_solve_ls_cpu<T: Scalar>(
    matrix: &Tensor,
    rhs: &Tensor,
    l2_regularizer: &Tensor,
    fast: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (matrices, sides) = (Matrices::of("matrix", matrix)?, Matrices::of("rhs", rhs)?);
    ensure!(
        matrices.batch == sides.batch && matrices.rows == sides.rows,
        "matrix and rhs must have the same leading axes and rows, their shapes are {} and {}",
        matrix.shape(),
        rhs.shape()
    );
    ensure!(l2_regularizer.rank() == 0, "l2_regularizer must be a scalar, its shape is {}", l2_regularizer.shape());
    let regularizer = l2_regularizer.to_scalar::<f64>()?;
    ensure!(regularizer >= 0.0, "l2_regularizer must be >= 0, it is {regularizer}");
    let (values, right) = (matrix.as_slice::<T>()?, rhs.as_slice::<T>()?);
    let (rows, columns, width) = (matrices.rows, matrices.columns, sides.columns);
    check_room::<T>(rows.max(columns), matrices.smaller().max(width))?;
    let cost = (matrices.smaller() + width) * matrices.size();
    let found = each(env, matrices.count(), cost, |at| {
        let (matrix, right) = (matrices.get(values, at), sides.get(right, at));
        match fast {
            true => by_normal_equations(env, matrix, right, [rows, columns, width], T::from_float(regularizer)),
            false => by_singular_values(matrix, right, [rows, columns, width]),
        }
    })?;
    write(&mut output, matrices.followed_by(&[columns, width]), found.iter().map(Vec::as_slice))
}

/// `(A^H A + r I)^-1 A^H b`, or for wide matrices `A^H (A A^H + r I)^-1 b`.
fn by_normal_equations<T: Scalar>(
    env: Env<'_>,
    matrix: &[T],
    right: &[T],
    [rows, columns, width]: [usize; 3],
    regularizer: T,
) -> Result<Vec<T>> {
    let turned = adjoint(matrix, rows, columns)?;
    let is_tall = rows >= columns;
    let size = rows.min(columns);
    let mut gram = match is_tall {
        true => product(&turned, matrix, [columns, rows, columns])?,
        false => product(matrix, &turned, [rows, columns, rows])?,
    };
    gram.iter_mut().step_by(size + 1).for_each(|value| *value += regularizer);
    let mut x = if is_tall { product(&turned, right, [columns, rows, width])? } else { right.to_vec() };
    let lower = factor(&gram, size)?;
    ensure!(
        lower.iter().all(|value| !value.magnitude().is_nan()),
        "matrix is of lower rank than {size}, or nearly so: try fast = false, or a larger l2_regularizer"
    );
    let at = |row: usize, column: usize| lower[row * size + column];
    for adjoint in [false, true] {
        solve_triangle(env, at, [size, width, size], Triangle { lower: true, adjoint }, &mut x);
    }
    if is_tall { Ok(x) } else { product(&turned, &x, [columns, rows, width]) }
}

/// `V S^+ U^H b`, of the singular values that are not roundings of zero.
fn by_singular_values<T: Scalar>(matrix: &[T], right: &[T], [rows, columns, width]: [usize; 3]) -> Result<Vec<T>> {
    let count = rows.min(columns);
    if count == 0 {
        return product(&[], &[], [columns, 0, width]);
    }
    let [values, left, vectors] = decomposed(matrix, [rows, columns], false)?;
    let largest = values[0].magnitude();
    let tiny = largest * <T::Magnitude as num_traits::Float>::epsilon() * T::Magnitude::from_int(count as i64);
    let mut parts = product(&adjoint(&left, rows, count)?, right, [count, rows, width])?;
    for (value, parts) in values.iter().zip(parts.chunks_exact_mut(width.max(1))) {
        let is_zero = value.magnitude() <= tiny;
        parts.iter_mut().for_each(|part| *part = if is_zero { T::zero() } else { *part / *value });
    }
    product(&vectors, &parts, [columns, count, width])
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::run;

    #[test]
    fn both_ways_give_the_line_of_least_squares() {
        let matrix = Tensor::from_vec([3, 2], vec![1.0, 0.0, 1.0, 1.0, 1.0, 2.0]).unwrap();
        let right = Tensor::from_vec([3, 1], vec![1.0, 2.0, 4.0]).unwrap();
        for fast in [true, false] {
            let inputs = vec![matrix.clone(), right.clone(), 0f64.into()];
            let out = run("MatrixSolveLs", &[("fast", fast.into())], inputs).unwrap();
            let x = out[0].as_slice::<f64>().unwrap();
            assert!((x[0] - 5.0 / 6.0).abs() < 1e-12 && (x[1] - 1.5).abs() < 1e-12, "{x:?}");
        }
        let inputs = vec![
            Tensor::from_vec([2, 1], vec![0f64; 2]).unwrap(),
            Tensor::from_vec([2, 1], vec![0f64; 2]).unwrap(),
            0f64.into(),
        ];
        assert!(run("MatrixSolveLs", &[], inputs).is_err());
    }
}
