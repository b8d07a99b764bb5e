//! `SparseSegmentMean`: means of picked rows, by segment.
//!
//! Entry `i` is row `indices[i]` of `data` and goes to row `segment_ids[i]` of the output; the ids do not fall, and the last
//! one is that of the last row. Rows without an entry hold 0. The 16-bit floats are averaged in
//! f32. The attr `sparse_gradient`
//! is for the op's gradient.

use oplink::prelude::*;

use super::engine::sum_sparse;
use crate::support::elementwise::{FloatLane, Lanes};

/// The means of the rows `indices` of `data` with one segment id.
#[op("SparseSegmentMean",
     input = "data: T",
     input = "indices: Tidx",
     input = "segment_ids: Tsegmentids",
     output = "output: T",
     attr = "T: {bfloat16, half, float, double}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     attr = "Tsegmentids: {int32, int64} = DT_INT32",
     attr = "sparse_gradient: bool = false",
     shape = shape_fns::sparse_segment_reduction)]
pub struct SparseSegmentMean;

/// `SparseSegmentMean` of floats.
#[kernel(SparseSegmentMean, device = CPU, T = [floats], Tidx = any, Tsegmentids = any)]
pub fn sparse_segment_mean_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    sum_sparse::<T>(
        context,
        Some(&|row, size| {
            let size = T::Lane::from_f64(size.max(1) as f64);
            row.iter_mut().for_each(|sum| *sum = *sum / size);
        }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error};

    #[test]
    fn averages_rows() {
        let data = Tensor::from_vec([3, 1], vec![1.0f32, 2.0, 6.0]).unwrap();
        let out = Tensor::from_vec([3, 1], vec![3.5f32, 0.0, 10.0 / 3.0]).unwrap();
        check("SparseSegmentMean", [data.clone(), [0, 2, 2, 1, 1].into(), [0i64, 0, 2, 2, 2].into()], out);
        check_error("SparseSegmentMean", [data.clone(), [3].into(), [0].into()], "indices[0] = 3 is not in [0, 3)");
        check_error("SparseSegmentMean", [data.clone(), [0, 1].into(), [1, 0].into()], "must be >= 0 and not fall");
        check_error("SparseSegmentMean", [data, [0, 1].into(), [1].into()], "must be vectors of one length");
    }
}
