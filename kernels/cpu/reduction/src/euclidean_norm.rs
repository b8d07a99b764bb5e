//! `EuclideanNorm`: the square root of the sum of squared magnitudes over axes.
//!
//! Axes and `keep_dims` as for `Sum`; 0 for no elements. Squares are formed and summed in the dtype (f32 for the 16-bit
//! floats), so that integers wrap and floats may overflow; the root of an integer is truncated.

use super::engine::{Reduction, reduce};
use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Arithmetic, Computed};
use oplink_ops::reduction::EuclideanNorm;

/// A compute type whose norms can be formed.
pub trait NormElement: Arithmetic {
    /// The squared magnitude.
    #[must_use]
    fn squared(self) -> Self;
    /// The square root.
    #[must_use]
    fn root(self) -> Self;
}

macro_rules! norms {
    ($($ty:ty, |$x:ident| $squared:expr, $root:expr;)*) => {$(
        impl NormElement for $ty {
            #[inline]
            fn squared(self) -> Self { let $x = self; $squared }
            fn root(self) -> Self { let $x = self; $root }
        }
    )*};
}

macro_rules! integer_norms {
    ($($ty:ty),*) => { norms! { $($ty, |x| x.wrapping_mul(x), (x as f64).sqrt() as $ty;)* } };
}

norms! {
    f32, |x| x * x, x.sqrt();
    f64, |x| x * x, x.sqrt();
    Complex<f32>, |x| Complex::new(x.norm_sqr(), 0.0), x.sqrt();
    Complex<f64>, |x| Complex::new(x.norm_sqr(), 0.0), x.sqrt();
}

integer_norms!(i8, i16, i32, i64, u8, u16, u32, u64);

struct Norm;

impl<L: NormElement> Reduction<L> for Norm {
    type Partial = L;
    const IDENTITY: L = L::ZERO;
    #[inline]
    fn load(value: L) -> L {
        value.squared()
    }
    #[inline]
    fn join(a: L, b: L) -> L {
        a.add(b)
    }
    fn finish(partial: L, _: usize) -> L {
        partial.root()
    }
}

/// `EuclideanNorm` for every number.
#[kernel(EuclideanNorm, device = CPU, T = [numbers], Tidx = [i32, i64])]
pub fn euclidean_norm_cpu<T: Computed<ComputeType: NormElement>>(
    input: &Tensor,
    reduction_indices: &Tensor,
    keep_dims: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    reduce::<T, Norm>(input, reduction_indices, keep_dims, &mut output, &env)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::check;

    #[test]
    fn norms_along_axes() {
        let matrix = Tensor::from_vec([2, 2], vec![3.0f32, 4.0, -12.0, 5.0]).unwrap();
        check("EuclideanNorm", [matrix.clone(), 1.into()], [5.0f32, 13.0]);
        check(
            "EuclideanNorm",
            [matrix, Tensor::from_slice::<i32>(&[])],
            Tensor::from_vec([2, 2], vec![3.0f32, 4.0, 12.0, 5.0]).unwrap(),
        );
        check(
            "EuclideanNorm",
            [[Complex::new(3.0f32, 4.0), Complex::new(0.0, 12.0)].into(), 0.into()],
            Complex::new(13.0f32, 0.0),
        );
        check("EuclideanNorm", [Tensor::zeros(DType::BFloat16, [0]).unwrap(), 0.into()], bf16::ZERO);
    }

    #[test]
    fn integers_wrap_and_are_truncated() {
        check("EuclideanNorm", [[-3, -5].into(), 0.into()], 5);
        check("EuclideanNorm", [[200u8, 200].into(), 0.into()], 11u8);
        check("EuclideanNorm", [[30000i16, 30000, 30000].into(), 0.into()], 0i16);
    }
}
