//! Where pixels of resized images lie, as programs take it: a table that the host makes.

use oplink::device::DeviceContext;
use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink_ops::image::geometry::{Between, ResizeExtents, first_after};

use crate::movement::words;

/// The extents of a resize.
#[device_struct]
#[derive(Clone, Copy, Debug)]
pub(super) struct Resize {
    /// Rows of an image.
    pub(super) rows: u32,
    /// Columns of an image.
    pub(super) columns: u32,
    /// Rows of a resized image.
    pub(super) out_rows: u32,
    /// Columns of a resized image.
    pub(super) out_columns: u32,
    /// Values of a pixel.
    pub(super) channels: u32,
}

impl Resize {
    pub(super) fn new(e: &ResizeExtents) -> Result<Self> {
        Ok(Self {
            rows: words(e.input[0])?,
            columns: words(e.input[1])?,
            out_rows: words(e.output[0])?,
            out_columns: words(e.output[1])?,
            channels: words(e.channels)?,
        })
    }
}

/// The table of the places of rows and of columns: for each the position before, the one behind, and the bits of the
/// part.
pub(super) fn table(device: &dyn DeviceContext, axes: [&[Between]; 2]) -> Result<Tensor> {
    let mut table = try_vec(3 * (axes[0].len() + axes[1].len()))?;
    axes.iter().for_each(|places| write(places, &mut table));
    device.copy_to_device(&Tensor::from_slice(&table))
}

/// The same, and for each row of the images, and one more, the first row of the resized images that it is in, then the
/// first that lies behind it; then the same of columns.
pub(super) fn table_of_gradient(
    device: &dyn DeviceContext,
    axes: [&[Between]; 2],
    extents: [usize; 2],
) -> Result<Tensor> {
    let (places, entries) = (3 * (axes[0].len() + axes[1].len()), 2 * (extents[0] + extents[1] + 2));
    let mut table = try_vec(places + entries)?;
    axes.iter().for_each(|places| write(places, &mut table));
    for (places, extent) in axes.iter().zip(extents) {
        // Where there is no position behind, the one before is the last that a place is in.
        let last = |place: &Between| if place.upper == NOWHERE { place.lower } else { place.upper };
        table.extend(first_after(places.iter().map(last), extent)?);
        table.extend(first_after(places.iter().map(|place| place.lower), extent)?);
    }
    device.copy_to_device(&Tensor::from_slice(&table))
}

/// The position behind, where a place has one position alone.
pub(super) const NOWHERE: usize = u32::MAX as usize;

fn write(places: &[Between], table: &mut Vec<u32>) {
    table.extend(places.iter().flat_map(|place| [place.lower as u32, place.upper as u32, place.part.to_bits()]));
}

/// An entry of the table.
#[device_fn]
pub(super) fn between(places: &[u32], entry: u32) -> (u32, u32, f32) {
    let at = (entry * 3) as usize;
    (places[at], places[at + 1], f32::from_bits(places[at + 2]))
}
