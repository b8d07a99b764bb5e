//! `UnsortedSegmentMin`: the smallest elements of slices by segment, in any order.
//!
//! `data` starts with the shape of `segment_ids`; each number there, below the scalar `num_segments`, names the row of the
//! output that the slice behind it goes to; slices of negative numbers are left out. Rows without a slice, and
//! elements that are all above, hold the highest finite number. Of NaN and a number, the later one stays.

use oplink::prelude::*;

use super::super::arg_extremum::Ordinal;
use super::engine::{Smallest, reduce_unsorted};
use crate::support::elementwise::Lanes;

/// The smallest elements of the slices of `data` with one segment id.
#[op("UnsortedSegmentMin",
     input = "data: T",
     input = "segment_ids: Tindices",
     input = "num_segments: Tnumsegments",
     output = "output: T",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}",
     attr = "Tindices: {int32, int64}",
     attr = "Tnumsegments: {int32, int64} = DT_INT32",
     shape = shape_fns::unsorted_segment_reduction)]
pub struct UnsortedSegmentMin;

/// `UnsortedSegmentMin` of real numbers.
#[kernel(UnsortedSegmentMin, device = CPU, T = [reals], Tindices = any, Tnumsegments = any)]
pub fn unsorted_segment_min_cpu<T: Ordinal + Lanes<Lane: Real>>(context: &mut KernelContext<'_>) -> Result<()> {
    reduce_unsorted::<T, Smallest>(context, T::HIGHEST.to_lane())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error};

    #[test]
    fn the_smallest_by_position() {
        let data = Tensor::from_vec([2, 2], vec![1, 2, 3, 4]).unwrap();
        let ids = Tensor::from_vec([2, 2], vec![0, 1, -1, 1]).unwrap();
        check("UnsortedSegmentMin", [data.clone(), ids.clone(), 3.into()], [1, 2, i32::MAX]);
        check(
            "UnsortedSegmentMin",
            [data.clone(), [-1, -1].into(), 1i64.into()],
            Tensor::from_vec([1, 2], vec![i32::MAX, i32::MAX]).unwrap(),
        );
        check_error("UnsortedSegmentMin", [data.clone(), ids.clone(), 1.into()], "segment_ids[1] = 1 is not in [0, 1)");
        check_error("UnsortedSegmentMin", [data.clone(), ids, (-1).into()], "num_segments must be >= 0");
        check_error("UnsortedSegmentMin", [data, [0].into(), 1.into()], "must start with the shape [1]");
    }
}
