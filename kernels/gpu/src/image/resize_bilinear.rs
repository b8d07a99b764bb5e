//! `ResizeBilinear`.

use num_traits::AsPrimitive;
use oplink::gpu::grid_stride;
use oplink::prelude::*;
use oplink::program;
use oplink_ops::image::ResizeBilinear;
use oplink_ops::image::geometry::{Alignment, ResizeExtents};

use super::interpolation::{Resize, between, table};
use crate::movement::words;

/// `ResizeBilinear` in the device's memory.
///
/// # Errors
/// Attrs that exclude each other; extents that do not fit; the device refuses.
#[kernel(ResizeBilinear, device = GPU, T = [floats, i8, i16, i32, i64, u8, u16], host_memory = [size])]
pub fn resize_bilinear_gpu(
    images: &Tensor,
    size: &Tensor,
    align_corners: bool,
    half_pixel_centers: bool,
    mut resized_images: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let alignment = Alignment::new(align_corners, half_pixel_centers)?;
    let e = ResizeExtents::new(images, size)?;
    let out = resized_images.allocate(e.output_shape())?;
    let count = out.num_elements();
    if count == 0 {
        return Ok(());
    }
    let (rows, columns) = (alignment.between(e.input[0], e.output[0])?, alignment.between(e.input[1], e.output[1])?);
    let device = env.device()?;
    let places = &table(device, [&rows, &columns])?;
    let (resize, is_same) = (Resize::new(&e)?, e.input == e.output);
    interpolated { images, places, out, resize, is_same, count: words(count)? }.launch(
        device,
        images.dtype(),
        interpolated::blocks(count),
    )
}

/// A thread for each value. `is_same` where images keep their size, and their values.
#[program(block = 256, T = [f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16])]
fn interpolated<T: Number + AsPrimitive<f32>>(
    images: &[T],
    places: &[u32],
    out: &mut [f32],
    resize: Resize,
    is_same: bool,
    count: u32,
) {
    for at in grid_stride(count) {
        if is_same {
            out[at as usize] = images[at as usize].as_();
        } else {
            let (channel, pixel) = (at % resize.channels, at / resize.channels);
            let (top, bottom, down) = between(places, pixel / resize.out_columns % resize.out_rows);
            let (left, right, along) = between(places, resize.out_rows + pixel % resize.out_columns);
            let image = pixel / resize.out_columns / resize.out_rows * resize.rows;
            let (upper, lower) = ((image + top) * resize.columns, (image + bottom) * resize.columns);
            let a: f32 = images[((upper + left) * resize.channels + channel) as usize].as_();
            let b: f32 = images[((upper + right) * resize.channels + channel) as usize].as_();
            let c: f32 = images[((lower + left) * resize.channels + channel) as usize].as_();
            let d: f32 = images[((lower + right) * resize.channels + channel) as usize].as_();
            let above = a + (b - a) * along;
            let below = c + (d - c) * along;
            out[at as usize] = above + (below - above) * down;
        }
    }
}
