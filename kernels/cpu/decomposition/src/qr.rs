//! `Qr`, by Householder reflections.

use num_complex::Complex;
use num_traits::Zero;
use oplink::memory::try_resize;
use oplink::prelude::*;
use oplink_ops::decomposition::Qr;

use crate::batch::{Matrices, each, write};
use crate::dense::{check_room, elements, view};
use crate::scalar::Scalar;

/// `Qr` of every number.
#[kernel(Qr, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>])]
pub fn qr_cpu<T: Scalar>(
    input: &Tensor,
    full_matrices: bool,
    mut q: OutputSlot<'_>,
    mut r: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (matrices, values) = (Matrices::of("input", input)?, input.as_slice::<T>()?);
    let (rows, columns) = (matrices.rows, matrices.columns);
    let inner = if full_matrices { rows } else { matrices.smaller() };
    check_room::<T>(rows, inner.max(columns))?;
    let found = each(env, matrices.count(), 2 * inner * matrices.size(), |at| {
        factors(matrices.get(values, at), [rows, columns, inner])
    })?;
    write(&mut q, matrices.followed_by(&[rows, inner]), found.iter().map(|(q, _)| q.as_slice()))?;
    write(&mut r, matrices.followed_by(&[inner, columns]), found.iter().map(|(_, r)| r.as_slice()))
}

/// The factors of a matrix of `rows` and `columns` with `inner` columns of the first.
fn factors<T: Scalar>(matrix: &[T], [rows, columns, inner]: [usize; 3]) -> Result<(Vec<T>, Vec<T>)> {
    if inner == 0 {
        return Ok((Vec::new(), Vec::new()));
    }
    let decomposed = view(matrix, rows, columns).qr();
    let whole = if inner == rows { decomposed.compute_Q() } else { decomposed.compute_thin_Q() };
    let mut q = elements(whole.as_ref())?;
    let mut r = elements(decomposed.thin_R())?;
    try_resize(&mut r, inner * columns, T::zero())?;
    for step in 0..inner.min(columns) {
        r[step * columns..][..step].fill(T::zero());
        let factor = real_pivot(r[step * columns + step], step + 1 == rows);
        // Row `step` of R times the factor, column `step` of Q divided by it.
        r[step * columns..][..columns].iter_mut().for_each(|value| *value *= factor);
        q.iter_mut().skip(step).step_by(inner).for_each(|value| *value *= factor.conjugate());
    }
    Ok((q, r))
}

/// What makes a pivot real, of the sign opposite to what it was made of. The last row has nothing to eliminate, and a
/// real pivot there stays.
fn real_pivot<T: Scalar>(pivot: T, is_last: bool) -> T {
    let magnitude = pivot.magnitude();
    if magnitude.is_zero() || pivot.imaginary_part().is_zero() {
        return T::one();
    }
    let is_negative = (pivot.real_part() >= Zero::zero()) == is_last;
    let factor = T::from_real(magnitude) / pivot;
    if is_negative { T::zero() - factor } else { factor }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::run;

    #[test]
    fn factors_are_those_of_tensorflow() {
        let matrix = Tensor::from_vec([2, 2], vec![1.0, 2.0, 3.0, 4.0]).unwrap();
        let out = run("Qr", &[], vec![matrix]).unwrap();
        let near = |tensor: &Tensor, expected: [f64; 4]| {
            tensor.as_slice::<f64>().unwrap().iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6)
        };
        assert!(near(&out[0], [-0.316_227_8, -0.948_683_3, -0.948_683_3, 0.316_227_8]), "{:?}", out[0]);
        assert!(near(&out[1], [-3.162_277_7, -4.427_188_7, 0.0, -0.632_455_5]), "{:?}", out[1]);
    }

    #[test]
    fn matrices_without_elements_take_no_time_whatever_their_extents() {
        for dims in [[1 << 40, 0], [0, 1 << 40]] {
            let out = run("Qr", &[], vec![Tensor::from_vec(dims, Vec::<f64>::new()).unwrap()]).unwrap();
            assert_eq!([out[0].shape().dims(), out[1].shape().dims()], [[dims[0], 0], [0, dims[1]]]);
        }
    }

    #[test]
    fn full_matrices_are_square() {
        let tall = Tensor::from_vec([1, 3, 2], vec![1f32, 2.0, 3.0, 4.0, 5.0, 7.0]).unwrap();
        let shapes = |full: bool| {
            let out = run("Qr", &[("full_matrices", full.into())], vec![tall.clone()]).unwrap();
            [out[0].shape().dims().to_vec(), out[1].shape().dims().to_vec()]
        };
        assert_eq!(shapes(true), [[1, 3, 3], [1, 3, 2]]);
        assert_eq!(shapes(false), [[1, 3, 2], [1, 2, 2]]);
    }
}
