//! `_FusedSeparableConv2D`: a depthwise convolution, and a convolution with a window of one pixel that reads its result
//! line by line, while that is in cache.
//!
//! `output = finish(sum over k of between[b, y, x, k] * pointwise_filter[0, 0, k, c])`, where `between` is what
//! `_FusedDepthwiseConv2dNative` gives. Where threads share out the output's channels too, because the pictures are
//! small, `between` is computed as a whole first. An error: another data format than `NHWC`, or steps that the two ops
//! do not take.

use std::ops::Range;
use std::slice;

use oplink::prelude::*;
use oplink::shape_fns::Padding;
use oplink_cpu_contraction::HAS_GEMM;
use oplink_cpu_contraction::direct::{Direct, InputLines, Patches, Walk, copied_stride, tile_pixels};
use oplink_cpu_contraction::fused_ops::FusedOps;
use oplink_ops::nn::window::Window;
use oplink_ops::nn::{_FusedSeparableConv2D, _FusedSeparableConv2DInputs, _FusedSeparableConv2DOutputs};

use super::constant_filter::FilterState;
use super::depthwise::{self, Depthwise, DepthwiseFinish};
use super::direct::{multiply_panels, with_panels};
use super::geometry::Geometry;

/// A window of one pixel.
const POINTWISE: Window = Window { strides: [1; 3], dilations: [1; 3], padding: [Padding::Valid; 3] };

/// `_FusedSeparableConv2D` over `NHWC` images.
pub struct FusedSeparableConv2dCpu {
    window: Window,
    depthwise: FusedOps<f32>,
    steps: FusedOps<f32>,
    filter: FilterState,
}

#[kernel(_FusedSeparableConv2D, device = CPU, T = [f32])]
impl Kernel for FusedSeparableConv2dCpu {
    type Op = _FusedSeparableConv2D;

    fn new(construction: Construction<'_, _FusedSeparableConv2D>) -> Result<Self> {
        let (op, attrs) = (&construction.node().op.name, construction.attrs);
        let depthwise = FusedOps::new(op, attrs.depthwise_ops, attrs.epsilon, attrs.depthwise_leakyrelu_alpha)?;
        if !HAS_GEMM || !depthwise.is_bias_and_activation() {
            return Err(Error::unimplemented(format!("{op} takes BiasAdd and an activation alone as depthwise_ops")));
        }
        let steps = FusedOps::new(op, attrs.fused_ops, attrs.epsilon, attrs.leakyrelu_alpha)?;
        let window = Window::channels_last(op, &attrs.into())?;
        Ok(Self { window, depthwise, steps, filter: FilterState::of_input(&construction, 3) })
    }

    fn compute(
        &self,
        inputs: _FusedSeparableConv2DInputs<'_>,
        outputs: &mut _FusedSeparableConv2DOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let (input, taps, filter) = (&*inputs.input, &*inputs.depthwise_filter, &*inputs.pointwise_filter);
        let geometry = Depthwise::new(&self.window, input.shape(), taps.shape())?;
        let between = geometry.output_shape();
        let pointwise = Geometry::new(&POINTWISE, &between, filter.shape())?;
        ensure!(
            pointwise.is_pointwise(),
            "pointwise_filter must be of the shape [1, 1, {}, channels], its shape is {}",
            geometry.channels(),
            filter.shape()
        );
        let output = outputs.output.allocate(pointwise.output_shape(4))?;
        let bias = self.depthwise.args::<f32>(slice::from_ref(&*inputs.depthwise_bias), &between)?;
        let args = self.steps.args::<f32>(&inputs.args, output.shape())?;
        let out = output.as_mut_slice::<f32>()?;
        let activate = |values: &mut [f32]| self.depthwise.activation().apply(values);
        let finish = DepthwiseFinish::new(&self.depthwise, &bias, &activate);
        let lines = DepthwiseLines::new(&geometry, (input.as_slice()?, taps.as_slice()?), finish);
        with_panels(&env, &pointwise, (filter, self.filter.of(filter)), |panels| {
            self.steps.finish(&args, pointwise.out_depth, |finish| {
                let direct = Direct { patches: lines.patches(), filter: panels, finish };
                if !direct.shares_columns(&env) {
                    return direct.compute(&env, out);
                }
                let mut between = env.allocate(DType::Float, between)?;
                depthwise::convolve(&env, &geometry, lines.operands, lines.finish, between.as_mut_slice()?);
                multiply_panels(&env, (&pointwise, between.as_slice()?), panels, finish, out)
            })
        })
    }
}

/// Lines of a depthwise convolution, computed when they are asked for.
struct DepthwiseLines<'a> {
    geometry: &'a Depthwise,
    /// The image and the filter.
    operands: (&'a [f32], &'a [f32]),
    finish: DepthwiseFinish<'a, f32>,
    /// Rows of pictures that are one line: as many as fill a tile.
    rows: usize,
    /// Elements from a pixel to the next.
    pixel: usize,
}

impl<'a> DepthwiseLines<'a> {
    fn new(geometry: &'a Depthwise, operands: (&'a [f32], &'a [f32]), finish: DepthwiseFinish<'a, f32>) -> Self {
        let (width, channels) = (geometry.columns.output, geometry.channels());
        let rows = (tile_pixels() / width.max(1)).clamp(1, geometry.rows.output.max(1));
        let pixel = copied_stride(channels);
        Self { geometry, operands, finish, rows, pixel }
    }

    fn patches(&self) -> Patches<'_> {
        let (rows, columns) = (self.geometry.rows.output, self.geometry.columns.output);
        let width = self.rows * columns;
        Patches {
            input: self,
            pictures: self.geometry.batch,
            lines: rows.div_ceil(self.rows),
            width,
            pixels: rows * columns,
            steps: (width * self.pixel, self.pixel),
            walk: Walk { rows: (1, 0), columns: (1, 0), length: self.geometry.channels() },
        }
    }

    /// Elements of a row as it is read.
    fn row(&self) -> usize {
        self.geometry.columns.output * self.pixel
    }

    /// Elements of a row as it is computed, before its pixels are set apart.
    fn computed(&self) -> usize {
        if self.pixel == self.geometry.channels() { 0 } else { self.geometry.width() }
    }
}

impl InputLines for DepthwiseLines<'_> {
    fn scratch(&self, lines: usize) -> usize {
        self.computed() + lines * self.rows * self.row()
    }

    fn lines<'s>(&'s self, picture: usize, lines: Range<usize>, scratch: &'s mut [f32]) -> &'s [f32] {
        let g = self.geometry;
        let (computed, buffer) = scratch.split_at_mut(self.computed());
        let rows = lines.start * self.rows..g.rows.output.min(lines.end * self.rows);
        for (row, to) in rows.zip(buffer.chunks_exact_mut(self.row())) {
            let row = picture * g.rows.output + row;
            if computed.is_empty() {
                depthwise::convolve_line(g, self.operands, row, self.finish, to);
                continue;
            }
            depthwise::convolve_line(g, self.operands, row, self.finish, computed);
            for (to, from) in to.chunks_exact_mut(self.pixel).zip(computed.chunks_exact(g.channels())) {
                to[..g.channels()].copy_from_slice(from);
            }
        }
        buffer
    }
}
