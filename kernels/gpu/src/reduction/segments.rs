//! `UnsortedSegmentSum`, `UnsortedSegmentProd`, `UnsortedSegmentMax` and `UnsortedSegmentMin`: slices joined by
//! segment, in any order.
//!
//! Segment ids are in the device's memory; slices of ids that are no segment are left out, as the host does not see the
//! ids. Sums and extrema of f32 and of integers of 32 bits are made in no order, others in that of the slices. NaN is
//! no extremum.

use oplink::prelude::*;
use oplink_ops::movement::{CopyBackend, highest, lowest, one};
use oplink_ops::reduction::{
    UnsortedSegmentMax, UnsortedSegmentMin, UnsortedSegmentProd, UnsortedSegmentSum, num_segments as segments,
};

use crate::movement::Device;
use crate::scatter::{Combination, ScatterIndices, combine};

/// `UnsortedSegmentSum` in the device's memory.
#[kernel(UnsortedSegmentSum, device = GPU, T = [numbers], Tindices = [i32, i64], Tnumsegments = any, host_memory = [num_segments])]
pub fn unsorted_segment_sum_gpu(
    data: &Tensor,
    segment_ids: &Tensor,
    num_segments: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    join([data, segment_ids, num_segments], None, Combination::Add, output, env)
}

/// `UnsortedSegmentProd` in the device's memory.
#[kernel(UnsortedSegmentProd, device = GPU, T = [floats, i8, i16, i32, i64, u8, u16, u32, u64], Tindices = [i32, i64], Tnumsegments = any, host_memory = [num_segments])]
pub fn unsorted_segment_prod_gpu(
    data: &Tensor,
    segment_ids: &Tensor,
    num_segments: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let one = one(data.dtype())?;
    join([data, segment_ids, num_segments], Some(&one), Combination::Mul, output, env)
}

/// `UnsortedSegmentMax` in the device's memory.
#[kernel(UnsortedSegmentMax, device = GPU, T = [floats, i8, i16, i32, i64, u8, u16, u32, u64], Tindices = [i32, i64], Tnumsegments = any, host_memory = [num_segments])]
pub fn unsorted_segment_max_gpu(
    data: &Tensor,
    segment_ids: &Tensor,
    num_segments: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let start = lowest(data.dtype())?;
    join([data, segment_ids, num_segments], Some(&start), Combination::Max, output, env)
}

/// `UnsortedSegmentMin` in the device's memory.
#[kernel(UnsortedSegmentMin, device = GPU, T = [floats, i8, i16, i32, i64, u8, u16, u32, u64], Tindices = [i32, i64], Tnumsegments = any, host_memory = [num_segments])]
pub fn unsorted_segment_min_gpu(
    data: &Tensor,
    segment_ids: &Tensor,
    num_segments: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let start = highest(data.dtype())?;
    join([data, segment_ids, num_segments], Some(&start), Combination::Min, output, env)
}

/// Sets the output to the slices of `data` joined to `start`, zero where there is none, by their ids.
fn join(
    [data, ids, count]: [&Tensor; 3],
    start: Option<&Tensor>,
    how: Combination,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let count = segments(data.shape(), ids.shape(), count)?;
    let element = &data.shape()[ids.rank()..];
    let out = output.allocate([&[count], element].concat())?;
    Device::fill(env, out, start)?;
    if data.num_elements() == 0 || out.num_elements() == 0 {
        return Ok(());
    }
    let (device, length) = (env.device()?, element.iter().product());
    let locations = ScatterIndices::of(device, ids, ids.num_elements(), &[count])?;
    combine(device, how, out, data, &locations, length)
}
