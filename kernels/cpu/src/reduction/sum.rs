//! `Sum`: the sum over axes.
//!
//! `reduction_indices`, a scalar or a vector, lists the axes, negative ones counted from the end; with `keep_dims` they
//! stay with extent 1. No elements sum to 0. Floats are summed pairwise in blocks, the 16-bit floats in f32; integers wrap.
//! It is an error when an axis does not exist or is listed twice.

use oplink::prelude::*;

use super::engine::{Join, Joined, reduce};
use crate::support::elementwise::{Arithmetic, Lanes};

/// The sum of the elements of `input` over the axes in `reduction_indices`.
#[op("Sum",
     input = "input: T",
     input = "reduction_indices: Tidx",
     output = "output: T",
     attr = "keep_dims: bool = false",
     attr = "T: numbertype",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::reduction)]
pub struct Sum;

struct Add;

impl<L: Arithmetic> Join<L> for Add {
    const IDENTITY: L = L::ZERO;
    #[inline]
    fn join(a: L, b: L) -> L {
        a.add(b)
    }
}

/// `Sum` for every number.
#[kernel(Sum, device = CPU, T = [numbers], Tidx = [i32, i64])]
pub fn sum_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    reduce::<T, Joined<Add>>(context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error, check_with};

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
