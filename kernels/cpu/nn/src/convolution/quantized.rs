//! Convolutions of bytes, each less an integer that stands for zero.

use oplink::memory::{try_collect, try_filled};
use oplink::{KernelEnv, Result};

use super::direct::KnownFilter;
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

/// Convolves an image whose zero is the byte `border`, with a filter whose zero is `zero`.
///
/// # Errors
/// Memory runs out.
pub(crate) fn convolve_bytes(
    env: &dyn KernelEnv,
    g: &Geometry,
    (image, filter): (&[u8], &[u8]),
    border: u8,
    zero: i32,
    out: &mut [QInt32],
) -> Result<()> {
    let (way, whole) = (bytes::way(), whole(g));
    if out.is_empty() || !way.fits(g.patch()) || !is_moderate(&whole, image.len()) {
        return convolve_integers(env, g, (image, filter), [border.into(), zero], out);
    }
    let (image, g) = (bordered(g, &whole, image, border)?, whole);
    let panels = BytePanels::new(env, way, Matrix::row_major(filter, g.patch(), g.out_depth))?;
    let sums = patch_sums(&g, &image)?;
    let patches = Patches { geometry: &g, image: &image, group: 0 };
    bytes::multiply(env, (&patches, &sums), &panels, [border.into(), zero], QInt32, out)
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

/// The image with its border.
fn bordered(g: &Geometry, whole: &Geometry, image: &[u8], border: u8) -> Result<Vec<u8>> {
    let [_, rows, columns] = whole.axes;
    let width = columns.input * g.depth;
    let mut to = try_filled(border, g.batch * rows.input * width)?;
    let before = g.axes[2].before;
    let inside = g.axes[2].input.min(columns.input.saturating_sub(before)) * g.depth;
    for (index, to) in to.chunks_exact_mut(width.max(1)).enumerate() {
        let (picture, row) = (index / rows.input, index % rows.input);
        let at = row.wrapping_sub(g.axes[1].before);
        if at < g.axes[1].input {
            let from = &image[g.input_at(picture, [0, at, 0])..][..inside];
            to[before * g.depth..][..inside].copy_from_slice(from);
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
///
/// # Errors
/// Memory runs out.
pub(crate) fn convolve_integers(
    env: &dyn KernelEnv,
    g: &Geometry,
    (image, filter): (&[u8], &[u8]),
    zeros: [i32; 2],
    out: &mut [QInt32],
) -> Result<()> {
    let steps = |values: &[u8], zero: i32| try_collect(values.iter().map(|&value| i32::from(value).wrapping_sub(zero)));
    let (image, filter) = (steps(image, zeros[0])?, steps(filter, zeros[1])?);
    let mut sums = try_filled(0i32, out.len())?;
    let operands = Operands { image: &image, filter: &filter, finish: Finish::default(), out: &mut sums };
    convolve(env, g, operands, KnownFilter::unknown())?;
    out.iter_mut().zip(sums).for_each(|(to, sum)| *to = QInt32(sum));
    Ok(())
}
