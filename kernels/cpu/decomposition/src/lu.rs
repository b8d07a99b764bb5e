//! `Lu` and what follows from it: `MatrixInverse`, `MatrixSolve`, `MatrixDeterminant` and `LogMatrixDeterminant`.

use num_complex::Complex;
use num_traits::{Float as _, Zero};
use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink_ops::decomposition::{
    BatchMatrixDeterminant, BatchMatrixInverse, BatchMatrixSolve, LogMatrixDeterminant, Lu, MatrixDeterminant,
    MatrixInverse, MatrixSolve,
};

use crate::batch::{Matrices, each, write};
use crate::dense::{Triangle, check_room, elements, identity, solve_triangle, subtract_row, two_rows, view};
use crate::scalar::Scalar;

/// `Lu` of every number that TensorFlow has a kernel for.
#[kernel(Lu, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>], output_idx_type = any)]
pub fn lu_cpu<T: Scalar>(input: &Tensor, mut lu: OutputSlot<'_>, mut p: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let (matrices, values) = (Matrices::square("input", input)?, input.as_slice::<T>()?);
    let size = matrices.rows;
    let found = each(env, matrices.count(), size * matrices.size(), |at| {
        let factors = Factors::new(env, matrices.get(values, at), size)?;
        factors.check_invertible("input")?;
        Ok(factors)
    })?;
    write(&mut lu, input.shape().clone(), found.iter().map(|factors| factors.packed.as_slice()))?;
    let out = p.allocate(matrices.followed_by(&[size]))?;
    let rows = found.iter().flat_map(|factors| factors.order.iter());
    match out.dtype() {
        DType::Int32 => out.as_mut_slice::<i32>()?.iter_mut().zip(rows).for_each(|(out, &row)| *out = row as i32),
        _ => out.as_mut_slice::<i64>()?.iter_mut().zip(rows).for_each(|(out, &row)| *out = row as i64),
    }
    Ok(())
}

/// `MatrixInverse` of every number.
#[kernel(MatrixInverse, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>])]
#[kernel(BatchMatrixInverse, device = CPU, T = [f32, f64])]
pub fn matrix_inverse_cpu<T: Scalar>(
    input: &Tensor,
    adjoint: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (matrices, values) = (Matrices::square("input", input)?, input.as_slice::<T>()?);
    let size = matrices.rows;
    let found = each(env, matrices.count(), 2 * size * matrices.size(), |at| {
        let factors = Factors::new(env, matrices.get(values, at), size)?;
        factors.check_invertible("input")?;
        factors.solve(env, identity(size)?, size, adjoint)
    })?;
    write(&mut output, input.shape().clone(), found.iter().map(Vec::as_slice))
}

/// `MatrixSolve` of every number.
#[kernel(MatrixSolve, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>])]
#[kernel(BatchMatrixSolve, device = CPU, T = [f32, f64])]
pub fn matrix_solve_cpu<T: Scalar>(
    matrix: &Tensor,
    rhs: &Tensor,
    adjoint: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (matrices, sides) = (Matrices::square("matrix", matrix)?, Matrices::of("rhs", rhs)?);
    ensure!(
        matrices.batch == sides.batch && matrices.rows == sides.rows,
        "matrix and rhs must have the same leading axes and rows, their shapes are {} and {}",
        matrix.shape(),
        rhs.shape()
    );
    let (size, width) = (matrices.rows, sides.columns);
    let (values, right) = (matrix.as_slice::<T>()?, rhs.as_slice::<T>()?);
    let found = each(env, matrices.count(), (size + width) * matrices.size(), |at| {
        let factors = Factors::new(env, matrices.get(values, at), size)?;
        factors.check_invertible("matrix")?;
        factors.solve(env, sides.get(right, at).to_vec(), width, adjoint)
    })?;
    write(&mut output, rhs.shape().clone(), found.iter().map(Vec::as_slice))
}

/// `MatrixDeterminant` of every number.
#[kernel(MatrixDeterminant, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>])]
#[kernel(BatchMatrixDeterminant, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>])]
pub fn matrix_determinant_cpu<T: Scalar>(input: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let (matrices, values) = (Matrices::square("input", input)?, input.as_slice::<T>()?);
    let size = matrices.rows;
    let found = each(env, matrices.count(), size * matrices.size(), |at| {
        let factors = Factors::new(env, matrices.get(values, at), size)?;
        Ok(factors.diagonal().fold(factors.sign(), |product, value| product * value))
    })?;
    write(&mut output, matrices.followed_by(&[]), std::iter::once(found.as_slice()))
}

/// `LogMatrixDeterminant` of every number.
#[kernel(LogMatrixDeterminant, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>])]
pub fn log_matrix_determinant_cpu<T: Scalar>(
    input: &Tensor,
    mut sign: OutputSlot<'_>,
    mut log_abs_determinant: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (matrices, values) = (Matrices::square("input", input)?, input.as_slice::<T>()?);
    let size = matrices.rows;
    let found = each(env, matrices.count(), size * matrices.size(), |at| {
        let factors = Factors::new(env, matrices.get(values, at), size)?;
        let start = (factors.sign(), <T::Magnitude as Zero>::zero());
        Ok(factors.diagonal().fold(start, |(sign, log), value| {
            let magnitude = value.magnitude();
            if magnitude.is_zero() {
                return (T::zero(), T::Magnitude::neg_infinity());
            }
            (sign * (value / T::from_real(magnitude)), log + num_traits::Float::ln(magnitude))
        }))
    })?;
    let signs: Vec<T> = found.iter().map(|&(sign, _)| sign).collect();
    let logarithms: Vec<T> = found.iter().map(|&(_, log)| T::from_real(log)).collect();
    write(&mut sign, matrices.followed_by(&[]), std::iter::once(signs.as_slice()))?;
    write(&mut log_abs_determinant, matrices.followed_by(&[]), std::iter::once(logarithms.as_slice()))
}

/// Triangular factors of a matrix whose rows are taken in another order.
struct Factors<T> {
    size: usize,
    /// The upper triangle, and below it the lower one without its diagonal of ones.
    packed: Vec<T>,
    /// The row of the matrix that each row of the factors is.
    order: Vec<usize>,
}

impl<T: Scalar> Factors<T> {
    fn new(env: Env<'_>, matrix: &[T], size: usize) -> Result<Self> {
        check_room::<T>(size, size)?;
        let factors = view(matrix, size, size).partial_piv_lu();
        let is_broken = |at: usize| factors.U()[(at, at)].magnitude().is_nan();
        if (0..size).any(is_broken) {
            return Self::of_singular(env, matrix, size);
        }
        let (mut packed, lower) = (elements(factors.U())?, factors.L());
        for row in 0..size {
            for column in 0..row {
                packed[row * size + column] = lower[(row, column)];
            }
        }
        let mut order = try_vec(size)?;
        order.extend_from_slice(factors.P().arrays().0);
        Ok(Self { size, packed, order })
    }

    /// Row by row, where a column without a pivot is passed over, as a singular matrix needs.
    fn of_singular(env: Env<'_>, matrix: &[T], size: usize) -> Result<Self> {
        let mut order = try_vec(size)?;
        order.extend(0..size);
        let mut packed = matrix.to_vec();
        for step in 0..size {
            env.poll();
            let mut pivot = step;
            for row in step + 1..size {
                if packed[row * size + step].magnitude() > packed[pivot * size + step].magnitude() {
                    pivot = row;
                }
            }
            order.swap(step, pivot);
            (0..size).for_each(|column| packed.swap(step * size + column, pivot * size + column));
            for row in step + 1..size {
                let (from, to) = two_rows(&mut packed, size, [step, row]);
                if from[step].magnitude().is_zero() {
                    continue;
                }
                let factor = to[step] / from[step];
                subtract_row(&mut to[step + 1..], factor, &from[step + 1..]);
                to[step] = factor;
            }
        }
        Ok(Self { size, packed, order })
    }

    fn diagonal(&self) -> impl Iterator<Item = T> + '_ {
        self.packed.iter().step_by(self.size + 1).copied()
    }

    fn check_invertible(&self, name: &str) -> Result<()> {
        let is_zero = |value: T| value.magnitude().is_zero() || value.magnitude().is_nan();
        match self.diagonal().position(is_zero) {
            None => Ok(()),
            Some(step) => bail!("{name} is not invertible: step {step} of its elimination has no pivot"),
        }
    }

    /// 1 or -1, by whether the order of rows is an even or an odd one.
    fn sign(&self) -> T {
        // bounded: rows of a matrix that there is
        let mut seen = vec![false; self.size];
        let mut is_odd = false;
        for start in 0..self.size {
            let (mut row, mut length) = (start, 0);
            while !seen[row] {
                (seen[row], row, length) = (true, self.order[row], length + 1);
            }
            is_odd ^= length > 0 && length % 2 == 0;
        }
        if is_odd { T::zero() - T::one() } else { T::one() }
    }

    /// Solves for right sides of `width` columns, or the equations of the conjugate transpose.
    fn solve(&self, env: Env<'_>, mut right: Vec<T>, width: usize, adjoint: bool) -> Result<Vec<T>> {
        let size = self.size;
        let upper = |row: usize, column: usize| self.packed[row * size + column];
        let lower = |row: usize, column: usize| if row == column { T::one() } else { upper(row, column) };
        let extents = [size, width, size];
        let (of_lower, of_upper) = (Triangle { lower: true, adjoint }, Triangle { lower: false, adjoint });
        let mut out = try_vec(right.len())?;
        if adjoint {
            solve_triangle(env, upper, extents, of_upper, &mut right);
            solve_triangle(env, lower, extents, of_lower, &mut right);
            out.extend_from_slice(&right);
            for (from, &to) in self.order.iter().enumerate() {
                out[to * width..][..width].copy_from_slice(&right[from * width..][..width]);
            }
        } else {
            self.order.iter().for_each(|&row| out.extend_from_slice(&right[row * width..][..width]));
            solve_triangle(env, lower, extents, of_lower, &mut out);
            solve_triangle(env, upper, extents, of_upper, &mut out);
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error, check_with, run};

    fn matrix(values: [f64; 4]) -> Tensor {
        Tensor::from_vec([2, 2], values.to_vec()).unwrap()
    }

    #[test]
    fn factors_are_those_of_tensorflow() {
        let out = run("Lu", &[], vec![matrix([1.0, 2.0, 3.0, 4.0])]).unwrap();
        let expected = [3.0, 4.0, 1.0 / 3.0, 2.0 / 3.0];
        assert!(out[0].as_slice::<f64>().unwrap().iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15));
        assert_eq!(out[1].as_slice::<i32>().unwrap(), [1, 0]);
        check_error("Lu", [matrix([1.0, 2.0, 2.0, 4.0])], "not invertible");
    }

    #[test]
    fn inverses_and_solutions() {
        let a = || matrix([2.0, 1.0, 0.0, 4.0]);
        check("MatrixInverse", [a()], matrix([0.5, -0.125, 0.0, 0.25]));
        check_with("MatrixInverse", &[("adjoint", true.into())], [a()], matrix([0.5, 0.0, -0.125, 0.25]));
        let right = || Tensor::from_vec([2, 1], vec![4.0, 8.0]).unwrap();
        check("MatrixSolve", [a(), right()], Tensor::from_vec([2, 1], vec![1.0, 2.0]).unwrap());
        let expected = Tensor::from_vec([2, 1], vec![2.0, 1.5]).unwrap();
        check_with("MatrixSolve", &[("adjoint", true.into())], [a(), right()], expected);
        check_error("MatrixSolve", [matrix([0.0; 4]), right()], "not invertible");
    }

    #[test]
    fn determinants_and_their_logarithms() {
        check("MatrixDeterminant", [matrix([1.0, 2.0, 3.0, 4.0])], -2f64);
        check("MatrixDeterminant", [Tensor::from_vec([0, 0], Vec::<f64>::new()).unwrap()], 1f64);
        let out = run("LogMatrixDeterminant", &[], vec![matrix([0.0, 2.0, 3.0, 0.0])]).unwrap();
        assert_eq!(out[0].to_scalar::<f64>().unwrap(), -1.0);
        assert!((out[1].to_scalar::<f64>().unwrap() - 6f64.ln()).abs() < 1e-15);
        let out = run("LogMatrixDeterminant", &[], vec![matrix([0.0; 4])]).unwrap();
        let found = [&out[0], &out[1]].map(|value| value.to_scalar::<f64>().unwrap());
        assert_eq!(found, [0.0, f64::NEG_INFINITY]);
    }
}
