//! `SparseSegmentMean`, `SparseSegmentSqrtN`, `SparseSegmentSum`, and these `WithNumSegments`: picked rows are summed
//! by segment.
//!
//! Entry `i` is row `indices[i]` of `data` and goes to row `segment_ids[i]` of the output; the ids do not fall, and the
//! last one is that of the last row. Rows without an entry hold 0. The sums are divided by the number of their rows, by
//! its square root, or not at all. The 16-bit floats are computed in f32, integers wrap. The attr `sparse_gradient` is
//! for the op's gradient.

use super::engine::{Finish, Segments, Sum, fold};
use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Arithmetic, ComputeFloat, Computed};
use oplink_ops::reduction::{
    SparseSegmentMean, SparseSegmentMeanWithNumSegments, SparseSegmentSqrtN, SparseSegmentSqrtNWithNumSegments,
    SparseSegmentSum, SparseSegmentSumWithNumSegments,
};

/// `SparseSegmentMean` of floats.
#[kernel(SparseSegmentMean, device = CPU, T = [floats], Tidx = any, Tsegmentids = any)]
pub fn sparse_segment_mean_cpu<T: Computed<ComputeType: ComputeFloat>>(
    data: &Tensor,
    indices: &Tensor,
    segment_ids: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let segments = Segments::sparse(data.shape(), indices, segment_ids)?;
    sum_sparse::<T>(data, &segments, Some(&mean::<T>), &mut output, &env)
}

/// `SparseSegmentSqrtN` of floats.
#[kernel(SparseSegmentSqrtN, device = CPU, T = [floats], Tidx = any, Tsegmentids = any)]
pub fn sparse_segment_sqrt_n_cpu<T: Computed<ComputeType: ComputeFloat>>(
    data: &Tensor,
    indices: &Tensor,
    segment_ids: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let segments = Segments::sparse(data.shape(), indices, segment_ids)?;
    sum_sparse::<T>(data, &segments, Some(&over_root::<T>), &mut output, &env)
}

/// `SparseSegmentSum` of real numbers.
#[kernel(SparseSegmentSum, device = CPU, T = [reals], Tidx = any, Tsegmentids = any)]
pub fn sparse_segment_sum_cpu<T: Computed<ComputeType: Arithmetic>>(
    data: &Tensor,
    indices: &Tensor,
    segment_ids: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let segments = Segments::sparse(data.shape(), indices, segment_ids)?;
    sum_sparse::<T>(data, &segments, None, &mut output, &env)
}

/// `SparseSegmentMeanWithNumSegments`.
#[kernel(
    SparseSegmentMeanWithNumSegments, device = CPU, T = [floats], Tidx = any, Tsegmentids = any, Tnumsegments = any
)]
pub fn sparse_segment_mean_with_num_segments_cpu<T: Computed<ComputeType: ComputeFloat>>(
    data: &Tensor,
    indices: &Tensor,
    segment_ids: &Tensor,
    num_segments: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let segments = Segments::sparse_of_count(data.shape(), indices, segment_ids, num_segments)?;
    sum_sparse::<T>(data, &segments, Some(&mean::<T>), &mut output, &env)
}

/// `SparseSegmentSqrtNWithNumSegments`.
#[kernel(
    SparseSegmentSqrtNWithNumSegments, device = CPU, T = [floats], Tidx = any, Tsegmentids = any, Tnumsegments = any
)]
pub fn sparse_segment_sqrt_n_with_num_segments_cpu<T: Computed<ComputeType: ComputeFloat>>(
    data: &Tensor,
    indices: &Tensor,
    segment_ids: &Tensor,
    num_segments: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let segments = Segments::sparse_of_count(data.shape(), indices, segment_ids, num_segments)?;
    sum_sparse::<T>(data, &segments, Some(&over_root::<T>), &mut output, &env)
}

/// `SparseSegmentSumWithNumSegments`.
#[kernel(
    SparseSegmentSumWithNumSegments, device = CPU, T = [reals], Tidx = any, Tsegmentids = any, Tnumsegments = any
)]
pub fn sparse_segment_sum_with_num_segments_cpu<T: Computed<ComputeType: Arithmetic>>(
    data: &Tensor,
    indices: &Tensor,
    segment_ids: &Tensor,
    num_segments: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let segments = Segments::sparse_of_count(data.shape(), indices, segment_ids, num_segments)?;
    sum_sparse::<T>(data, &segments, None, &mut output, &env)
}

/// Sets the output to the sums of the rows of the data by segment, each changed by `finish`, which gets the number of
/// its rows.
fn sum_sparse<T: Computed<ComputeType: Arithmetic>>(
    data: &Tensor,
    segments: &Segments,
    finish: Option<Finish<'_, T::ComputeType>>,
    output: &mut OutputSlot<'_>,
    env: &Env<'_>,
) -> Result<()> {
    fold::<T, Sum>(data, segments, &data.shape()[1..], (T::ComputeType::ZERO, finish), output, env)
}

fn mean<T: Computed<ComputeType: ComputeFloat>>(row: &mut [T::ComputeType], size: usize) {
    divide::<T>(row, size.max(1) as f64);
}

fn over_root<T: Computed<ComputeType: ComputeFloat>>(row: &mut [T::ComputeType], size: usize) {
    divide::<T>(row, (size.max(1) as f64).sqrt());
}

fn divide<T: Computed<ComputeType: ComputeFloat>>(row: &mut [T::ComputeType], divisor: f64) {
    let divisor = T::ComputeType::from_float(divisor);
    row.iter_mut().for_each(|sum| *sum = *sum / divisor);
}

#[cfg(test)]
mod sparse_segment_mean_tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error};

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

#[cfg(test)]
mod sparse_segment_sqrt_n_tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn sums_over_roots() {
        let data = Tensor::from_vec([3, 1], vec![1.0f32, 2.0, 6.0]).unwrap();
        let out = Tensor::from_vec([3, 1], vec![7.0 / 2f32.sqrt(), 0.0, 10.0 / 3f32.sqrt()]).unwrap();
        check("SparseSegmentSqrtN", [data.clone(), [0, 2, 2, 1, 1].into(), [0i64, 0, 2, 2, 2].into()], out);
        check_error("SparseSegmentSqrtN", [data.clone(), [3].into(), [0].into()], "indices[0] = 3 is not in [0, 3)");
        check_error("SparseSegmentSqrtN", [data.clone(), [0, 1].into(), [1, 0].into()], "must be >= 0 and not fall");
        check_error("SparseSegmentSqrtN", [data, [0, 1].into(), [1].into()], "must be vectors of one length");
    }
}

#[cfg(test)]
mod sparse_segment_sum_tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error};

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
