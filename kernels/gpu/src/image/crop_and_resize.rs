//! `CropAndResize`. Boxes are in the device's memory: a box that is not finite, and one of an image that there is none
//! of, lie outside of images, as the host does not see them.

use num_traits::AsPrimitive;
use oplink::gpu::grid_stride;
use oplink::prelude::*;
use oplink::program;
use oplink_ops::image::geometry::{CropImages, box_count, two_extents};
use oplink_ops::image::{CropAndResize, CropAndResizeInputs, CropMethod};
use oplink_ops::movement::CopyBackend;

use crate::movement::{Device, words};

/// The extents of images and of crops of them.
#[device_struct]
#[derive(Clone, Copy, Debug)]
pub(super) struct Crop {
    pub(super) batch: u32,
    pub(super) rows: u32,
    pub(super) columns: u32,
    pub(super) channels: u32,
    /// Rows of a crop.
    pub(super) crop_rows: u32,
    /// Columns of a crop.
    pub(super) crop_columns: u32,
}

impl Crop {
    pub(super) fn new(image: &CropImages, [rows, columns]: [usize; 2]) -> Result<Self> {
        Ok(Self {
            batch: words(image.batch)?,
            rows: words(image.rows)?,
            columns: words(image.columns)?,
            channels: words(image.channels)?,
            crop_rows: words(rows)?,
            crop_columns: words(columns)?,
        })
    }
}

/// `CropAndResize` in the device's memory.
///
/// # Errors
/// Shapes that do not fit together; the device refuses.
#[kernel(CropAndResize, device = GPU, T = [u8, u16, i8, i16, i32, i64, f16, f32, f64], host_memory = [crop_size])]
pub fn crop_and_resize_gpu(
    inputs: CropAndResizeInputs<'_>,
    method: CropMethod,
    extrapolation_value: f32,
    mut crops: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let size = two_extents("crop_size", &inputs.crop_size)?;
    let image = CropImages::new(&inputs.image)?;
    let boxes = box_count(&inputs.boxes, &inputs.box_ind, None)?;
    let out = crops.allocate([boxes, size[0], size[1], image.channels])?;
    let count = out.num_elements();
    if count == 0 {
        return Ok(());
    }
    if image.batch == 0 {
        return Device::fill(env, out, Some(&Tensor::scalar(extrapolation_value)));
    }
    cropped {
        image: &inputs.image,
        boxes: &inputs.boxes,
        box_ind: &inputs.box_ind,
        out,
        crop: Crop::new(&image, size)?,
        is_nearest: method == CropMethod::Nearest,
        outside: extrapolation_value,
        count: words(count)?,
    }
    .launch(env.device()?, inputs.image.dtype(), cropped::blocks(count))
}

/// Where a position along an axis of a crop lies between the corners of its box, which are in parts of the image; a
/// single position lies in the middle. The step from one position to the next is what gradients by the boxes are
/// computed with, or crops.
#[device_fn]
pub(super) fn place(start: f32, end: f32, extent: u32, count: u32, position: u32, of_gradient: bool) -> f32 {
    let last = (extent - 1) as f32;
    let steps = (count.max(2) - 1) as f32;
    let step = if of_gradient { (end - start) * (last / steps) } else { (end - start) * last / steps };
    if count == 1 { 0.5 * (start + end) * last } else { start * last + position as f32 * step }
}

/// The places of a pixel of a crop, along the rows and along the columns; see [`place`].
#[device_fn]
pub(super) fn place_of_pixel(
    boxes: &[f32],
    number: u32,
    crop: Crop,
    row: u32,
    column: u32,
    of_gradient: bool,
) -> (f32, f32) {
    let corner = (number * 4) as usize;
    let y = place(boxes[corner], boxes[corner + 2], crop.rows, crop.crop_rows, row, of_gradient);
    let x = place(boxes[corner + 1], boxes[corner + 3], crop.columns, crop.crop_columns, column, of_gradient);
    (y, x)
}

/// Whether a place is in the image.
#[device_fn]
pub(super) fn is_inside(place: f32, extent: u32) -> bool {
    place >= 0.0 && place <= (extent - 1) as f32
}

/// A thread for each value of a crop.
#[program(block = 256, T = [u8, u16, i8, i16, i32, i64, f16, f32, f64])]
fn cropped<T: Number + AsPrimitive<f32>>(
    image: &[T],
    boxes: &[f32],
    box_ind: &[u32],
    out: &mut [f32],
    crop: Crop,
    is_nearest: bool,
    outside: f32,
    count: u32,
) {
    for at in grid_stride(count) {
        let (channel, pixel) = (at % crop.channels, at / crop.channels);
        let (column, row) = (pixel % crop.crop_columns, pixel / crop.crop_columns % crop.crop_rows);
        let number = pixel / crop.crop_columns / crop.crop_rows;
        let (y, x) = place_of_pixel(boxes, number, crop, row, column, false);
        let of = box_ind[number as usize];
        let mut result = outside;
        if of < crop.batch && is_inside(y, crop.rows) && is_inside(x, crop.columns) {
            let start = of * crop.rows;
            if is_nearest {
                let from = (start + y.round() as u32) * crop.columns + x.round() as u32;
                result = image[(from * crop.channels + channel) as usize].as_();
            } else {
                let (upper, lower) = (start + y.floor() as u32, start + y.ceil() as u32);
                let (left, right) = (x.floor() as u32, x.ceil() as u32);
                let a: f32 = image[((upper * crop.columns + left) * crop.channels + channel) as usize].as_();
                let b: f32 = image[((upper * crop.columns + right) * crop.channels + channel) as usize].as_();
                let c: f32 = image[((lower * crop.columns + left) * crop.channels + channel) as usize].as_();
                let d: f32 = image[((lower * crop.columns + right) * crop.channels + channel) as usize].as_();
                let (along, down) = (x - x.floor(), y - y.floor());
                let above = a + (b - a) * along;
                let below = c + (d - c) * along;
                result = above + (below - above) * down;
            }
        }
        out[at as usize] = result;
    }
}
