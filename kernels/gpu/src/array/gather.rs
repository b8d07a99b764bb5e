//! `Gather` and `GatherV2`: slices of a tensor by index along one axis; `GatherNd` by coordinates.
//!
//! Indices are of int32 or int64, in the device's memory. As on TensorFlow's GPUs, an index outside of its axis gives
//! zeros: the host does not see the values, and a device has nowhere to report to. Slices of int32 are picked in host
//! memory, being those of shapes as a rule.
#![allow(clippy::too_many_arguments, reason = "a program takes each extent by its own value")]

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink::program;
use oplink_ops::arguments;
use oplink_ops::array::{Gather, GatherLayout, GatherNd, GatherNdLayout, GatherV2};

use crate::movement::{Units, element_bytes, words};

/// `Gather` and `GatherV2` in the device's memory.
#[kernel(Gather, device = GPU, Tparams = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tindices = [i32, i64])]
#[kernel(GatherV2, device = GPU, Tparams = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tindices = [i32, i64], Taxis = any, host_memory = [axis])]
pub fn gather_gpu(
    params: &Tensor,
    indices: &Tensor,
    axis: Option<&Tensor>,
    batch_dims: Option<i64>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let axis = axis.map_or(Ok(0), |axis| arguments::scalar(axis, "axis"))?;
    pick([params, indices], axis, batch_dims.unwrap_or(0), &mut output, env)
}

/// Sets the output to slices of `params`, by `indices`.
pub(crate) fn pick(
    [params, indices]: [&Tensor; 2],
    axis: i64,
    batch_dims: i64,
    output: &mut OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let layout = GatherLayout::of(params.shape(), indices.shape(), axis, batch_dims)?;
    let out = output.allocate(layout.shape)?;
    if out.num_elements() == 0 {
        return Ok(());
    }
    let units = Units::of_rows(layout.inner, element_bytes(params)?);
    let picked = indices.num_elements() / layout.batch;
    let (source, at, target) = (params.device_words()?, indices.device_words()?, out.device_words()?);
    let count = target.num_elements();
    gather_rows {
        params: &source,
        indices: &at,
        out: &target,
        count: words(count)?,
        index_words: element_bytes(indices)? as u32 / 4,
        outer: words(layout.outer)?,
        extent: words(layout.extent)?,
        picked: words(picked)?,
        row: units.row,
        per_word: units.per_word,
        bits: units.bits,
        mask: units.mask,
    }
    .launch(env.device()?, gather_rows::blocks(count))
}

/// Writes slices of `row` units of `params`: [batch, outer, extent, row] picked by [batch, picked] to
/// [batch, outer, picked, row]. Each thread puts a word together.
#[program(block = 256)]
fn gather_rows(
    params: &[u32],
    indices: &[u32],
    out: &mut [u32],
    count: u32,
    index_words: u32,
    outer: u32,
    extent: u32,
    picked: u32,
    row: u32,
    per_word: u32,
    bits: u32,
    mask: u32,
) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for word in (first..count as usize).step_by(grid_dim().x * block_dim().x) {
        let mut value = 0u32;
        for part in 0..per_word {
            let unit = word as u32 * per_word + part;
            let slice = unit / row;
            let of_batch = slice / picked / outer;
            let place = (of_batch * picked + slice % picked) * index_words;
            if (place as usize) < indices.len() {
                let index = indices[place as usize];
                let mut inside = index < extent;
                if index_words == 2 {
                    inside = inside && indices[place as usize + 1] == 0;
                }
                if inside {
                    let at = ((slice / picked) * extent + index) * row + unit % row;
                    let moved = (params[(at / per_word) as usize] >> (at % per_word * bits)) & mask;
                    value |= moved << (part * bits);
                }
            }
        }
        out[word] = value;
    }
}

/// Coordinates that a program goes over.
const DEPTH: usize = 6;

/// `GatherNd` in the device's memory.
#[kernel(GatherNd, device = GPU, Tparams = [numbers, bool], Tindices = [i32, i64])]
pub fn gather_nd_gpu(params: &Tensor, indices: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let layout = GatherNdLayout::of(params.shape(), indices.shape())?;
    if layout.depth > DEPTH {
        let message = format!("slices at {} coordinates on a GPU, {DEPTH} is the most", layout.depth);
        return Err(Error::unimplemented(message));
    }
    let out = output.allocate(layout.shape)?;
    if out.num_elements() == 0 {
        return Ok(());
    }
    let units = Units::of_rows(layout.length, element_bytes(params)?);
    let (source, target) = (params.device_words()?, out.device_words()?);
    let at = if layout.depth == 0 { source.clone() } else { indices.device_words()? };
    let count = target.num_elements();
    let extent = |axis: usize| words(if axis < layout.depth { params.shape()[axis] } else { 1 });
    gather_slices {
        params: &source,
        indices: &at,
        out: &target,
        count: words(count)?,
        slices: words(layout.count)?,
        index_words: element_bytes(indices)? as u32 / 4,
        depth: layout.depth as u32,
        extent0: extent(0)?,
        extent1: extent(1)?,
        extent2: extent(2)?,
        extent3: extent(3)?,
        extent4: extent(4)?,
        extent5: extent(5)?,
        row: units.row,
        per_word: units.per_word,
        bits: units.bits,
        mask: units.mask,
    }
    .launch(env.device()?, gather_slices::blocks(count))
}

/// Writes slices of `row` units of `params` at `slices` locations of `depth` coordinates each. Each thread puts a word
/// together.
#[program(block = 256)]
fn gather_slices(
    params: &[u32],
    indices: &[u32],
    out: &mut [u32],
    count: u32,
    slices: u32,
    index_words: u32,
    depth: u32,
    extent0: u32,
    extent1: u32,
    extent2: u32,
    extent3: u32,
    extent4: u32,
    extent5: u32,
    row: u32,
    per_word: u32,
    bits: u32,
    mask: u32,
) {
    let mut extents = [1u32; 6];
    extents[0] = extent0;
    extents[1] = extent1;
    extents[2] = extent2;
    extents[3] = extent3;
    extents[4] = extent4;
    extents[5] = extent5;
    let first = block_index().x * block_dim().x + thread_index().x;
    for word in (first..count as usize).step_by(grid_dim().x * block_dim().x) {
        let mut value = 0u32;
        for part in 0..per_word {
            let unit = word as u32 * per_word + part;
            let slice = unit / row;
            let mut inside = slice < slices;
            let mut start = 0u32;
            for axis in 0..depth {
                let place = ((slice * depth + axis) * index_words) as usize;
                if inside {
                    let index = indices[place];
                    let extent = extents[axis as usize];
                    inside = index < extent;
                    if index_words == 2 {
                        inside = inside && indices[place + 1] == 0;
                    }
                    start = start * extent + index;
                }
            }
            if inside {
                let at = start * row + unit % row;
                let moved = (params[(at / per_word) as usize] >> (at % per_word * bits)) & mask;
                value |= moved << (part * bits);
            }
        }
        out[word] = value;
    }
}
