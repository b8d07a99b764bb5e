//! `ResizeNearestNeighbor`: copies of pixels.

use oplink::memory::try_collect;
use oplink::prelude::*;
use oplink_ops::image::ResizeNearestNeighbor;
use oplink_ops::image::geometry::{Alignment, ResizeExtents};
use oplink_ops::movement::{Axis, CopyBackend};

use crate::movement::Device;

/// `ResizeNearestNeighbor` in the device's memory.
///
/// # Errors
/// Attrs that exclude each other; extents that do not fit; the device refuses.
#[kernel(ResizeNearestNeighbor, device = GPU, T = [floats, i8, i16, i32, i64, u8, u16], host_memory = [size])]
pub fn resize_nearest_neighbor_gpu(
    images: &Tensor,
    size: &Tensor,
    align_corners: bool,
    half_pixel_centers: bool,
    mut resized_images: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let alignment = Alignment::new(align_corners, half_pixel_centers)?;
    let e = ResizeExtents::of_nearest(images, size)?;
    let offsets = |axis: usize, stride: usize| {
        let nearest = alignment.nearest(e.input[axis], e.output[axis])?;
        try_collect(nearest.into_iter().map(|position| (position * stride) as isize))
    };
    let (rows, columns) = (offsets(0, e.input_row())?, offsets(1, e.channels)?);
    let image = (e.input[0] * e.input_row()) as isize;
    let axes = [
        Axis::Strided { count: e.batch, stride: image },
        Axis::Table(&rows),
        Axis::Table(&columns),
        Axis::Strided { count: e.channels, stride: 1 },
    ];
    let out = resized_images.allocate(e.output_shape())?;
    Device::copy_axes(env, out, images, 0, &axes)
}
