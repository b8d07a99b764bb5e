//! `Max`: the largest element over axes.
//!
//! Axes and `keep_dims` as for `Sum`. NaN wins over every other value. No elements give the dtype's lowest value, negative
//! infinity for floats.

use oplink::prelude::*;

use super::engine::{Join, Joined, reduce};
use crate::support::elementwise::Lanes;

/// The largest element of `input` over the axes in `reduction_indices`.
#[op("Max",
     input = "input: T",
     input = "reduction_indices: Tidx",
     output = "output: T",
     attr = "keep_dims: bool = false",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8, qint32, qint16, quint16}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::reduction)]
pub struct Max;

struct Larger;

impl<L: Real> Join<L> for Larger {
    const IDENTITY: L = L::LOWEST;
    #[inline]
    fn join(a: L, b: L) -> L {
        if (a > b) | a.is_nan_value() { a } else { b }
    }
}

/// `Max` for every real number.
#[kernel(Max, device = CPU, T = [reals], Tidx = [i32, i64])]
pub fn max_cpu<T: Lanes<Lane: Real>>(context: &mut KernelContext<'_>) -> Result<()> {
    reduce::<T, Joined<Larger>>(context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::check;

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
