//! `Svd`.

use num_complex::Complex;
use oplink::memory::{try_collect, try_filled};
use oplink::prelude::*;
use oplink_ops::decomposition::{BatchSvd, Svd};

use crate::batch::{Matrices, each, write};
use crate::dense::{check_room, elements, identity, view};
use crate::scalar::Scalar;

/// `Svd` of every number.
#[kernel(Svd, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>])]
#[kernel(BatchSvd, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>])]
pub fn svd_cpu<T: Scalar>(
    input: &Tensor,
    compute_uv: bool,
    full_matrices: bool,
    mut s: OutputSlot<'_>,
    mut u: OutputSlot<'_>,
    mut v: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (matrices, values) = (Matrices::of("input", input)?, input.as_slice::<T>()?);
    let (rows, columns, count) = (matrices.rows, matrices.columns, matrices.smaller());
    let [left, right] = if full_matrices { [rows, columns] } else { [count; 2] };
    check_room::<T>(rows.max(columns), left.max(right))?;
    let found = each(env, matrices.count(), 8 * count * matrices.size(), |at| {
        let matrix = matrices.get(values, at);
        if count == 0 {
            let vectors = |rows: usize, columns: usize| {
                if rows == columns { identity(rows) } else { try_filled(T::zero(), rows * columns) }
            };
            return Ok([Vec::new(), vectors(rows, left)?, vectors(columns, right)?]);
        }
        decomposed(matrix, [rows, columns], full_matrices && compute_uv)
    })?;
    write(&mut s, matrices.followed_by(&[count]), found.iter().map(|[s, ..]| s.as_slice()))?;
    if !compute_uv {
        let nothing = || std::iter::empty::<&[T]>();
        write(&mut u, Shape::new(&[0]), nothing())?;
        return write(&mut v, Shape::new(&[0]), nothing());
    }
    write(&mut u, matrices.followed_by(&[rows, left]), found.iter().map(|[_, u, _]| u.as_slice()))?;
    write(&mut v, matrices.followed_by(&[columns, right]), found.iter().map(|[.., v]| v.as_slice()))
}

/// Singular values, and the left and right singular vectors; NaN where there are none.
pub(crate) fn decomposed<T: Scalar>(matrix: &[T], [rows, columns]: [usize; 2], is_full: bool) -> Result<[Vec<T>; 3]> {
    let count = rows.min(columns);
    let found = if is_full { view(matrix, rows, columns).svd() } else { view(matrix, rows, columns).thin_svd() };
    let Ok(found) = found else {
        let [left, right] = if is_full { [rows, columns] } else { [count; 2] };
        let nan = |size: usize| try_filled(T::from_float(f64::NAN), size);
        return Ok([nan(count)?, nan(rows * left)?, nan(columns * right)?]);
    };
    let values = found.S().column_vector();
    let s = try_collect((0..count).map(|at| values[at]))?;
    Ok([s, elements(found.U())?, elements(found.V())?])
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::run;

    #[test]
    fn factors_multiply_to_the_matrix() {
        let values: Vec<f64> = (0..12).map(|i| f64::from((i * 7) % 11) - 4.0).collect();
        let matrix = Tensor::from_vec([4, 3], values.clone()).unwrap();
        let out = run("Svd", &[], vec![matrix]).unwrap();
        let [s, u, v] = [0, 1, 2].map(|at| out[at].as_slice::<f64>().unwrap());
        assert!(s.windows(2).all(|pair| pair[0] >= pair[1]) && s[2] >= 0.0, "{s:?}");
        for row in 0..4 {
            for column in 0..3 {
                let sum: f64 = (0..3).map(|k| u[row * 3 + k] * s[k] * v[column * 3 + k]).sum();
                assert!((sum - values[row * 3 + column]).abs() < 1e-13);
            }
        }
    }

    #[test]
    fn values_alone_and_empty_matrices() {
        let zeros = Tensor::from_vec([2, 0, 3], Vec::<f32>::new()).unwrap();
        let out = run("Svd", &[("full_matrices", true.into())], vec![zeros]).unwrap();
        assert_eq!([0, 1, 2].map(|at| out[at].shape().dims()), [&[2, 0][..], &[2, 0, 0], &[2, 3, 3]]);
        let one = Tensor::from_vec([1, 1], vec![-3f32]).unwrap();
        let out = run("Svd", &[("compute_uv", false.into())], vec![one]).unwrap();
        assert_eq!((out[0].as_slice::<f32>().unwrap(), out[1].num_elements()), (&[3.0][..], 0));
    }
}
