//! `SegmentMean`: means of rows that are neighbours.
//!
//! Element `i` of `segment_ids`, which do not fall, names the row of the output that row `i` of `data` goes to; the last
//! one is that of the last row. Rows without a segment hold 0. The 16-bit floats are averaged in
//! f32; integers are summed and divided in their own type, wrapping and truncating towards zero.

use oplink::prelude::*;

use super::engine::{Segments, Sum, fold};
use crate::support::elementwise::{Arithmetic, Lanes};

/// The means of the rows of `data` with one segment id.
#[op("SegmentMean",
     input = "data: T",
     input = "segment_ids: Tindices",
     output = "output: T",
     attr = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}",
     attr = "Tindices: {int32, int64}",
     shape = shape_fns::segment_reduction)]
pub struct SegmentMean;

/// `SegmentMean` of numbers.
#[kernel(SegmentMean, device = CPU, T = [numbers], Tindices = any)]
pub fn segment_mean_cpu<T: Lanes<Lane: Divided>>(context: &mut KernelContext<'_>) -> Result<()> {
    let segments = Segments::sorted(context.input(0).shape(), context.input(1))?;
    let divide = |row: &mut [T::Lane], size: usize| row.iter_mut().for_each(|sum| *sum = sum.divided(size));
    let out = fold::<T, Sum>(context, &segments, &context.input(0).shape()[1..], T::Lane::ZERO, Some(&divide))?;
    context.set_output(0, out);
    Ok(())
}

/// A number that is divided by the number of summands.
pub trait Divided: Arithmetic {
    /// `self / count`, in the arithmetic of the type; integers are truncated towards zero. A sum of nothing stays.
    fn divided(self, count: usize) -> Self;
}

macro_rules! divided {
    ($($ty:ty: |$sum:ident, $count:ident| $quotient:expr),*) => {$(
        impl Divided for $ty {
            #[inline]
            fn divided(self, count: usize) -> Self {
                let ($sum, $count) = (self, count);
                if $count == 0 { $sum } else { $quotient }
            }
        }
    )*};
}

macro_rules! integers {
    ($($ty:ty),*) => {
        // A count that wraps to 0 in the type divides nothing.
        divided!($($ty: |sum, count| match count as $ty { 0 => sum, count => sum.wrapping_div(count) }),*);
    };
}

integers!(i8, i16, i32, i64, u8, u16, u32, u64);
divided!(f32: |sum, count| sum / count as f32, f64: |sum, count| sum / count as f64);
divided!(Complex<f32>: |sum, count| sum / count as f32, Complex<f64>: |sum, count| sum / count as f64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error};

    #[test]
    fn averages_rows() {
        let data = Tensor::from_vec([3, 2], vec![1.0f32, 2.0, 3.0, 4.0, 5.0, -6.0]).unwrap();
        let out = Tensor::from_vec([4, 2], vec![2.0f32, 3.0, 0.0, 0.0, 0.0, 0.0, 5.0, -6.0]).unwrap();
        check("SegmentMean", [data.clone(), [0, 0, 3].into()], out);
        check("SegmentMean", [[-5i8, -4, 100, 100, 100].into(), [0i64, 0, 1, 1, 1].into()], [-4i8, 14]);
        check_error("SegmentMean", [data.clone(), [1, 0, 0].into()], "must be >= 0 and not fall");
        check_error("SegmentMean", [data.clone(), [-1, 0, 0].into()], "must be >= 0 and not fall");
        check_error("SegmentMean", [data, [0, 0].into()], "2 elements for 3 rows");
    }
}
