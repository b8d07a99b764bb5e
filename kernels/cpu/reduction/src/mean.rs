//! `Mean`: the mean over axes.
//!
//! Axes and `keep_dims` as for `Sum`. Floats are summed as in `Sum`. Integers are summed in 64 bits, wrapping, and the
//! quotient is truncated towards zero. The mean of no elements is NaN for real floats and 0 for all other numbers.

use super::engine::{Reduction, reduce};
use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Arithmetic, Computed};
use oplink_ops::reduction::Mean;

/// A compute type whose means can be formed.
pub trait MeanElement: Arithmetic {
    /// The type of sums.
    type Sum: Arithmetic + Send + Sync;
    /// The value as a sum of one.
    fn to_sum(self) -> Self::Sum;
    /// The mean of `count` values with this sum.
    fn mean(sum: Self::Sum, count: usize) -> Self;
}

macro_rules! means {
    ($($ty:ty as $sum:ty, |$s:ident, $n:ident| $mean:expr;)*) => {$(
        impl MeanElement for $ty {
            type Sum = $sum;
            #[inline]
            fn to_sum(self) -> $sum { <$sum>::from(self) }
            fn mean($s: $sum, $n: usize) -> Self { $mean }
        }
    )*};
}

means! {
    f32 as f32, |s, n| s / n as f32;
    f64 as f64, |s, n| s / n as f64;
    Complex<f32> as Complex<f32>, |s, n| s / n.max(1) as f32;
    Complex<f64> as Complex<f64>, |s, n| s / n.max(1) as f64;
    i8 as i64, |s, n| s.wrapping_div(n.max(1) as i64) as i8;
    i16 as i64, |s, n| s.wrapping_div(n.max(1) as i64) as i16;
    i32 as i64, |s, n| s.wrapping_div(n.max(1) as i64) as i32;
    i64 as i64, |s, n| s.wrapping_div(n.max(1) as i64);
    u8 as u64, |s, n| (s / n.max(1) as u64) as u8;
    u16 as u64, |s, n| (s / n.max(1) as u64) as u16;
    u32 as u64, |s, n| (s / n.max(1) as u64) as u32;
    u64 as u64, |s, n| s / n.max(1) as u64;
}

struct Average;

impl<L: MeanElement> Reduction<L> for Average {
    type Partial = <L as MeanElement>::Sum;
    const IDENTITY: Self::Partial = Self::Partial::ZERO;
    #[inline]
    fn load(value: L) -> Self::Partial {
        value.to_sum()
    }
    #[inline]
    fn join(a: Self::Partial, b: Self::Partial) -> Self::Partial {
        a.add(b)
    }
    fn finish(partial: Self::Partial, count: usize) -> L {
        L::mean(partial, count)
    }
}

/// `Mean` for every number.
#[kernel(Mean, device = CPU, T = [numbers], Tidx = [i32, i64])]
pub fn mean_cpu<T: Computed<ComputeType: MeanElement>>(
    input: &Tensor,
    reduction_indices: &Tensor,
    keep_dims: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    reduce::<T, Average>(input, reduction_indices, keep_dims, &mut output, &env)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_with};

    #[test]
    fn means_along_axes() {
        let matrix = Tensor::from_vec([2, 3], vec![1.0f32, 2.0, 3.0, 4.0, 5.0, 7.0]).unwrap();
        check("Mean", [matrix.clone(), 0.into()], [2.5f32, 3.5, 5.0]);
        let kept = Tensor::from_vec([2, 1], vec![2.0f32, 16.0 / 3.0]).unwrap();
        check_with("Mean", &[("keep_dims", true.into())], [matrix, [-1i64].into()], kept);
        check(
            "Mean",
            [[Complex::new(1.0f32, 2.0), Complex::new(4.0, 2.0)].into(), 0.into()],
            Complex::new(2.5f32, 2.0),
        );
        check("Mean", [Tensor::full([600], f16::from_f32(300.0)), 0.into()], f16::from_f32(300.0));
    }

    #[test]
    fn integers_are_summed_wide_and_truncated() {
        check("Mean", [[100i8, 100, 101].into(), 0.into()], 100i8);
        check("Mean", [[-3, -4].into(), 0.into()], -3);
        check("Mean", [[i32::MAX, i32::MAX].into(), 0.into()], i32::MAX);
        check("Mean", [[i64::MAX, i64::MAX].into(), 0.into()], -1i64);
        check("Mean", [[u64::MAX, u64::MAX].into(), 0.into()], i64::MAX as u64);
    }

    #[test]
    fn the_mean_of_nothing() {
        check("Mean", [Tensor::zeros(DType::Float, [0, 2]).unwrap(), 0.into()], [f32::NAN, f32::NAN]);
        check("Mean", [Tensor::zeros(DType::Int32, [0]).unwrap(), 0.into()], 0);
        check("Mean", [Tensor::zeros(DType::Complex64, [0]).unwrap(), 0.into()], Complex::new(0.0f32, 0.0));
    }
}
