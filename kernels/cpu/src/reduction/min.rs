//! `Min`: the smallest element over axes.
//!
//! Axes and `keep_dims` as for `Sum`. NaN wins over every other value. No elements give the dtype's highest value, infinity
//! for floats.

use oplink::prelude::*;

use super::engine::{Join, Joined, reduce};
use crate::support::elementwise::Lanes;

/// The smallest element of `input` over the axes in `reduction_indices`.
#[op("Min",
     input = "input: T",
     input = "reduction_indices: Tidx",
     output = "output: T",
     attr = "keep_dims: bool = false",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8, qint32, qint16, quint16}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::reduction)]
pub struct Min;

struct Smaller;

impl<L: Real> Join<L> for Smaller {
    const IDENTITY: L = L::HIGHEST;
    #[inline]
    fn join(a: L, b: L) -> L {
        if (a < b) | a.is_nan_value() { a } else { b }
    }
}

/// `Min` for every real number.
#[kernel(Min, device = CPU, T = [reals], Tidx = [i32, i64])]
pub fn min_cpu<T: Lanes<Lane: Real>>(context: &mut KernelContext<'_>) -> Result<()> {
    reduce::<T, Joined<Smaller>>(context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::check;

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
