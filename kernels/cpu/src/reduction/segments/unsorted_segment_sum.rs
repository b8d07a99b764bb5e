//! `UnsortedSegmentSum`: sums of slices by segment, in any order.
//!
//! `data` starts with the shape of `segment_ids`; each number there, below the scalar `num_segments`, names the row of the
//! output that the slice behind it goes to; slices of negative numbers are left out. Rows without a slice hold
//! 0. The 16-bit floats are summed in f32, integers wrap.

use oplink::prelude::*;

use super::engine::{Sum, reduce_unsorted};
use crate::support::elementwise::{Arithmetic, Lanes};

/// The sums of the slices of `data` with one segment id.
#[op("UnsortedSegmentSum",
     input = "data: T",
     input = "segment_ids: Tindices",
     input = "num_segments: Tnumsegments",
     output = "output: T",
     attr = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}",
     attr = "Tindices: {int16, int32, int64}",
     attr = "Tnumsegments: {int32, int64} = DT_INT32",
     shape = shape_fns::unsorted_segment_reduction)]
pub struct UnsortedSegmentSum;

/// `UnsortedSegmentSum` of numbers.
#[kernel(UnsortedSegmentSum, device = CPU, T = [numbers], Tindices = any, Tnumsegments = any)]
pub fn unsorted_segment_sum_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    reduce_unsorted::<T, Sum>(context, T::Lane::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error};

    #[test]
    fn sums_slices() {
        let data = Tensor::from_vec([2, 2], vec![1, 2, 3, 4]).unwrap();
        let ids = Tensor::from_vec([2, 2], vec![0, 1, -1, 1]).unwrap();
        check("UnsortedSegmentSum", [data.clone(), ids.clone(), 3.into()], [1, 6, 0]);
        check(
            "UnsortedSegmentSum",
            [data.clone(), [-1, -1].into(), 1i64.into()],
            Tensor::from_vec([1, 2], vec![0, 0]).unwrap(),
        );
        let nothing = Tensor::zeros(DType::Int32, [1, 0]).unwrap();
        check("UnsortedSegmentSum", [nothing.clone(), [7].into(), 0.into()], nothing.with_shape([0, 0]).unwrap());
        check_error("UnsortedSegmentSum", [data.clone(), ids.clone(), 1.into()], "segment_ids[1] = 1 is not in [0, 1)");
        check_error("UnsortedSegmentSum", [data.clone(), ids, (-1).into()], "num_segments must be >= 0");
        check_error("UnsortedSegmentSum", [data, [0].into(), 1.into()], "must start with the shape [1]");
    }
}
