//! Convolutions of bytes, each less an integer that stands for zero.

use oplink::memory::{try_collect, try_filled};
use oplink::{KernelEnv, Result};

use super::constant_filter::KnownFilter;
use super::forward::convolve;
use super::geometry::{Geometry, gather};
use super::patches::Patches;
use oplink::element::QInt32;
use oplink_cpu_contraction::dot::Rows;
use oplink_cpu_contraction::dot::bytes::{self, BytePanels};
use oplink_cpu_contraction::finish::Finish;
use oplink_cpu_contraction::matrix::Matrix;
use oplink_cpu_contraction::tile::Operands;

/// Bytes of an image whose border may be as large in any case.
const MODERATE: usize = 1 << 16;

impl Rows<u8> for Patches<'_, u8> {
    fn in_place(&self) -> Option<(&[u8], usize)> {
        self.geometry.is_pointwise().then_some((self.image, self.geometry.depth))
    }

    fn copy(&self, first: usize, count: usize, to: &mut [u8], stride: usize) {
        gather(self.geometry, self.image, self.group, (first, count), (0, self.geometry.patch()), (to, stride));
    }
}

/// A convolution of bytes.
pub(crate) struct ByteConvolution<'a> {
    pub(crate) geometry: &'a Geometry,
    pub(crate) image: &'a [u8],
    pub(crate) filter: &'a [u8],
    /// The integers that stand for zero in the image and in the filter.
    pub(crate) zeros: [i32; 2],
    /// Rows and columns around the image, before the first ones, that windows see; negative, where the first windows
    /// begin inside.
    pub(crate) before: [isize; 2],
}

/// Convolves an image with a filter, each less its zero. What windows see around the image is the zero, or the low byte
/// of it where it is above a byte.
///
/// # Errors
/// Memory runs out.
pub(crate) fn convolve_bytes(env: &dyn KernelEnv, c: &ByteConvolution<'_>, out: &mut [QInt32]) -> Result<()> {
    let (way, g, [zero, of_filter]) = (bytes::way(), whole(c.geometry), c.zeros);
    if out.is_empty() {
        return Ok(());
    }
    if zero < 0 || g.groups > 1 || !way.fits(g.patch()) || !is_moderate(&g, c.image.len()) {
        return convolve_integers(env, c, out);
    }
    let image = bordered(c, &g, c.image, zero as u8)?;
    let panels = BytePanels::new(env, way, Matrix::row_major(c.filter, g.patch(), g.out_depth))?;
    let sums = patch_sums(&g, &image)?;
    let patches = Patches { geometry: &g, image: &image, group: 0 };
    bytes::multiply(env, (&patches, &sums), &panels, [zero, of_filter], QInt32, out)
}

/// The convolution of an image with all that its windows see of what is around it.
fn whole(g: &Geometry) -> Geometry {
    let mut whole = *g;
    for axis in &mut whole.axes {
        axis.before = 0;
        axis.input = (axis.output.max(1) - 1) * axis.stride + (axis.window.max(1) - 1) * axis.dilation + 1;
    }
    whole
}

/// Whether an image with a border is not much larger than the one of so many bytes without.
fn is_moderate(whole: &Geometry, bytes: usize) -> bool {
    let extents = [whole.batch, whole.axes[1].input, whole.axes[2].input, whole.depth];
    let size = extents.iter().try_fold(1usize, |size, &extent| size.checked_mul(extent));
    size.is_some_and(|size| size / 4 <= bytes.max(MODERATE))
}

/// The part of the image that windows see, with its border.
fn bordered<T: Copy>(c: &ByteConvolution<'_>, whole: &Geometry, image: &[T], border: T) -> Result<Vec<T>> {
    let (g, [_, rows, columns], [top, left]) = (c.geometry, whole.axes, c.before);
    let width = columns.input * g.depth;
    let mut to = try_filled(border, g.batch * rows.input * width)?;
    let (to_column, from_column) = (left.max(0) as usize, (-left).max(0) as usize);
    let inside = (g.axes[2].input.saturating_sub(from_column)).min(columns.input.saturating_sub(to_column)) * g.depth;
    for (index, to) in to.chunks_exact_mut(width.max(1)).enumerate() {
        let (picture, row) = (index / rows.input, index % rows.input);
        let at = row.wrapping_add_signed(-top);
        if at < g.axes[1].input && inside > 0 {
            let from = &image[g.input_at(picture, [0, at, from_column])..][..inside];
            to[to_column * g.depth..][..inside].copy_from_slice(from);
        }
    }
    Ok(to)
}

/// The sum of the bytes that each output pixel sees, all of them inside the image.
fn patch_sums(g: &Geometry, image: &[u8]) -> Result<Vec<i32>> {
    let sum = |values: &[u8]| values.iter().fold(0i32, |sum, &value| sum.wrapping_add(value.into()));
    let pixels = try_collect(image.chunks_exact(g.depth.max(1)).map(sum))?;
    let [_, rows, columns] = g.axes;
    let mut sums = try_filled(0i32, g.pixels())?;
    for (index, to) in sums.iter_mut().enumerate() {
        let (line, column) = (index / columns.output, index % columns.output);
        let (picture, row) = (line / rows.output, line % rows.output);
        for tap in 0..rows.window {
            let line = picture * rows.input + row * rows.stride + tap * rows.dilation;
            let first = line * columns.input + column * columns.stride;
            let seen = pixels[first..].iter().step_by(columns.dilation).take(columns.window);
            *to = seen.fold(*to, |sum, &value| sum.wrapping_add(value));
        }
    }
    Ok(sums)
}

/// Convolves the steps from zero as 32-bit integers.
fn convolve_integers(env: &dyn KernelEnv, c: &ByteConvolution<'_>, out: &mut [QInt32]) -> Result<()> {
    let steps = |values: &[u8], zero: i32| try_collect(values.iter().map(|&value| i32::from(value).wrapping_sub(zero)));
    let (mut image, filter) = (steps(c.image, c.zeros[0])?, steps(c.filter, c.zeros[1])?);
    let border = if c.zeros[0] < 0 { 0 } else { i32::from(c.zeros[0] as u8) - c.zeros[0] };
    let mut g = *c.geometry;
    let is_usual = [g.axes[1].before, g.axes[2].before].map(|before| before as isize) == c.before;
    if border != 0 || !is_usual {
        g = whole(c.geometry);
        image = bordered(c, &g, &image, border)?;
    }
    let mut sums = try_filled(0i32, out.len())?;
    let operands = Operands { image: &image, filter: &filter, finish: Finish::default(), out: &mut sums };
    convolve(env, &g, operands, KnownFilter::unknown())?;
    out.iter_mut().zip(sums).for_each(|(to, sum)| *to = QInt32(sum));
    Ok(())
}
