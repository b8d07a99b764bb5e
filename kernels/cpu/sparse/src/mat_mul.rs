//! `SparseTensorDenseMatMul`: the product of a sparse matrix and a dense one.
//!
//! With `adjoint_a` or `adjoint_b` that matrix is transposed and conjugated first. Products are added in the order of
//! the values; those of 16-bit floats are summed in f32.

use oplink::memory::try_filled;
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_support::elementwise::{Arithmetic, Computed};
use oplink_ops::sparse::{SparseTensorDenseMatMul, SparseTensorDenseMatMulInputs, product_extents};

/// The complex conjugate; a real number itself.
pub trait Conjugate: Arithmetic {
    /// The conjugate.
    #[must_use]
    fn conj(self) -> Self;
}

macro_rules! conjugate {
    ($($ty:ty: |$x:ident| $conj:expr;)*) => {$(
        impl Conjugate for $ty {
            fn conj(self) -> Self { let $x = self; $conj }
        }
    )*};
}

conjugate! {
    f32: |x| x;
    f64: |x| x;
    i32: |x| x;
    num_complex::Complex<f32>: |x| num_complex::Complex::conj(&x);
    num_complex::Complex<f64>: |x| num_complex::Complex::conj(&x);
}

/// `SparseTensorDenseMatMul` of floats, complex numbers and int32.
#[kernel(SparseTensorDenseMatMul, device = CPU, Tindices = any,
         T = [f16, bf16, f32, f64, i32, Complex<f32>, Complex<f64>], host_memory = [a_shape])]
pub fn sparse_tensor_dense_mat_mul_cpu<T: Computed>(
    inputs: SparseTensorDenseMatMulInputs<'_>,
    adjoint_a: bool,
    adjoint_b: bool,
    mut product: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()>
where
    T::ComputeType: Conjugate,
{
    let [rows, inner, columns] = product_extents(&inputs, adjoint_a, adjoint_b)?;
    let (a_indices, a_values, b) = (&*inputs.a_indices, &*inputs.a_values, &*inputs.b);
    let out = product.allocate([rows, columns])?.as_mut_slice::<T>()?;
    let (values, b) = (a_values.as_slice::<T>()?, b.as_slice::<T>()?);
    let indices = int_values(a_indices)?;
    let mut sums = try_filled(T::ComputeType::ZERO, out.len())?;
    let inside = |value: i64, extent: usize| usize::try_from(value).ok().filter(|&value| value < extent);
    // Nothing is multiplied, and no index looked at, where a dense side is empty.
    let values = if out.is_empty() || b.is_empty() { &[] } else { values };
    for (at, value) in env.watch(values.iter().enumerate()) {
        let row =
            if adjoint_a { [indices[2 * at + 1], indices[2 * at]] } else { [indices[2 * at], indices[2 * at + 1]] };
        let (Some(m), Some(k)) = (inside(row[0], rows), inside(row[1], inner)) else {
            let shape = Shape::new(&if adjoint_a { [inner, rows] } else { [rows, inner] });
            bail!("a_indices[{at}] = {:?} is outside of a_shape {shape}", &indices[2 * at..][..2])
        };
        let value = value.to_computed();
        let value = if adjoint_a { value.conj() } else { value };
        for (n, sum) in sums[m * columns..][..columns].iter_mut().enumerate() {
            let factor =
                if adjoint_b { b[n * inner + k].to_computed().conj() } else { b[k * columns + n].to_computed() };
            *sum = sum.add(value.mul(factor));
        }
    }
    T::narrow(&sums, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error, check_with};

    fn matrix<T: Element>(shape: [usize; 2], values: Vec<T>) -> Tensor {
        Tensor::from_vec(shape, values).unwrap()
    }

    #[test]
    fn products() {
        let a = || [matrix([2, 2], vec![0i64, 1, 1, 0]), [2.0f32, 3.0].into(), [2i64, 3].into()];
        let b = matrix([3, 2], vec![1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let [i, v, s] = a();
        check("SparseTensorDenseMatMul", [i, v, s, b], matrix([2, 2], vec![6.0f32, 8.0, 3.0, 6.0]));
        let [i, v, s] = a();
        let turned = matrix([1, 2], vec![1.0f32, 10.0]);
        let attrs = [("adjoint_a", true.into()), ("adjoint_b", true.into())];
        check_with("SparseTensorDenseMatMul", &attrs, [i, v, s, turned], matrix([3, 1], vec![30.0f32, 2.0, 0.0]));
    }

    #[test]
    fn what_is_outside_is_an_error() {
        let b = || matrix([1, 1], vec![1.0f32]);
        for row in [[0i64, 1], [1, 0], [-1, 0]] {
            let inputs = [matrix([1, 2], row.to_vec()), [2.0f32].into(), [1i64, 1].into(), b()];
            check_error("SparseTensorDenseMatMul", inputs, "is outside of a_shape");
        }
    }
}
