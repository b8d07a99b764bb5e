//! `MatrixLogarithm` and `MatrixExponential`, in double precision.

use num_complex::Complex;
use oplink::memory::{try_collect, try_filled};
use oplink::prelude::*;
use oplink_ops::decomposition::{MatrixExponential, MatrixLogarithm};

use crate::batch::{Matrices, each, write};
use crate::dense::{Triangle, adjoint, check_room, identity, product, solve_triangle};
use crate::scalar::Scalar;
use crate::schur::schur;
use crate::square_root::of_triangle;

type Number = Complex<f64>;

/// Roots after which a matrix is given up.
const ROOTS: i32 = 100;
/// Terms of the series of a logarithm, of a matrix whose rows add up to [`NEAR`] at most beside the identity.
const LOG_TERMS: usize = 9;
/// See [`LOG_TERMS`].
const NEAR: f64 = 0.1;
/// Terms of the series of an exponential, of a matrix whose rows add up to a half at most.
const EXP_TERMS: usize = 18;

/// `MatrixLogarithm` of complex numbers.
#[kernel(MatrixLogarithm, device = CPU, T = [Complex<f32>, Complex<f64>])]
pub fn matrix_logarithm_cpu<T: Scalar>(input: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    of_each::<T>(input, output, env, |matrix, size| {
        let Some([q, t]) = schur(env, matrix, size)? else { return nothing(size) };
        let Some(log) = log_of_triangle(env, &t, size)? else { return nothing(size) };
        product(&product(&q, &log, [size; 3])?, &adjoint(&q, size, size)?, [size; 3])
    })
}

/// `MatrixExponential` of every number.
#[kernel(MatrixExponential, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>])]
pub fn matrix_exponential_cpu<T: Scalar>(input: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    of_each::<T>(input, output, env, |matrix, size| exponential(env, matrix, size))
}

/// What `function` makes of each matrix.
fn of_each<T: Scalar>(
    input: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
    function: impl Fn(&[Number], usize) -> Result<Vec<Number>> + Sync,
) -> Result<()> {
    let (matrices, values) = (Matrices::square("input", input)?, input.as_slice::<T>()?);
    let size = matrices.rows;
    check_room::<Number>(size, size)?;
    let found = each(env, matrices.count(), 50 * size * matrices.size(), |at| {
        let wide = try_collect(matrices.get(values, at).iter().map(|value| value.widened()))?;
        try_collect(function(&wide, size)?.into_iter().map(T::narrowed))
    })?;
    write(&mut output, input.shape().clone(), found.iter().map(Vec::as_slice))
}

fn nothing(size: usize) -> Result<Vec<Number>> {
    try_filled(Complex::new(f64::NAN, f64::NAN), size * size)
}

/// The largest sum of magnitudes of a row.
fn row_norm(matrix: &[Number], size: usize) -> f64 {
    let sums = matrix.chunks_exact(size.max(1)).map(|row| row.iter().map(|value| value.norm()).sum::<f64>());
    sums.fold(0.0, f64::max)
}

/// The logarithm of an upper triangular matrix; `None` where roots do not come near the identity.
fn log_of_triangle(env: Env<'_>, t: &[Number], size: usize) -> Result<Option<Vec<Number>>> {
    let (mut root, mut factor) = (t.to_vec(), 2.0);
    let one = identity::<Number>(size)?;
    let less_one = |root: &[Number]| try_collect(root.iter().zip(&one).map(|(value, one)| value - one));
    let mut rest = less_one(&root)?;
    let mut roots = 0;
    while !(row_norm(&rest, size) <= NEAR) {
        if roots == ROOTS {
            return Ok(None);
        }
        env.poll();
        root = of_triangle(&root, size)?;
        rest = less_one(&root)?;
        (roots, factor) = (roots + 1, factor * 2.0);
    }
    // log(1 + x) = 2 artanh(x / (2 + x)).
    let at = |row: usize, column: usize| root[row * size + column] + one[row * size + column];
    solve_triangle(env, at, [size; 3], Triangle { lower: false, adjoint: false }, &mut rest);
    let square = product(&rest, &rest, [size; 3])?;
    let mut sum = try_filled(Number::default(), size * size)?;
    for term in (0..LOG_TERMS).rev() {
        sum = product(&sum, &square, [size; 3])?;
        sum.iter_mut().step_by(size + 1).for_each(|value| *value += 1.0 / (2 * term + 1) as f64);
    }
    let mut log = product(&sum, &rest, [size; 3])?;
    log.iter_mut().for_each(|value| *value *= factor);
    for at in 0..size {
        log[at * size + at] = t[at * size + at].ln();
    }
    Ok(Some(log))
}

/// By the series of the matrix over a power of 2, whose sum is squared as often.
fn exponential(env: Env<'_>, matrix: &[Number], size: usize) -> Result<Vec<Number>> {
    let norm = row_norm(matrix, size);
    if !norm.is_finite() || matrix.iter().any(|value| !value.is_finite()) {
        return nothing(size);
    }
    let halvings = if norm > 0.5 { (norm.log2() + 1.0).ceil() as i32 } else { 0 };
    let part = try_collect(matrix.iter().map(|value| value * (-f64::from(halvings)).exp2()))?;
    let one = identity::<Number>(size)?;
    let mut sum = one.clone();
    for term in (1..=EXP_TERMS).rev() {
        sum = product(&sum, &part, [size; 3])?;
        sum.iter_mut().zip(&one).for_each(|(value, one)| *value = *value / term as f64 + one);
    }
    for _ in 0..halvings {
        env.poll();
        sum = product(&sum, &sum, [size; 3])?;
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{assert_close, run};

    #[test]
    fn one_is_the_inverse_of_the_other() {
        let values = [1.0, 0.5, -0.3, 2.0].map(|value| Complex::new(value, 0.25));
        let matrix = Tensor::from_vec([2, 2], values.to_vec()).unwrap();
        let log = run("MatrixLogarithm", &[], vec![matrix.clone()]).unwrap().remove(0);
        let found = run("MatrixExponential", &[], vec![log]).unwrap().remove(0);
        assert_close(&found, &matrix, 64.0);
    }

    #[test]
    fn matrices_without_a_value() {
        let matrix = Tensor::from_vec([1, 1], vec![f32::NAN]).unwrap();
        let found = run("MatrixExponential", &[], vec![matrix]).unwrap().remove(0);
        assert!(found.as_slice::<f32>().unwrap()[0].is_nan());
    }
}
