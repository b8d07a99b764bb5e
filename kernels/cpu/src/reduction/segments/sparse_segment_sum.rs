//! `SparseSegmentSum`: sums of picked rows, by segment.
//!
//! Entry `i` is row `indices[i]` of `data` and goes to row `segment_ids[i]` of the output; the ids do not fall, and the last
//! one is that of the last row. Rows without an entry hold 0. The 16-bit floats are summed in f32,
//! integers wrap. The attr `sparse_gradient`
//! is for the op's gradient.

use oplink::prelude::*;

use super::engine::sum_sparse;
use crate::support::elementwise::{Arithmetic, Lanes};

/// The sums of the rows `indices` of `data` with one segment id.
#[op("SparseSegmentSum",
     input = "data: T",
     input = "indices: Tidx",
     input = "segment_ids: Tsegmentids",
     output = "output: T",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     attr = "Tsegmentids: {int32, int64} = DT_INT32",
     attr = "sparse_gradient: bool = false",
     shape = shape_fns::sparse_segment_reduction)]
pub struct SparseSegmentSum;

/// `SparseSegmentSum` of real numbers.
#[kernel(SparseSegmentSum, device = CPU, T = [reals], Tidx = any, Tsegmentids = any)]
pub fn sparse_segment_sum_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    sum_sparse::<T>(context, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error};

    #[test]
    fn sums_rows() {
        let data = Tensor::from_vec([3, 1], vec![1.0f32, 2.0, 6.0]).unwrap();
        let out = Tensor::from_vec([3, 1], vec![7.0f32, 0.0, 10.0]).unwrap();
        check("SparseSegmentSum", [data.clone(), [0, 2, 2, 1, 1].into(), [0i64, 0, 2, 2, 2].into()], out);
        check_error("SparseSegmentSum", [data.clone(), [3].into(), [0].into()], "indices[0] = 3 is not in [0, 3)");
        check_error("SparseSegmentSum", [data.clone(), [0, 1].into(), [1, 0].into()], "must be >= 0 and not fall");
        check_error("SparseSegmentSum", [data, [0, 1].into(), [1].into()], "must be vectors of one length");
    }
}
