//! `MatrixSquareRoot`, by the Schur form.

use num_complex::Complex;
use oplink::memory::{try_collect, try_filled};
use oplink::prelude::*;
use oplink_ops::decomposition::MatrixSquareRoot;

use crate::batch::{Matrices, each, write};
use crate::dense::{adjoint, check_room, product};
use crate::scalar::Scalar;
use crate::schur::schur;

/// `MatrixSquareRoot` of every number.
#[kernel(MatrixSquareRoot, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>])]
pub fn matrix_square_root_cpu<T: Scalar>(input: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let (matrices, values) = (Matrices::square("input", input)?, input.as_slice::<T>()?);
    let size = matrices.rows;
    check_room::<Complex<f64>>(size, size)?;
    let found = each(env, matrices.count(), 25 * size * matrices.size(), |at| {
        let wide = try_collect(matrices.get(values, at).iter().map(|value| value.widened()))?;
        let Some([q, t]) = schur(env, &wide, size)? else { return try_filled(T::from_float(f64::NAN), size * size) };
        let root = of_triangle(&t, size)?;
        let root = product(&product(&q, &root, [size; 3])?, &adjoint(&q, size, size)?, [size; 3])?;
        let largest = root.iter().fold(0f64, |largest, value| largest.max(value.norm()));
        // A real matrix whose root is complex has none here.
        let is_real = T::from_float(1.0).widened().im == 0.0 && matches!(T::DTYPE, DType::Float | DType::Double);
        if is_real && root.iter().any(|value| !(value.im.abs() <= 1e-6 * largest)) {
            return try_filled(T::from_float(f64::NAN), size * size);
        }
        try_collect(root.iter().map(|&value| T::narrowed(value)))
    })?;
    write(&mut output, input.shape().clone(), found.iter().map(Vec::as_slice))
}

/// The upper triangular root of an upper triangular matrix, diagonal by diagonal.
pub(crate) fn of_triangle(t: &[Complex<f64>], size: usize) -> Result<Vec<Complex<f64>>> {
    let mut root = try_filled(Complex::default(), size * size)?;
    for column in 0..size {
        root[column * size + column] = t[column * size + column].sqrt();
        for row in (0..column).rev() {
            let inner = (row + 1..column).map(|k| root[row * size + k] * root[k * size + column]);
            let rest = t[row * size + column] - inner.sum::<Complex<f64>>();
            let sum = root[row * size + row] + root[column * size + column];
            root[row * size + column] = if rest.norm() == 0.0 && sum.norm() == 0.0 { rest } else { rest / sum };
        }
    }
    Ok(root)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::run;

    #[test]
    fn the_square_of_the_root_is_the_matrix() {
        let values = [10.0, 2.0, 3.0, 1.0, 8.0, -2.0, 0.5, 4.0, 9.0];
        let out = run("MatrixSquareRoot", &[], vec![Tensor::from_vec([3, 3], values.to_vec()).unwrap()]).unwrap();
        let root = out[0].as_slice::<f64>().unwrap();
        for (at, value) in values.iter().enumerate() {
            let square: f64 = (0..3).map(|k| root[at / 3 * 3 + k] * root[k * 3 + at % 3]).sum();
            assert!((square - value).abs() < 1e-12, "{square} for {value}");
        }
        let negative = Tensor::from_vec([1, 1], vec![-4f64]).unwrap();
        let out = run("MatrixSquareRoot", &[], vec![negative]).unwrap();
        assert!(out[0].as_slice::<f64>().unwrap()[0].is_nan());
    }
}
