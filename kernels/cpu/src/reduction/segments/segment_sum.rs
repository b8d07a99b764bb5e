//! `SegmentSum`: sums of rows that are neighbours.
//!
//! Element `i` of `segment_ids`, which do not fall, names the row of the output that row `i` of `data` goes to; the last
//! one is that of the last row. Rows without a segment hold 0. The 16-bit floats are summed
//! in f32, integers wrap.

use oplink::prelude::*;

use super::engine::{Sum, reduce_sorted};
use crate::support::elementwise::{Arithmetic, Lanes};

/// The sums of the rows of `data` with one segment id.
#[op("SegmentSum",
     input = "data: T",
     input = "segment_ids: Tindices",
     output = "output: T",
     attr = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}",
     attr = "Tindices: {int32, int64}",
     shape = shape_fns::segment_reduction)]
pub struct SegmentSum;

/// `SegmentSum` of numbers.
#[kernel(SegmentSum, device = CPU, T = [numbers], Tindices = any)]
pub fn segment_sum_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    reduce_sorted::<T, Sum>(context, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error};

    #[test]
    fn sums_rows() {
        let data = Tensor::from_vec([3, 2], vec![1.0f32, 2.0, 3.0, 4.0, 5.0, -6.0]).unwrap();
        let out = Tensor::from_vec([4, 2], vec![4.0f32, 6.0, 0.0, 0.0, 0.0, 0.0, 5.0, -6.0]).unwrap();
        check("SegmentSum", [data.clone(), [0, 0, 3].into()], out);
        check("SegmentSum", [[100i8, 100].into(), [0i64, 0].into()], [-56i8]);
        check_error("SegmentSum", [data.clone(), [1, 0, 0].into()], "must be >= 0 and not fall");
        check_error("SegmentSum", [data.clone(), [-1, 0, 0].into()], "must be >= 0 and not fall");
        check_error("SegmentSum", [data, [0, 0].into()], "2 elements for 3 rows");
    }
}
