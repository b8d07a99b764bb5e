//! `SparseSegmentSum`, `SparseSegmentMean`, `SparseSegmentSqrtN`, for as many segments as the last id tells, or
//! `num_segments`: rows of the data, picked by indices, become one.
//!
//! Indices and ids are in the device's memory: rows that do not exist are left out, as are ids of `num_segments` and
//! more; where ids fall, rows of the output are arbitrary sums of rows of the data.

use oplink::prelude::*;
use oplink_ops::reduction::{
    SparseSegmentMean, SparseSegmentMeanWithNumSegments, SparseSegmentSqrtN, SparseSegmentSqrtNWithNumSegments,
    SparseSegmentSum, SparseSegmentSumWithNumSegments, check_segments, segment_count,
};

use super::segment_programs::{Join, join_sorted};
use super::sorted_segments::segments;

/// `SparseSegmentSum` in the device's memory.
#[kernel(SparseSegmentSum, device = GPU, T = [floats], Tidx = [i32, i64], Tsegmentids = [i32, i64])]
#[kernel(SparseSegmentSumWithNumSegments, device = GPU, T = [floats], Tidx = [i32, i64], Tsegmentids = [i32, i64], Tnumsegments = any, host_memory = [num_segments])]
pub fn sparse_segment_sum_gpu(
    data: &Tensor,
    indices: &Tensor,
    segment_ids: &Tensor,
    num_segments: Option<&Tensor>,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    reduce([data, indices, segment_ids], num_segments, Join::Sum, output, env)
}

/// `SparseSegmentMean` in the device's memory.
#[kernel(SparseSegmentMean, device = GPU, T = [floats], Tidx = [i32, i64], Tsegmentids = [i32, i64])]
#[kernel(SparseSegmentMeanWithNumSegments, device = GPU, T = [floats], Tidx = [i32, i64], Tsegmentids = [i32, i64], Tnumsegments = any, host_memory = [num_segments])]
pub fn sparse_segment_mean_gpu(
    data: &Tensor,
    indices: &Tensor,
    segment_ids: &Tensor,
    num_segments: Option<&Tensor>,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    reduce([data, indices, segment_ids], num_segments, Join::Mean, output, env)
}

/// `SparseSegmentSqrtN` in the device's memory.
#[kernel(SparseSegmentSqrtN, device = GPU, T = [floats], Tidx = [i32, i64], Tsegmentids = [i32, i64])]
#[kernel(SparseSegmentSqrtNWithNumSegments, device = GPU, T = [floats], Tidx = [i32, i64], Tsegmentids = [i32, i64], Tnumsegments = any, host_memory = [num_segments])]
pub fn sparse_segment_sqrt_n_gpu(
    data: &Tensor,
    indices: &Tensor,
    segment_ids: &Tensor,
    num_segments: Option<&Tensor>,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    reduce([data, indices, segment_ids], num_segments, Join::SqrtN, output, env)
}

fn reduce(
    [data, indices, ids]: [&Tensor; 3],
    count: Option<&Tensor>,
    join: Join,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let count = count.map(segment_count).transpose()?;
    check_segments(data.shape(), Some(indices.shape()), ids.shape())?;
    let device = env.device()?;
    let count = count.map_or_else(|| segments(device, ids), Ok)?;
    let out = output.allocate([&[count], &data.shape()[1..]].concat())?;
    join_sorted(device, join, [data, ids], Some(indices), out)
}
