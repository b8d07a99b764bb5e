//! `CropAndResizeGradImage`, summed in f32 and in no order, and `CropAndResizeGradBoxes`. Boxes of images that there
//! are none of give nothing.

use num_traits::AsPrimitive;
use oplink::gpu::{atomic_add, barrier, block_index, grid_dim, grid_stride, shared, thread_index};
use oplink::prelude::*;
use oplink::program;
use oplink_ops::image::geometry::{CropImages, box_count, crop_gradients};
use oplink_ops::image::{
    CropAndResizeGradBoxes, CropAndResizeGradBoxesInputs, CropAndResizeGradImage, CropAndResizeGradImageInputs,
    CropMethod,
};

use super::crop_and_resize::{Crop, is_inside, place_of_pixel};
use crate::movement::{clear, words};
use crate::scatter::summed_in_single;

/// Blocks that every device takes in one direction.
const MOST_BLOCKS: usize = 65_535;

/// `CropAndResizeGradImage` in the device's memory.
///
/// # Errors
/// Shapes that do not fit together; the device refuses.
#[kernel(CropAndResizeGradImage, device = GPU, T = [f16, f32], host_memory = [image_size])]
pub fn crop_and_resize_grad_image_gpu(
    inputs: CropAndResizeGradImageInputs<'_>,
    method: CropMethod,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let [boxes, rows, columns, channels] = crop_gradients(&inputs.grads)?;
    let image = CropImages::of_size(&inputs.image_size)?;
    image.check_channels("image_size", channels)?;
    box_count(&inputs.boxes, &inputs.box_ind, Some(boxes))?;
    let out = output.allocate([image.batch, image.rows, image.columns, channels])?;
    let (device, count) = (env.device()?, inputs.grads.num_elements());
    if out.num_elements() == 0 {
        return Ok(());
    }
    summed_in_single(device, out, |sums| {
        clear(device, sums)?;
        if count == 0 {
            return Ok(());
        }
        spread {
            grads: &inputs.grads,
            boxes: &inputs.boxes,
            box_ind: &inputs.box_ind,
            sums,
            crop: Crop::new(&image, [rows, columns])?,
            is_nearest: method == CropMethod::Nearest,
            count: words(count)?,
        }
        .launch(device, spread::blocks(count))
    })
}

/// A thread for each gradient, which it adds to the pixels that its pixel was made of.
#[program(block = 256)]
fn spread(grads: &[f32], boxes: &[f32], box_ind: &[u32], sums: &mut [f32], crop: Crop, is_nearest: bool, count: u32) {
    for at in grid_stride(count) {
        let (channel, pixel) = (at % crop.channels, at / crop.channels);
        let (column, row) = (pixel % crop.crop_columns, pixel / crop.crop_columns % crop.crop_rows);
        let number = pixel / crop.crop_columns / crop.crop_rows;
        let (y, x) = place_of_pixel(boxes, number, crop, row, column, false);
        let of = box_ind[number as usize];
        if of < crop.batch && is_inside(y, crop.rows) && is_inside(x, crop.columns) {
            let start = of * crop.rows;
            let grad = grads[at as usize];
            if is_nearest {
                let to = (start + y.round() as u32) * crop.columns + x.round() as u32;
                atomic_add(&mut sums[(to * crop.channels + channel) as usize], grad);
            } else {
                let (along, down) = (x - x.floor(), y - y.floor());
                for corner in 0..4_u32 {
                    let to_row = if corner / 2 == 0 { y.floor() } else { y.ceil() };
                    let to_column = if corner % 2 == 0 { x.floor() } else { x.ceil() };
                    let by_row = if corner / 2 == 0 { 1.0 - down } else { down };
                    let by_column = if corner % 2 == 0 { 1.0 - along } else { along };
                    let to = (start + to_row as u32) * crop.columns + to_column as u32;
                    atomic_add(&mut sums[(to * crop.channels + channel) as usize], by_column * (by_row * grad));
                }
            }
        }
    }
}

/// `CropAndResizeGradBoxes` in the device's memory.
///
/// # Errors
/// Shapes that do not fit together; the device refuses.
#[kernel(CropAndResizeGradBoxes, device = GPU, T = [u8, u16, i8, i16, i32, i64, f16, f32, f64])]
pub fn crop_and_resize_grad_boxes_gpu(
    inputs: CropAndResizeGradBoxesInputs<'_>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let [count, rows, columns, channels] = crop_gradients(&inputs.grads)?;
    let image = CropImages::new(&inputs.image)?;
    image.check_channels("image", channels)?;
    box_count(&inputs.boxes, &inputs.box_ind, Some(count))?;
    let out = output.allocate([count, 4])?;
    if count == 0 {
        return Ok(());
    }
    if inputs.grads.num_elements() == 0 || image.batch == 0 {
        return clear(env.device()?, out);
    }
    let grid = [count.min(MOST_BLOCKS) as u32, 1, 1];
    by_corners {
        grads: &inputs.grads,
        image: &inputs.image,
        boxes: &inputs.boxes,
        box_ind: &inputs.box_ind,
        out,
        crop: Crop::new(&image, [rows, columns])?,
        count: words(count)?,
        size: words(rows * columns * channels)?,
    }
    .launch(env.device()?, inputs.image.dtype(), grid)
}

/// How far towards the second of two corners a position is, in pixels, and how far from the first's other side.
#[device_fn]
fn shares(extent: u32, position: u32, count: u32) -> (f32, f32) {
    let last = (extent - 1) as f32;
    let place = if count > 1 { position as f32 * (last / (count.max(2) - 1) as f32) } else { 0.5 * last };
    (last - place, place)
}

/// A block for each box, whose threads share its gradients.
#[program(block = 256, T = [u8, u16, i8, i16, i32, i64, f16, f32, f64])]
fn by_corners<T: Number + AsPrimitive<f32>>(
    grads: &[f32],
    image: &[T],
    boxes: &[f32],
    box_ind: &[u32],
    out: &mut [f32],
    crop: Crop,
    count: u32,
    size: u32,
) {
    let mut sums = shared::<f32, 1024>();
    let me = thread_index().x as u32;
    let mut number = block_index().x as u32;
    while number < count {
        let of = box_ind[number as usize];
        let start = of * crop.rows;
        let mut parts = [0.0_f32; 4];
        let mut at = me;
        while at < size && of < crop.batch {
            let (channel, pixel) = (at % crop.channels, at / crop.channels);
            let (column, row) = (pixel % crop.crop_columns, pixel / crop.crop_columns);
            let (y, x) = place_of_pixel(boxes, number, crop, row, column, true);
            if is_inside(y, crop.rows) && is_inside(x, crop.columns) {
                let (upper, lower) = (start + y.floor() as u32, start + y.ceil() as u32);
                let (left, right) = (x.floor() as u32, x.ceil() as u32);
                let a: f32 = image[((upper * crop.columns + left) * crop.channels + channel) as usize].as_();
                let b: f32 = image[((upper * crop.columns + right) * crop.channels + channel) as usize].as_();
                let c: f32 = image[((lower * crop.columns + left) * crop.channels + channel) as usize].as_();
                let d: f32 = image[((lower * crop.columns + right) * crop.channels + channel) as usize].as_();
                let (along, down) = (x - x.floor(), y - y.floor());
                let grad = grads[(number * size + at) as usize];
                let by_y = ((1.0 - along) * (c - a) + along * (d - b)) * grad;
                let by_x = ((1.0 - down) * (b - a) + down * (d - c)) * grad;
                let (to_top, to_bottom) = shares(crop.rows, row, crop.crop_rows);
                let (to_left, to_right) = shares(crop.columns, column, crop.crop_columns);
                parts[0] += by_y * to_top;
                parts[1] += by_x * to_left;
                parts[2] += by_y * to_bottom;
                parts[3] += by_x * to_right;
            }
            at += 256;
        }
        for part in 0..4_u32 {
            sums[(part * 256 + me) as usize] = parts[part as usize];
        }
        barrier();
        let mut half = 128_u32;
        while half > 0 {
            if me < half {
                for part in 0..4_u32 {
                    let to = part * 256 + me;
                    sums[to as usize] += sums[(to + half) as usize];
                }
            }
            barrier();
            half /= 2;
        }
        if me < 4 {
            out[(number * 4 + me) as usize] = sums[(me * 256) as usize];
        }
        barrier();
        number += grid_dim().x as u32;
    }
}
