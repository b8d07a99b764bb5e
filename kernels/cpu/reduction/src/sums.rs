//! `Sum` and `Prod`: the sum and the product over axes.
//!
//! `reduction_indices`, a scalar or a vector, lists the axes, negative ones counted from the end; with `keep_dims` they
//! stay with extent 1. No elements sum to 0 and multiply to 1. Floats are summed pairwise in blocks; the 16-bit floats
//! are summed and multiplied in f32; integers wrap. It is an error when an axis does not exist or is listed twice.

use super::engine::{Join, Joined, reduce};
use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Arithmetic, Computed};
use oplink_ops::reduction::{Prod, Sum};

struct Add;

impl<L: Arithmetic> Join<L> for Add {
    const IDENTITY: L = L::ZERO;
    #[inline]
    fn join(a: L, b: L) -> L {
        a.add(b)
    }
}

struct Multiply;

impl<L: Arithmetic> Join<L> for Multiply {
    const IDENTITY: L = L::ONE;
    #[inline]
    fn join(a: L, b: L) -> L {
        a.mul(b)
    }
}

/// `Sum` for every number.
#[kernel(Sum, device = CPU, T = [numbers], Tidx = [i32, i64])]
pub fn reduce_sum_cpu<T: Computed<ComputeType: Arithmetic>>(
    input: &Tensor,
    reduction_indices: &Tensor,
    keep_dims: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    reduce::<T, Joined<Add>>(input, reduction_indices, keep_dims, &mut output, &env)
}

/// `Prod` for every number.
#[kernel(Prod, device = CPU, T = [numbers], Tidx = [i32, i64])]
pub fn reduce_prod_cpu<T: Computed<ComputeType: Arithmetic>>(
    input: &Tensor,
    reduction_indices: &Tensor,
    keep_dims: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    reduce::<T, Joined<Multiply>>(input, reduction_indices, keep_dims, &mut output, &env)
}

#[cfg(test)]
mod sum_tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error, check_with};

    fn matrix() -> Tensor {
        Tensor::from_vec([2, 3], vec![1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap()
    }

    #[test]
    fn sums_over_the_axes() {
        check("Sum", [matrix(), 0.into()], [5.0f32, 7.0, 9.0]);
        check("Sum", [matrix(), [-1i64].into()], [6.0f32, 15.0]);
        check("Sum", [matrix(), [0, -1].into()], 21.0f32);
        check("Sum", [matrix(), Tensor::from_slice::<i32>(&[])], matrix());
        let kept = Tensor::from_vec([2, 1], vec![6.0f32, 15.0]).unwrap();
        check_with("Sum", &[("keep_dims", true.into())], [matrix(), [1].into()], kept);
    }

    #[test]
    fn dtypes() {
        check("Sum", [[100i8, 100].into(), 0.into()], -56i8);
        check("Sum", [[u64::MAX, u64::MAX].into(), 0.into()], u64::MAX - 1);
        check("Sum", [Tensor::full([600], bf16::ONE), 0.into()], bf16::from_f32(600.0));
        check(
            "Sum",
            [[Complex::new(1.0f32, 2.0), Complex::new(3.0, -5.0)].into(), 0.into()],
            Complex::new(4.0f32, -3.0),
        );
    }

    #[test]
    fn empty_and_scalar() {
        check("Sum", [Tensor::zeros(DType::Float, [0, 2]).unwrap(), 0.into()], [0.0f32, 0.0]);
        check("Sum", [Tensor::zeros(DType::Float, [0, 2]).unwrap(), 1.into()], Tensor::from_slice::<f32>(&[]));
        check("Sum", [3.0f32.into(), Tensor::from_slice::<i32>(&[])], 3.0f32);
    }

    #[test]
    fn wrong_axes_are_errors() {
        check_error("Sum", [matrix(), 2.into()], "axis 2 is outside");
        check_error("Sum", [matrix(), [1, -1].into()], "names axis 1 twice");
        check_error("Sum", [1.0f32.into(), 0.into()], "axis 0 is outside");
    }
}

#[cfg(test)]
mod prod_tests {
    use super::*;
    use oplink_cpu_support::testing::check;

    #[test]
    fn multiplies() {
        let matrix = Tensor::from_vec([2, 3], vec![1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        check("Prod", [matrix.clone(), 0.into()], [4.0f32, 10.0, 18.0]);
        check("Prod", [matrix, [1i64, 0].into()], 720.0f32);
        check("Prod", [[200u8, 200].into(), 0.into()], 64u8);
        check("Prod", [[30000i16, 30000, 30000].into(), 0.into()], -20480i16);
        check("Prod", [[Complex::new(1.0, 2.0), Complex::new(3.0, -1.0)].into(), 0.into()], Complex::new(5.0, 5.0));
        check("Prod", [Tensor::zeros(DType::Half, [0, 2]).unwrap(), 0.into()], [f16::ONE, f16::ONE]);
    }
}
