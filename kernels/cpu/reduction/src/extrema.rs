//! `Max` and `Min`: the largest and the smallest element over axes.
//!
//! Axes and `keep_dims` as for `Sum`. NaN wins over every other value. No elements give the dtype's lowest value for
//! `Max`, its highest for `Min`: infinities for floats.

use super::engine::{Join, Joined, reduce};
use oplink::prelude::*;
use oplink_cpu_support::elementwise::Computed;
use oplink_ops::reduction::{Max, Min};

struct Larger;

impl<L: Real> Join<L> for Larger {
    const IDENTITY: L = L::LOWEST;
    #[inline]
    fn join(a: L, b: L) -> L {
        if (a > b) | a.is_nan_value() { a } else { b }
    }
}

struct Smaller;

impl<L: Real> Join<L> for Smaller {
    const IDENTITY: L = L::HIGHEST;
    #[inline]
    fn join(a: L, b: L) -> L {
        if (a < b) | a.is_nan_value() { a } else { b }
    }
}

/// `Max` for every real number.
#[kernel(Max, device = CPU, T = [reals], Tidx = [i32, i64])]
pub fn reduce_max_cpu<T: Computed<ComputeType: Real>>(
    input: &Tensor,
    reduction_indices: &Tensor,
    keep_dims: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    reduce::<T, Joined<Larger>>(input, reduction_indices, keep_dims, &mut output, &env)
}

/// `Min` for every real number.
#[kernel(Min, device = CPU, T = [reals], Tidx = [i32, i64])]
pub fn reduce_min_cpu<T: Computed<ComputeType: Real>>(
    input: &Tensor,
    reduction_indices: &Tensor,
    keep_dims: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    reduce::<T, Joined<Smaller>>(input, reduction_indices, keep_dims, &mut output, &env)
}

#[cfg(test)]
mod max_tests {
    use super::*;
    use oplink_cpu_support::testing::check;

    #[test]
    fn the_largest_wins() {
        let matrix = Tensor::from_vec([2, 3], vec![1, -2, 3, 4, -5, -6]).unwrap();
        check("Max", [matrix.clone(), 0.into()], [4, -2, 3]);
        check("Max", [matrix, 1.into()], [3, 4]);
        check("Max", [[f16::from_f32(-1.5), f16::NEG_INFINITY].into(), 0.into()], f16::from_f32(-1.5));
        check("Max", [[0u64, u64::MAX].into(), 0.into()], u64::MAX);
    }

    #[test]
    fn nan_wins_wherever_it_stands() {
        for place in 0..40 {
            let mut values: Vec<f32> = (0..40).map(|i| i as f32).collect();
            values[place] = f32::NAN;
            check("Max", [values.clone().into(), 0.into()], f32::NAN);
            let columns: Vec<f32> = values.iter().flat_map(|&v| [v, 1.0]).collect();
            check("Max", [Tensor::from_vec([40, 2], columns).unwrap(), 0.into()], [f32::NAN, 1.0]);
        }
    }

    #[test]
    fn nothing_gives_the_lowest_value() {
        check("Max", [Tensor::zeros(DType::Float, [0]).unwrap(), 0.into()], f32::NEG_INFINITY);
        check("Max", [Tensor::zeros(DType::Int8, [0, 1]).unwrap(), 0.into()], [i8::MIN]);
    }
}

#[cfg(test)]
mod min_tests {
    use super::*;
    use oplink_cpu_support::testing::check;

    #[test]
    fn the_smallest_wins() {
        let matrix = Tensor::from_vec([2, 3], vec![1, -2, 3, 4, -5, -6]).unwrap();
        check("Min", [matrix.clone(), 0.into()], [1, -5, -6]);
        check("Min", [matrix, 1.into()], [-2, -6]);
        check("Min", [[bf16::from_f32(1.5), bf16::NAN].into(), 0.into()], bf16::NAN);
        check("Min", [[f32::NAN, 1.0, 2.0].into(), 0.into()], f32::NAN);
    }

    #[test]
    fn nothing_gives_the_highest_value() {
        check("Min", [Tensor::zeros(DType::Double, [0]).unwrap(), 0.into()], f64::INFINITY);
        check("Min", [Tensor::zeros(DType::UInt8, [0, 1]).unwrap(), 0.into()], [u8::MAX]);
    }
}
