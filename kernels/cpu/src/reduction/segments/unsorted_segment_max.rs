//! `UnsortedSegmentMax`: the largest elements of slices by segment, in any order.
//!
//! `data` starts with the shape of `segment_ids`; each number there, below the scalar `num_segments`, names the row of the
//! output that the slice behind it goes to; slices of negative numbers are left out. Rows without a slice, and
//! elements that are all below, hold the lowest finite number. Of NaN and a number, the later one stays.

use oplink::prelude::*;

use super::super::arg_extremum::Ordinal;
use super::engine::{Largest, reduce_unsorted};
use crate::support::elementwise::Lanes;

/// The largest elements of the slices of `data` with one segment id.
#[op("UnsortedSegmentMax",
     input = "data: T",
     input = "segment_ids: Tindices",
     input = "num_segments: Tnumsegments",
     output = "output: T",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}",
     attr = "Tindices: {int32, int64}",
     attr = "Tnumsegments: {int32, int64} = DT_INT32",
     shape = shape_fns::unsorted_segment_reduction)]
pub struct UnsortedSegmentMax;

/// `UnsortedSegmentMax` of real numbers.
#[kernel(UnsortedSegmentMax, device = CPU, T = [reals], Tindices = any, Tnumsegments = any)]
pub fn unsorted_segment_max_cpu<T: Ordinal + Lanes<Lane: Real>>(context: &mut KernelContext<'_>) -> Result<()> {
    reduce_unsorted::<T, Largest>(context, T::LOWEST.to_lane())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error};

    #[test]
    fn the_largest_by_position() {
        let data = Tensor::from_vec([2, 2], vec![1, 2, 3, 4]).unwrap();
        let ids = Tensor::from_vec([2, 2], vec![0, 1, -1, 1]).unwrap();
        check("UnsortedSegmentMax", [data.clone(), ids.clone(), 3.into()], [1, 4, i32::MIN]);
        check(
            "UnsortedSegmentMax",
            [data.clone(), [-1, -1].into(), 1i64.into()],
            Tensor::from_vec([1, 2], vec![i32::MIN, i32::MIN]).unwrap(),
        );
        check_error("UnsortedSegmentMax", [data.clone(), ids.clone(), 1.into()], "segment_ids[1] = 1 is not in [0, 1)");
        check_error("UnsortedSegmentMax", [data.clone(), ids, (-1).into()], "num_segments must be >= 0");
        check_error("UnsortedSegmentMax", [data, [0].into(), 1.into()], "must start with the shape [1]");
    }
}
