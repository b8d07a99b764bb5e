//! Convolutions of `f32` images by [`Direct`]: pixels are read in the image itself where all of the window is inside,
//! else in a block of its lines with zeros around them.

use std::borrow::Cow;
use std::ops::Range;

use oplink::{DType, Element, KernelEnv, Result, Tensor};

use super::constant_filter::{ConstantFilter, KnownFilter};
use super::geometry::Geometry;
use oplink_cpu_contraction::HAS_GEMM;
use oplink_cpu_contraction::computed::computed_of;
use oplink_cpu_contraction::direct::winograd::{self, Winograd};
use oplink_cpu_contraction::direct::winograd_gradient::{self, WinogradGradient};
use oplink_cpu_contraction::direct::winograd_once::WinogradOnce;
use oplink_cpu_contraction::direct::{
    Direct, FilterGradient, GAP, InputLines, ONE_SET_STRIDE, PackedFilter, Panels, Patches, Tiling, TransformedFilter,
    Walk, copied_stride, tile_pixels,
};
use oplink_cpu_contraction::finish::Finish;
use oplink_cpu_contraction::matrix::Matrix;
use oplink_cpu_contraction::tile::Operands;
use oplink_cpu_support::elementwise::Computed;
use oplink_ops::nn::window::Axis;

/// Output pixels for which it pays to bring a filter that is not constant into panels.
const MIN_PIXELS: usize = 128;

/// The elements of a filter in their compute type; none where [`convolve`] reads the constant itself, once.
pub(super) fn elements<'a, T: Computed>(
    filter: &'a Tensor,
    g: &Geometry,
    known: KnownFilter<'_>,
) -> Result<Cow<'a, [T::ComputeType]>> {
    let is_transformed = || known.is_transformed(&g.of_pictures());
    let is_kept = |constant: &ConstantFilter| T::DTYPE == DType::Float || constant.is_ready(is_transformed());
    if T::ComputeType::DTYPE == DType::Float && known.constant.is_some_and(is_kept) && fits(g, known) {
        return Ok(Cow::Borrowed(&[]));
    }
    Ok(computed_of(filter.as_slice::<T>()?))
}

/// Whether a convolution is computed here.
pub(super) fn fits(g: &Geometry, known: KnownFilter<'_>) -> bool {
    HAS_GEMM
        && g.axes[0].is_identity()
        && g.groups == 1
        && g.patch() > 0
        && (known.constant.is_some() || g.pixels() >= MIN_PIXELS)
}

/// Convolves an image.
pub(super) fn convolve(
    env: &dyn KernelEnv,
    g: &Geometry,
    operands: Operands<'_, f32>,
    known: KnownFilter<'_>,
) -> Result<()> {
    let Operands { image, filter, finish, out } = operands;
    if known.is_transformed(g) {
        return match known.constant {
            Some(constant) => winograd(g, image, constant.transformed(env, g, filter)?, finish).compute(env, out),
            None => {
                let tap = |tap| Matrix::row_major(tap, g.depth, g.out_depth);
                let taps: Vec<_> = filter.chunks_exact(g.depth * g.out_depth).map(tap).collect();
                winograd_once(g, image, &taps, finish).compute(env, out)
            }
        };
    }
    match known.constant {
        Some(constant) => multiply(env, g, image, constant.packed(env, g, filter)?, finish, out),
        None => multiply(env, g, image, &PackedFilter::new(env, filter, g.out_depth)?, finish, out),
    }
}

/// Calls `body` with a filter in panels: those that are kept of a constant, or made for this run.
pub(super) fn with_panels<R>(
    env: &dyn KernelEnv,
    g: &Geometry,
    (filter, known): (&Tensor, KnownFilter<'_>),
    body: impl FnOnce(Panels<'_>) -> Result<R>,
) -> Result<R> {
    match known.constant {
        Some(constant) => body(constant.packed(env, g, &[])?.panels()?),
        None => body(PackedFilter::new(env, filter.as_slice::<f32>()?, g.out_depth)?.panels()?),
    }
}

/// Convolves an image with a filter in panels.
pub(super) fn multiply(
    env: &dyn KernelEnv,
    g: &Geometry,
    image: &[f32],
    filter: &PackedFilter,
    finish: Finish<'_, f32>,
    out: &mut [f32],
) -> Result<()> {
    multiply_panels(env, (g, image), filter.panels()?, finish, out)
}

/// As [`multiply`].
pub(super) fn multiply_panels(
    env: &dyn KernelEnv,
    (g, image): (&Geometry, &[f32]),
    filter: Panels<'_>,
    finish: Finish<'_, f32>,
    out: &mut [f32],
) -> Result<()> {
    Direct { patches: Lines::new(g, image).patches(), filter, finish }.compute(env, out)
}

/// Computes the gradient of a convolution with respect to its filter, perhaps by Winograd's algorithm.
pub(super) fn filter_gradient(
    env: &dyn KernelEnv,
    (g, winograd): (&Geometry, bool),
    (image, gradient): (&[f32], &[f32]),
    out: &mut [f32],
) -> Result<()> {
    if winograd && is_small_window(g) && winograd_gradient::pays(g.batch, output_of(g), g.depth, g.out_depth) {
        return WinogradGradient { tiling: tiling(g, image), gradient, out_depth: g.out_depth }.compute(env, out);
    }
    let lines = Lines::new(g, image);
    FilterGradient { patches: lines.patches(), gradient, out_depth: g.out_depth }.compute(env, out)
}

/// Whether Winograd's algorithm computes the convolution, and faster.
pub(super) fn suits_winograd(g: &Geometry) -> bool {
    is_small_window(g) && winograd::pays(g.batch, output_of(g), g.depth, g.out_depth)
}

/// Rows and columns of a picture of the output.
fn output_of(g: &Geometry) -> (usize, usize) {
    (g.axes[1].output, g.axes[2].output)
}

/// Whether a window of 3x3 pixels moves by one.
fn is_small_window(g: &Geometry) -> bool {
    g.axes[1..].iter().all(|axis| axis.window == 3 && axis.stride == 1 && axis.dilation == 1)
}

/// A convolution with a transformed filter.
pub(super) fn winograd<'a>(
    g: &Geometry,
    image: &'a [f32],
    filter: &'a TransformedFilter,
    finish: Finish<'a, f32>,
) -> Winograd<'a> {
    Winograd { tiling: tiling(g, image), filter, finish }
}

/// A convolution with a filter of these taps, which is transformed for this run.
pub(super) fn winograd_once<'a>(
    g: &Geometry,
    image: &'a [f32],
    taps: &'a [Matrix<'a, f32>],
    finish: Finish<'a, f32>,
) -> WinogradOnce<'a> {
    WinogradOnce { tiling: tiling(g, image), taps, finish }
}

fn tiling<'a>(g: &Geometry, image: &'a [f32]) -> Tiling<'a> {
    let [_, rows, columns] = &g.axes;
    let (input, before) = ((rows.input, columns.input), (rows.before, columns.before));
    Tiling { image, depth: g.depth, input, output: output_of(g), before }
}

/// The lines of the pictures.
struct Lines<'a> {
    geometry: &'a Geometry,
    image: &'a [f32],
    kind: Kind,
    /// Elements from a pixel of the buffer to the next.
    pixel: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// All pixels of all pictures are one line, read in the image.
    Pointwise,
    /// Lines are read in the image.
    InPlace,
    /// Lines are copied to a buffer with what surrounds them.
    Buffered,
    /// The pixels that a 1x1 window sees are copied side by side.
    Picked,
}

impl<'a> Lines<'a> {
    fn new(geometry: &'a Geometry, image: &'a [f32]) -> Self {
        let [_, rows, columns] = &geometry.axes;
        let depth = geometry.depth;
        let is_one_set = (depth * columns.stride).is_multiple_of(ONE_SET_STRIDE);
        let inside = |axis: &Axis| {
            axis.before == 0 && (axis.output - 1) * axis.stride + (axis.window - 1) * axis.dilation < axis.input
        };
        let is_inside = inside(rows) && inside(columns);
        let kind = if geometry.is_pointwise() && !is_one_set {
            Kind::Pointwise
        } else if is_inside && !is_one_set {
            Kind::InPlace
        } else if is_inside && rows.window == 1 && columns.window == 1 {
            Kind::Picked
        } else {
            Kind::Buffered
        };
        let pixel = match kind {
            Kind::Picked => copied_stride(depth),
            Kind::Buffered if is_one_set => depth + GAP,
            _ => depth,
        };
        Self { geometry, image, kind, pixel }
    }

    /// Lines of the buffer for so many output lines, and pixels of one.
    fn extents(&self, lines: usize) -> (usize, usize) {
        let [_, rows, columns] = &self.geometry.axes;
        if self.kind == Kind::Picked {
            return (lines, columns.output);
        }
        let reach = |axis: &oplink_ops::nn::window::Axis, count: usize| {
            (count - 1) * axis.stride + (axis.window - 1) * axis.dilation + 1
        };
        (reach(rows, lines), reach(columns, columns.output))
    }

    /// What the output pixels see.
    fn patches(&self) -> Patches<'_> {
        let g = self.geometry;
        let [_, rows, columns] = &g.axes;
        if self.kind == Kind::Pointwise {
            let pixels = g.pixels();
            let width = pixels.min(tile_pixels());
            let walk = Walk { rows: (1, 0), columns: (1, 0), length: g.depth };
            let (lines, steps) = (pixels.div_ceil(width), (width * g.depth, g.depth));
            return Patches { input: self, pictures: 1, lines, width, pixels, steps, walk };
        }
        let (pixel, line) = match self.kind {
            Kind::Buffered | Kind::Picked => (self.pixel, self.extents(1).1 * self.pixel),
            _ => (g.depth, columns.input * g.depth),
        };
        let (strides, walk) = if self.kind == Kind::Picked {
            ((1, 1), Walk { rows: (1, 0), columns: (1, 0), length: g.depth })
        } else {
            let taps = (columns.window, columns.dilation * pixel);
            let is_run = columns.dilation == 1 && pixel == g.depth;
            let (taps, length) = if is_run { ((1, 0), columns.window * g.depth) } else { (taps, g.depth) };
            let walk = Walk { rows: (rows.window, rows.dilation * line), columns: taps, length };
            ((rows.stride, columns.stride), walk)
        };
        Patches {
            input: self,
            pictures: g.batch,
            lines: rows.output,
            width: columns.output,
            pixels: rows.output * columns.output,
            steps: (strides.0 * line, strides.1 * pixel),
            walk,
        }
    }

    /// Fills a line of the buffer with line `at` of a picture, `None` outside.
    fn fill(&self, picture: usize, at: Option<usize>, to: &mut [f32]) {
        let g = self.geometry;
        let columns = &g.axes[2];
        let Some(at) = at else { return to.fill(0.0) };
        let (before, step) = if self.kind == Kind::Picked { (0, columns.stride) } else { (columns.before, 1) };
        let line = &self.image[g.input_at(picture, [0, at, 0])..][..columns.input * g.depth];
        let pixels = to.len() / self.pixel;
        let inside = before.min(pixels)..pixels.min(before + columns.input.div_ceil(step));
        to[..inside.start * self.pixel].fill(0.0);
        to[inside.end * self.pixel..].fill(0.0);
        let to = &mut to[inside.start * self.pixel..inside.end * self.pixel];
        if self.pixel == g.depth && step == 1 {
            return to.copy_from_slice(&line[..to.len()]);
        }
        for (to, from) in to.chunks_exact_mut(self.pixel).zip(line.chunks_exact(g.depth).step_by(step)) {
            to[..g.depth].copy_from_slice(from);
        }
    }
}

impl InputLines for Lines<'_> {
    fn scratch(&self, lines: usize) -> usize {
        match self.kind {
            Kind::Pointwise | Kind::InPlace => 0,
            Kind::Buffered | Kind::Picked => {
                let (lines, pixels) = self.extents(lines);
                lines * pixels * self.pixel
            }
        }
    }

    fn source(&self, pictures: Range<usize>, lines: Range<usize>) -> &[f32] {
        let g = self.geometry;
        if self.kind == Kind::Pointwise {
            let line = g.pixels().min(tile_pixels()) * g.depth;
            return &self.image[lines.start * line..self.image.len().min(lines.end * line)];
        }
        let [_, rows, columns] = &g.axes;
        let start = (lines.start * rows.stride).saturating_sub(rows.before).min(rows.input);
        let reach = (lines.end - 1) * rows.stride + (rows.window - 1) * rows.dilation + 1;
        let end = reach.saturating_sub(rows.before).clamp(start, rows.input);
        let line = columns.input * g.depth;
        let picture = |picture: usize| picture * rows.input;
        &self.image[(picture(pictures.start) + start) * line..(picture(pictures.end - 1) + end) * line]
    }

    fn lines<'s>(&'s self, picture: usize, lines: Range<usize>, scratch: &'s mut [f32]) -> &'s [f32] {
        let g = self.geometry;
        let rows = &g.axes[1];
        match self.kind {
            Kind::Pointwise => &self.image[lines.start * g.pixels().min(tile_pixels()) * g.depth..],
            Kind::InPlace => &self.image[g.input_at(picture, [0, lines.start * rows.stride, 0])..],
            Kind::Buffered | Kind::Picked => {
                let (count, pixels) = self.extents(lines.len());
                let buffer = &mut scratch[..count * pixels * self.pixel];
                for (index, to) in buffer.chunks_exact_mut(pixels * self.pixel).enumerate() {
                    let at = if self.kind == Kind::Picked {
                        (lines.start + index) * rows.stride
                    } else {
                        (lines.start * rows.stride + index).wrapping_sub(rows.before)
                    };
                    self.fill(picture, Some(at).filter(|&at| at < rows.input), to);
                }
                buffer
            }
        }
    }
}
