//! `UnsortedSegmentSum` and `UnsortedSegmentProd`: slices joined by segment, in any order.
//!
//! Segment ids are in the device's memory; slices of ids that are no segment are left out, as the host does not see the ids. Sums of
//! f32 and of integers of 32 bits are made in no order, others in that of the slices.

use oplink::prelude::*;
use oplink_cpu_reduction::num_segments;
use oplink_cpu_support::movement::{CopyBackend, one};
use oplink_ops::reduction::{UnsortedSegmentProd, UnsortedSegmentSum};

use crate::host_fallback::kernels;
use crate::movement::Device;
use crate::scatter::{Combination, ScatterIndices, combine};

kernels! {
    #[kernel(UnsortedSegmentSum, device = GPU, T = [numbers], Tindices = [i32, i64], Tnumsegments = any,
        host_memory = [num_segments])]
    unsorted_segment_sum_gpu = sums;
    #[kernel(UnsortedSegmentProd, device = GPU, T = [floats, i8, i16, i32, i64, u8, u16, u32, u64], Tindices = [i32, i64],
        Tnumsegments = any, host_memory = [num_segments])]
    unsorted_segment_prod_gpu = products;
}

fn sums(context: &mut KernelContext<'_>) -> Result<()> {
    join(context, None, Combination::Add)
}

fn products(context: &mut KernelContext<'_>) -> Result<()> {
    let one = one(context.input(0).dtype())?;
    join(context, Some(&one), Combination::Mul)
}

/// Sets output 0 to the slices of input 0 joined to `start`, zero where there is none, by the ids in input 1.
fn join(context: &mut KernelContext<'_>, start: Option<&Tensor>, how: Combination) -> Result<()> {
    let (data, ids) = (context.input(0), context.input(1));
    let count = num_segments(data.shape(), ids.shape(), context.input(2))?;
    let element = &data.shape()[ids.rank()..];
    let mut out = context.allocate_output(0, [&[count], element].concat())?;
    Device::fill(context.as_env(), &mut out, start)?;
    if data.num_elements() > 0 && out.num_elements() > 0 {
        let (device, length) = (context.device()?, element.iter().product());
        let places = ScatterIndices::of(device, ids, ids.num_elements(), &[count])?;
        combine(device, how, &out, data, &places, length)?;
    }
    context.set_output(0, out);
    Ok(())
}
