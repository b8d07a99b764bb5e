//! `SegmentSum`, `SegmentMean`, `SegmentProd`, `SegmentMin`, `SegmentMax`: rows that are neighbours become one.
//!
//! The kernel waits for the last id, which tells how many rows the output has. The ids are in the device's memory:
//! where they fall, and where one is negative, rows of the output are arbitrary sums of rows of the data.

use oplink::device::{DeviceContext, copy_to_host_blocking};
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_ops::movement::Axis;
use oplink_ops::reduction::{SegmentMax, SegmentMean, SegmentMin, SegmentProd, SegmentSum, check_segments};

use super::segment_programs::{Join, join_sorted};
use crate::movement::gather;

/// `SegmentSum` in the device's memory.
#[kernel(SegmentSum, device = GPU, T = [floats, i8, i16, i32, i64, u8, u16, u32, u64], Tindices = [i32, i64])]
pub fn segment_sum_gpu(data: &Tensor, segment_ids: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    reduce(data, segment_ids, Join::Sum, output, env)
}

/// `SegmentMean` in the device's memory.
#[kernel(SegmentMean, device = GPU, T = [floats], Tindices = [i32, i64])]
pub fn segment_mean_gpu(data: &Tensor, segment_ids: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    reduce(data, segment_ids, Join::Mean, output, env)
}

/// `SegmentProd` in the device's memory.
#[kernel(SegmentProd, device = GPU, T = [floats, i8, i16, i32, i64, u8, u16, u32, u64], Tindices = [i32, i64])]
pub fn segment_prod_gpu(data: &Tensor, segment_ids: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    reduce(data, segment_ids, Join::Product, output, env)
}

/// `SegmentMin` in the device's memory.
#[kernel(SegmentMin, device = GPU, T = [floats, i8, i16, i32, i64, u8, u16, u32, u64], Tindices = [i32, i64])]
pub fn segment_min_gpu(data: &Tensor, segment_ids: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    reduce(data, segment_ids, Join::Smallest, output, env)
}

/// `SegmentMax` in the device's memory.
#[kernel(SegmentMax, device = GPU, T = [floats, i8, i16, i32, i64, u8, u16, u32, u64], Tindices = [i32, i64])]
pub fn segment_max_gpu(data: &Tensor, segment_ids: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    reduce(data, segment_ids, Join::Largest, output, env)
}

fn reduce(data: &Tensor, ids: &Tensor, join: Join, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    check_segments(data.shape(), None, ids.shape())?;
    let device = env.device()?;
    let out = output.allocate([&[segments(device, ids)?], &data.shape()[1..]].concat())?;
    join_sorted(device, join, [data, ids], None, out)
}

/// The number of segments that ids, which do not fall, tell: one more than the last of them.
///
/// # Errors
/// The last one is negative; the device refuses.
pub(super) fn segments(device: &dyn DeviceContext, ids: &Tensor) -> Result<usize> {
    let count = ids.num_elements();
    if count == 0 {
        return Ok(0);
    }
    let last = device.allocate(ids.dtype(), [1].into())?;
    gather(device, count as isize - 1, &[Axis::Strided { count: 1, stride: 1 }], ids, &last)?;
    let last = int_values(&copy_to_host_blocking(device, &last)?)?[0];
    let Ok(last) = usize::try_from(last) else {
        bail!("segment_ids must be >= 0 and not fall, the last one is {last}")
    };
    last.checked_add(1).ok_or_else(|| Error::resource_exhausted("too many segments"))
}
