//! `Cholesky` and its gradient.

use num_complex::Complex;
use oplink::memory::{try_filled, try_reserve};
use oplink::prelude::*;
use oplink_ops::decomposition::{BatchCholesky, BatchCholeskyGrad, Cholesky, CholeskyGrad};

use crate::batch::{Matrices, each, write};
use crate::dense::{Triangle, adjoint, check_room, elements, product, solve_triangle, view};
use crate::scalar::Scalar;

/// `Cholesky` of every number that TensorFlow has a kernel for.
#[kernel(Cholesky, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>])]
#[kernel(BatchCholesky, device = CPU, T = [f32, f64])]
pub fn cholesky_cpu<T: Scalar>(input: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let (matrices, values) = (Matrices::square("input", input)?, input.as_slice::<T>()?);
    let size = matrices.rows;
    check_room::<T>(size, size)?;
    let found = each(env, matrices.count(), size * matrices.size(), |at| factor(matrices.get(values, at), size))?;
    write(&mut output, input.shape().clone(), found.iter().map(Vec::as_slice))
}

/// The lower triangular factor; NaN where there is none.
pub(crate) fn factor<T: Scalar>(matrix: &[T], size: usize) -> Result<Vec<T>> {
    // The diagonal counts as real, as in TensorFlow.
    let at_diagonal = |row: usize| row * (size + 1);
    let is_real = |value: T| value == T::from_real(value.real_part());
    let mut copy = Vec::new();
    let matrix = if (0..size).all(|row| is_real(matrix[at_diagonal(row)])) {
        matrix
    } else {
        try_reserve(&mut copy, matrix.len())?;
        copy.extend_from_slice(matrix);
        (0..size).map(at_diagonal).for_each(|at| copy[at] = T::from_real(copy[at].real_part()));
        &copy
    };
    let mut out = match view(matrix, size, size).llt(faer::Side::Lower) {
        Ok(factor) => elements(factor.L())?,
        Err(_) => try_filled(T::from_float(f64::NAN), matrix.len())?,
    };
    for (row, out) in out.chunks_exact_mut(size.max(1)).enumerate() {
        out[row + 1..].fill(T::zero());
    }
    Ok(out)
}

/// `CholeskyGrad` in single and double precision.
#[kernel(CholeskyGrad, device = CPU, T = [f32, f64])]
#[kernel(BatchCholeskyGrad, device = CPU, T = [f32, f64])]
pub fn cholesky_grad_cpu<T: Scalar>(l: &Tensor, grad: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let matrices = Matrices::square("l", l)?;
    ensure!(l.shape() == grad.shape(), "l and grad must have one shape, they have {} and {}", l.shape(), grad.shape());
    let (size, factors, grads) = (matrices.rows, l.as_slice::<T>()?, grad.as_slice::<T>()?);
    let found = each(env, matrices.count(), 3 * size * matrices.size(), |at| {
        gradient(env, matrices.get(factors, at), matrices.get(grads, at), size)
    })?;
    write(&mut output, l.shape().clone(), found.iter().map(Vec::as_slice))
}

/// `L^-H S L^-1` with the symmetric part `S` of the lower triangle of `L^H grad`, whose diagonal counts half (Murray,
/// "Differentiation of the Cholesky decomposition", 2016).
fn gradient<T: Scalar>(env: Env<'_>, factor: &[T], grad: &[T], size: usize) -> Result<Vec<T>> {
    let half = T::from_float(0.5);
    // What is above the diagonal is no part of either.
    let lower = |matrix: &[T]| {
        let mut out = matrix.to_vec();
        out.chunks_exact_mut(size.max(1)).enumerate().for_each(|(row, out)| out[row + 1..].fill(T::zero()));
        out
    };
    let mut middle = product(&adjoint(&lower(factor), size, size)?, &lower(grad), [size; 3])?;
    for row in 0..size {
        middle[row * size + row] *= half;
        for column in row + 1..size {
            middle[row * size + column] = middle[column * size + row].conjugate();
        }
        middle[row * size + row] = middle[row * size + row] + middle[row * size + row];
    }
    middle.iter_mut().for_each(|value| *value *= half);
    let at = |row: usize, column: usize| factor[row * size + column];
    let by_adjoint = Triangle { lower: true, adjoint: true };
    // L^-H middle, then (L^-H (that)^H)^H.
    solve_triangle(env, at, [size, size, size], by_adjoint, &mut middle);
    let mut turned = adjoint(&middle, size, size)?;
    solve_triangle(env, at, [size, size, size], by_adjoint, &mut turned);
    adjoint(&turned, size, size)
}

#[cfg(test)]
mod tests {
    use num_complex::Complex;
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{assert_close, check, check_error, run};

    fn matrix(values: [f64; 4]) -> Tensor {
        Tensor::from_vec([2, 2], values.to_vec()).unwrap()
    }

    #[test]
    fn only_the_lower_triangle_is_read() {
        check("Cholesky", [matrix([4.0, 99.0, 2.0, 5.0])], matrix([2.0, 0.0, 1.0, 2.0]));
        let complex = |re: f64, im: f64| Complex::new(re, im);
        let entries =
            |diagonal: f64| vec![complex(4.0, diagonal), complex(9.0, 9.0), complex(0.0, 2.0), complex(5.0, diagonal)];
        let complex_matrix = |entries: Vec<Complex<f64>>| Tensor::from_vec([2, 2], entries).unwrap();
        let wanted = [complex(2.0, 0.0), complex(0.0, 0.0), complex(0.0, 1.0), complex(2.0, 0.0)];
        check("Cholesky", [complex_matrix(entries(0.0))], complex_matrix(wanted.to_vec()));
        check("Cholesky", [complex_matrix(entries(0.7))], complex_matrix(wanted.to_vec()));
        let nan = f64::NAN;
        check("Cholesky", [matrix([-1.0, 0.0, 0.0, 1.0])], matrix([nan, 0.0, nan, nan]));
        check_error("Cholesky", [Tensor::from_vec([1, 2], vec![0f64; 2]).unwrap()], "square");
    }

    #[test]
    fn gradients_are_those_of_tensorflow() {
        let l = matrix([2f64.sqrt(), 0.0, 0.5f64.sqrt(), 2.5f64.sqrt()]);
        let out = run("CholeskyGrad", &[], vec![l, matrix([1.0, 2.0, 3.0, 4.0])]).unwrap();
        let expected = matrix([
            0.139_451_070_720_201_08,
            0.428_204_639_746_145_4,
            0.428_204_639_746_145_4,
            1.264_911_064_067_351_8,
        ]);
        assert_close(&out[0], &expected, 16.0);
    }
}
