//! Convolutions of `f32` images by [`Direct`]: pixels are read in the image itself where all of the window is inside,
//! else in a block of its lines with zeros around them.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use oplink::arguments::{Construction, TypedOp};
use oplink::{DType, KernelEnv, Result, Tensor};

use super::geometry::Geometry;
use oplink_cpu_contraction::HAS_GEMM;
use oplink_cpu_contraction::computed::computed_of;
use oplink_cpu_contraction::direct::winograd::{self, TransformedFilter, Winograd};
use oplink_cpu_contraction::direct::{Direct, InputLines, PackedFilter, Walk};
use oplink_cpu_contraction::finish::Finish;
use oplink_cpu_contraction::shared::{OfConstant, of_constant};
use oplink_cpu_contraction::source::Source;
use oplink_cpu_contraction::tile::Operands;
use oplink_cpu_support::elementwise::Computed;
use oplink_ops::nn::window::Axis;

/// Pixels of a line that is made of an image whose lines follow each other.
const LINE: usize = 56;
/// Output pixels for which it pays to bring a filter that is not constant into panels.
const MIN_PIXELS: usize = 128;
/// Lines of the cache that such a distance of pixels shares out badly.
const BAD_STRIDE: usize = 512;
/// What is left between pixels then.
const GAP: usize = 16;

/// The filter of a convolution in panels, made when it is first used.
pub(super) struct ConstantFilter {
    value: Tensor,
    packed: OnceLock<Arc<OfConstant<PackedFilter>>>,
    /// Whether it may be transformed.
    winograd: bool,
    transformed: OnceLock<Arc<OfConstant<TransformedFilter>>>,
}

impl ConstantFilter {
    /// Of the second input, where it is a constant.
    pub(super) fn of_node<O: TypedOp>(construction: &Construction<'_, O>) -> Option<Self> {
        if !HAS_GEMM {
            return None;
        }
        Some(Self {
            value: construction.constant(1)?.clone(),
            packed: OnceLock::new(),
            winograd: construction.options().winograd,
            transformed: OnceLock::new(),
        })
    }

    /// The transform of `filter`, the constant's elements; they are read where they are not given.
    fn transformed(&self, env: &dyn KernelEnv, g: &Geometry, filter: &[f32]) -> Result<&TransformedFilter> {
        if let Some(transformed) = self.transformed.get() {
            return Ok(transformed);
        }
        let transformed = of_constant(&self.value, (g.out_depth, 0), || {
            let filter = if filter.is_empty() { Source::of(&self.value)? } else { Source::Memory(filter) };
            TransformedFilter::lasting(env, filter, g.out_depth)
        })?;
        Ok(self.transformed.get_or_init(|| transformed))
    }

    /// Itself, where `filter` is the constant.
    pub(super) fn of(&self, filter: &Tensor) -> Option<&Self> {
        (self.value.is_same_part(filter) && self.value.shape() == filter.shape()).then_some(self)
    }

    /// The panels of `filter`, the constant's elements; they are read where they are not given.
    fn packed(&self, env: &dyn KernelEnv, g: &Geometry, filter: &[f32]) -> Result<&PackedFilter> {
        if let Some(packed) = self.packed.get() {
            return Ok(packed);
        }
        let packed = of_constant(&self.value, (g.out_depth, 0), || {
            let filter = if filter.is_empty() { Source::of(&self.value)? } else { Source::Memory(filter) };
            PackedFilter::lasting(env, filter, g.out_depth)
        })?;
        Ok(self.packed.get_or_init(|| packed))
    }
}

/// The elements of a filter in their compute type; none where [`convolve`] reads the constant itself, once.
pub(super) fn elements<'a, T: Computed>(
    filter: &'a Tensor,
    g: &Geometry,
    constant: Option<&ConstantFilter>,
) -> Result<Cow<'a, [T::ComputeType]>> {
    if T::DTYPE == DType::Float && constant.is_some() && fits(g, constant) {
        return Ok(Cow::Borrowed(&[]));
    }
    Ok(computed_of(filter.as_slice::<T>()?))
}

/// Whether a convolution is computed here.
pub(super) fn fits(g: &Geometry, constant: Option<&ConstantFilter>) -> bool {
    HAS_GEMM
        && g.axes[0].is_identity()
        && g.groups == 1
        && g.patch() > 0
        && (constant.is_some() || g.pixels() >= MIN_PIXELS)
}

/// Convolves an image.
pub(super) fn convolve(
    env: &dyn KernelEnv,
    g: &Geometry,
    operands: Operands<'_, f32>,
    constant: Option<&ConstantFilter>,
) -> Result<()> {
    let Operands { image, filter, finish, out } = operands;
    if let Some(constant) = constant.filter(|constant| constant.winograd && suits_winograd(g)) {
        let [_, rows, columns] = &g.axes;
        let filter = constant.transformed(env, g, filter)?;
        let (depth, before) = (g.depth, (rows.before, columns.before));
        let (input, output) = ((rows.input, columns.input), (rows.output, columns.output));
        return Winograd { image, depth, input, output, before, filter, finish }.compute(env, out);
    }
    let packed;
    let filter = match constant {
        Some(constant) => constant.packed(env, g, filter)?,
        None => {
            packed = PackedFilter::new(env, filter, g.out_depth)?;
            &packed
        }
    };
    Lines::new(g, image).direct(filter, finish).compute(env, out)
}

/// Whether Winograd's algorithm computes the convolution, and faster.
fn suits_winograd(g: &Geometry) -> bool {
    let [_, rows, columns] = &g.axes;
    let fits = |axis: &Axis| axis.window == 3 && axis.stride == 1 && axis.dilation == 1;
    fits(rows) && fits(columns) && winograd::pays(g.batch, (rows.output, columns.output), g.depth, g.out_depth)
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
        let is_bad = depth.is_multiple_of(BAD_STRIDE);
        let inside = |axis: &Axis| {
            axis.before == 0 && (axis.output - 1) * axis.stride + (axis.window - 1) * axis.dilation < axis.input
        };
        let is_inside = inside(rows) && inside(columns);
        let kind = if geometry.is_pointwise() && !is_bad {
            Kind::Pointwise
        } else if is_inside && !is_bad {
            Kind::InPlace
        } else if is_inside && rows.window == 1 && columns.window == 1 {
            Kind::Picked
        } else {
            Kind::Buffered
        };
        Self { geometry, image, kind, pixel: if is_bad { depth + GAP } else { depth } }
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

    fn direct<'d>(&'d self, filter: &'d PackedFilter, finish: Finish<'d, f32>) -> Direct<'d> {
        let g = self.geometry;
        let [_, rows, columns] = &g.axes;
        if self.kind == Kind::Pointwise {
            let pixels = g.pixels();
            let width = pixels.min(LINE);
            let walk = Walk { rows: (1, 0), columns: (1, 0), length: g.depth };
            let (lines, steps) = (pixels.div_ceil(width), (width * g.depth, g.depth));
            return Direct { input: self, pictures: 1, lines, width, pixels, steps, walk, filter, finish };
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
        Direct {
            input: self,
            pictures: g.batch,
            lines: rows.output,
            width: columns.output,
            pixels: rows.output * columns.output,
            steps: (strides.0 * line, strides.1 * pixel),
            walk,
            filter,
            finish,
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

    fn lines<'s>(&'s self, picture: usize, lines: Range<usize>, scratch: &'s mut [f32]) -> &'s [f32] {
        let g = self.geometry;
        let rows = &g.axes[1];
        match self.kind {
            Kind::Pointwise => &self.image[lines.start * g.pixels().min(LINE) * g.depth..],
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
