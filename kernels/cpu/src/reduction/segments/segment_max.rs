//! `SegmentMax`: the largest elements of rows that are neighbours.
//!
//! Element `i` of `segment_ids`, which do not fall, names the row of the output that row `i` of `data` goes to; the last
//! one is that of the last row. Rows without a segment hold 0. Of NaN and a number, the later one
//! stays.

use oplink::prelude::*;

use super::engine::{Largest, reduce_sorted};
use crate::support::elementwise::{Arithmetic, Lanes};

/// The largest elements of the rows of `data` with one segment id.
#[op("SegmentMax",
     input = "data: T",
     input = "segment_ids: Tindices",
     output = "output: T",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}",
     attr = "Tindices: {int32, int64}",
     shape = shape_fns::segment_reduction)]
pub struct SegmentMax;

/// `SegmentMax` of real numbers.
#[kernel(SegmentMax, device = CPU, T = [reals], Tindices = any)]
pub fn segment_max_cpu<T: Lanes<Lane: Arithmetic + Real>>(context: &mut KernelContext<'_>) -> Result<()> {
    reduce_sorted::<T, Largest>(context, Some(T::Lane::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error};

    #[test]
    fn the_largest_by_column() {
        let data = Tensor::from_vec([3, 2], vec![1.0f32, 2.0, 3.0, 4.0, 5.0, -6.0]).unwrap();
        let out = Tensor::from_vec([4, 2], vec![3.0f32, 4.0, 0.0, 0.0, 0.0, 0.0, 5.0, -6.0]).unwrap();
        check("SegmentMax", [data.clone(), [0, 0, 3].into()], out);
        let nan = f32::NAN;
        check("SegmentMax", [[nan, 1.0, 2.0, nan].into(), [0, 0, 1, 1].into()], [1.0, nan]);
        let infinite = [f32::NEG_INFINITY, f32::INFINITY];
        check("SegmentMax", [infinite.into(), [0, 1].into()], infinite);
        check_error("SegmentMax", [data.clone(), [1, 0, 0].into()], "must be >= 0 and not fall");
        check_error("SegmentMax", [data.clone(), [-1, 0, 0].into()], "must be >= 0 and not fall");
        check_error("SegmentMax", [data, [0, 0].into()], "2 elements for 3 rows");
    }
}
