//! The gradients of filters: patches, turned, times the gradient of the output, a square of results for each block. The
//! pixels are summed in parts, since a filter has few elements.

use oplink::device::{DeviceContext, ProgramArg, ScalarValue};
use oplink::gpu::{barrier, block_index, grid_dim, shared, thread_index};
use oplink::prelude::*;

use super::super::extents::extent;
use super::layout::Convolution;

/// Pixels that a part has at least.
const PIXELS: usize = 256;
/// Blocks that keep a large device busy.
const BUSY: usize = 256;
/// Filter elements of a group along each side of a block's square.
const SIDE: usize = 32;

/// The gradient of the filter, which has elements, in parts: f32 [parts, elements of the filter].
///
/// # Errors
/// Too many elements; the device refuses.
pub(super) fn launch(
    convolution: &Convolution,
    device: &dyn DeviceContext,
    [image, gradient]: [&Tensor; 2],
) -> Result<Tensor> {
    let geometry = &convolution.geometry;
    let (patch, group_out) = (geometry.patch(), geometry.group_out());
    let squares = patch.div_ceil(SIDE) * group_out.div_ceil(SIDE) * geometry.groups;
    let most = geometry.pixels().div_ceil(PIXELS).max(1);
    let parts = BUSY.div_ceil(squares).min(most);
    let part = geometry.pixels().div_ceil(parts).next_multiple_of(16);
    let sums = device.allocate(DType::Float, Shape::new(&[parts, patch * geometry.out_depth]))?;
    extent(sums.num_elements())?;
    let grid = [patch.div_ceil(SIDE), group_out.div_ceil(SIDE), geometry.groups * parts];
    ensure!(grid.iter().all(|&blocks| blocks <= 65_535), "the filter is too large for its gradient on a GPU");
    let [_, rows, columns] = geometry.axes;
    let (from, to) = (convolution.input_strides()?, convolution.output_strides()?);
    let scalars = [
        extent(geometry.pixels())?,
        extent(part)?,
        geometry.group_depth() as u32,
        group_out as u32,
        patch as u32,
        parts as u32,
        rows.input as u32,
        columns.input as u32,
        extent(convolution.output_plane())?,
        columns.output as u32,
        columns.window as u32,
        extent(rows.stride)?,
        extent(rows.dilation)?,
        extent(rows.before)?,
        extent(columns.stride)?,
        extent(columns.dilation)?,
        extent(columns.before)?,
        from.batch,
        from.pixel,
        from.channel,
        to.batch,
        to.pixel,
        to.channel,
        u32::from(from.pixel == 1),
    ];
    let buffers = [image, gradient, &sums].map(ProgramArg::Buffer);
    let scalars = scalars.map(|value| ProgramArg::Scalar(ScalarValue::U32(value)));
    let args: Vec<ProgramArg<'_>> = buffers.into_iter().chain(scalars).collect();
    device.launch(filter_tiles::program(image.dtype())?, grid.map(|blocks| blocks as u32), &args)?;
    Ok(sums)
}

/// A square of 32 elements of the patch by 32 output channels, of one group and one part of the pixels; each thread has
/// 2 by 2 of them, 16 apart. Slices of 16 pixels go through shared memory.
#[program(block = 256, T = [f16, bf16, f32])]
fn filter_tiles<T: Float>(
    image: &[T],
    gradient: &[T],
    sums: &mut [f32],
    pixels: u32,
    part: u32,
    depth: u32,
    out: u32,
    patch: u32,
    parts: u32,
    image_rows: u32,
    image_columns: u32,
    plane: u32,
    output_columns: u32,
    tap_columns: u32,
    row_stride: u32,
    row_dilation: u32,
    row_before: u32,
    column_stride: u32,
    column_dilation: u32,
    column_before: u32,
    image_batch: u32,
    image_pixel: u32,
    image_channel: u32,
    gradient_batch: u32,
    gradient_pixel: u32,
    gradient_channel: u32,
    by_pixels: u32,
) {
    const PITCH: u32 = 33;
    let mut patches = shared::<f32, 528>();
    let mut gradients = shared::<f32, 528>();
    let lane = thread_index().x as u32 % 16;
    let line = thread_index().x as u32 / 16;
    // What the thread brings: pixel `brought` of the slice, of elements `element` and `element + 16` of the patch and
    // channels.
    let brought = if by_pixels == 1 { lane } else { line };
    let element = if by_pixels == 1 { line } else { lane };
    let group = block_index().z as u32 / parts;
    let number = block_index().z as u32 % parts;
    let first_element = block_index().x as u32 * 32;
    let first_out = block_index().y as u32 * 32;
    let end = (number * part + part).min(pixels);
    let mut taps_row = [0u32; 2];
    let mut taps_column = [0u32; 2];
    let mut channels = [0u32; 2];
    for i in 0..2u32 {
        let tap = (first_element + element + 16 * i) / depth;
        channels[i as usize] = ((first_element + element + 16 * i) % depth + group * depth) * image_channel;
        taps_row[i as usize] = tap / tap_columns * row_dilation - row_before;
        taps_column[i as usize] = tap % tap_columns * column_dilation - column_before;
    }
    let mut results = [0.0f32; 4];
    let mut start = number * part;
    while start < end {
        let pixel = start + brought;
        let batch = pixel / plane;
        let within = pixel % plane;
        let row = within / output_columns * row_stride;
        let column = within % output_columns * column_stride;
        for i in 0..2u32 {
            let at_row = row + taps_row[i as usize];
            let at_column = column + taps_column[i as usize];
            let mut value = 0.0f32;
            if pixel < end
                && first_element + element + 16 * i < patch
                && at_row < image_rows
                && at_column < image_columns
            {
                let at =
                    batch * image_batch + (at_row * image_columns + at_column) * image_pixel + channels[i as usize];
                value = image[at as usize].to_f32();
            }
            patches[(brought * PITCH + element + 16 * i) as usize] = value;
            let channel = first_out + element + 16 * i;
            let mut slope = 0.0f32;
            if pixel < end && channel < out {
                let at = batch * gradient_batch + within * gradient_pixel + (group * out + channel) * gradient_channel;
                slope = gradient[at as usize].to_f32();
            }
            gradients[(brought * PITCH + element + 16 * i) as usize] = slope;
        }
        barrier();
        for k in 0..16u32 {
            let upper = patches[(k * PITCH + line) as usize];
            let lower = patches[(k * PITCH + line + 16) as usize];
            let left = gradients[(k * PITCH + lane) as usize];
            let right = gradients[(k * PITCH + lane + 16) as usize];
            results[0] += upper * left;
            results[1] += upper * right;
            results[2] += lower * left;
            results[3] += lower * right;
        }
        barrier();
        start += 16;
    }
    let out_depth = out * (grid_dim().z as u32 / parts);
    for i in 0..2u32 {
        for j in 0..2u32 {
            let m = first_element + line + 16 * i;
            let n = first_out + lane + 16 * j;
            if m < patch && n < out {
                sums[((number * patch + m) * out_depth + group * out + n) as usize] = results[(i * 2 + j) as usize];
            }
        }
    }
}
