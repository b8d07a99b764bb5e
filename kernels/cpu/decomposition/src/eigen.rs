//! `SelfAdjointEigV2`, the op before it, and `Eig`.

use num_complex::Complex;
use oplink::memory::{try_collect, try_filled};
use oplink::prelude::*;
use oplink_ops::decomposition::{BatchSelfAdjointEig, BatchSelfAdjointEigV2, Eig, SelfAdjointEig, SelfAdjointEigV2};

use crate::batch::{Matrices, each, write};
use crate::dense::{check_room, elements, view};
use crate::scalar::Scalar;

/// `SelfAdjointEigV2` of every number.
#[kernel(SelfAdjointEigV2, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>])]
#[kernel(BatchSelfAdjointEigV2, device = CPU, T = [f32, f64])]
pub fn self_adjoint_eig_v2_cpu<T: Scalar>(
    input: &Tensor,
    compute_v: bool,
    e: OutputSlot<'_>,
    v: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (matrices, values) = (Matrices::square("input", input)?, input.as_slice::<T>()?);
    let found = self_adjoint(env, &matrices, values)?;
    write_both([e, v], &matrices, compute_v, &found)
}

/// `SelfAdjointEig` of real numbers.
#[kernel(SelfAdjointEig, device = CPU, T = [f32, f64])]
#[kernel(BatchSelfAdjointEig, device = CPU, T = [f32, f64])]
pub fn self_adjoint_eig_cpu<T: Scalar>(input: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let (matrices, values) = (Matrices::square("input", input)?, input.as_slice::<T>()?);
    let found = self_adjoint(env, &matrices, values)?;
    let parts = found.iter().flat_map(|[values, vectors]| [values.as_slice(), vectors.as_slice()]);
    write(&mut output, matrices.followed_by(&[matrices.rows + 1, matrices.rows]), parts)
}

fn self_adjoint<T: Scalar>(env: Env<'_>, matrices: &Matrices, values: &[T]) -> Result<Found<T>> {
    let size = matrices.rows;
    check_room::<T>(size, size)?;
    each(env, matrices.count(), 8 * size * matrices.size(), |at| {
        if size == 0 {
            return nothing(0);
        }
        let Ok(found) = view(matrices.get(values, at), size, size).self_adjoint_eigen(faer::Side::Lower) else {
            return nothing(size);
        };
        let values = found.S().column_vector();
        Ok([try_collect((0..size).map(|at| values[at]))?, elements(found.U())?])
    })
}

/// `Eig` from real numbers in single precision, and so on: `Tout` is the complex dtype of the precision.
#[kernel(Eig, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>], Tout = any)]
pub fn eig_cpu<T: Scalar>(
    input: &Tensor,
    compute_v: bool,
    e: OutputSlot<'_>,
    v: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let matrices = Matrices::square("input", input)?;
    let is_single = matches!(input.dtype(), DType::Float | DType::Complex64);
    let expected = if is_single { DType::Complex64 } else { DType::Complex128 };
    ensure!(e.dtype() == expected, "Tout must be {expected} for an input of {}, it is {}", input.dtype(), e.dtype());
    // In double precision: the vectors of eigenvalues that are near each other lose digits.
    let wide = try_collect(input.as_slice::<T>()?.iter().map(|value| value.widened()))?;
    let found = eigen(env, &matrices, &wide)?;
    if is_single {
        write_both([e, v], &matrices, compute_v, &narrowed(&found)?)
    } else {
        write_both([e, v], &matrices, compute_v, &found)
    }
}

/// Values and vectors of each matrix.
type Found<T> = Vec<[Vec<T>; 2]>;

fn eigen(env: Env<'_>, matrices: &Matrices, values: &[Complex<f64>]) -> Result<Found<Complex<f64>>> {
    let size = matrices.rows;
    check_room::<Complex<f64>>(size, size)?;
    each(env, matrices.count(), 25 * size * matrices.size(), |at| {
        if size == 0 {
            return nothing(0);
        }
        let Ok(found) = view(matrices.get(values, at), size, size).eigen() else { return nothing(size) };
        let (values, mut vectors) = (found.S().column_vector(), elements(found.U())?);
        for column in 0..size {
            let entries = || (0..size).map(|row| row * size + column);
            let length = entries().map(|at| vectors[at].norm_sqr()).sum::<f64>().sqrt();
            if length > 0.0 {
                entries().for_each(|at| vectors[at] /= length);
            }
        }
        Ok([try_collect((0..size).map(|at| values[at]))?, vectors])
    })
}

fn narrowed(found: &Found<Complex<f64>>) -> Result<Found<Complex<f32>>> {
    let narrow = |values: &Vec<Complex<f64>>| try_collect(values.iter().map(|&value| Complex::<f32>::narrowed(value)));
    found.iter().map(|[e, v]| Ok([narrow(e)?, narrow(v)?])).collect()
}

/// Where the iteration does not end, as for NaN.
fn nothing<T: Scalar>(size: usize) -> Result<[Vec<T>; 2]> {
    Ok([try_filled(T::from_float(f64::NAN), size)?, try_filled(T::from_float(f64::NAN), size * size)?])
}

fn write_both<T: Scalar>(
    [mut e, mut v]: [OutputSlot<'_>; 2],
    matrices: &Matrices,
    compute_v: bool,
    found: &Found<T>,
) -> Result<()> {
    let size = matrices.rows;
    write(&mut e, matrices.followed_by(&[size]), found.iter().map(|[values, _]| values.as_slice()))?;
    match compute_v {
        true => write(&mut v, matrices.followed_by(&[size, size]), found.iter().map(|[_, vectors]| vectors.as_slice())),
        false => write(&mut v, Shape::new(&[0]), std::iter::empty::<&[T]>()),
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::run;

    #[test]
    fn values_of_a_symmetric_matrix_rise() {
        let matrix = Tensor::from_vec([2, 2], vec![2.0, 99.0, 1.0, 2.0]).unwrap();
        let out = run("SelfAdjointEigV2", &[], vec![matrix]).unwrap();
        let values = out[0].as_slice::<f64>().unwrap();
        assert!((values[0] - 1.0).abs() < 1e-14 && (values[1] - 3.0).abs() < 1e-14, "{values:?}");
        let vectors = out[1].as_slice::<f64>().unwrap();
        assert!((vectors[0] * vectors[2] + 0.5).abs() < 1e-14, "{vectors:?}");
    }

    #[test]
    fn values_of_a_rotation_are_imaginary() {
        let matrix = Tensor::from_vec([2, 2], vec![0f32, -1.0, 1.0, 0.0]).unwrap();
        let attrs = [("Tout", DType::Complex64.into()), ("compute_v", false.into())];
        let out = run("Eig", &attrs, vec![matrix.clone()]).unwrap();
        let mut values = out[0].as_slice::<Complex<f32>>().unwrap().to_vec();
        values.sort_by(|a, b| a.im.total_cmp(&b.im));
        assert!((values[0] + Complex::i()).norm() < 1e-6 && (values[1] - Complex::i()).norm() < 1e-6, "{values:?}");
        assert!(run("Eig", &[("Tout", DType::Complex128.into())], vec![matrix]).is_err());
    }
}
