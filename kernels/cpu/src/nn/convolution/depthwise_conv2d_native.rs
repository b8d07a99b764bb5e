//! `DepthwiseConv2dNative`: each channel of an image convolved with filters of its own.
//!
//! `output[b, y, x, c * m + q] = sum over i, j of input[b, y * stride + i * dilation - pad, x * …, c] * filter[i, j,
//! c, q]`. `input` is [batch, rows, columns, depth], `filter` is [rows, columns, depth, m], the output has depth * m
//! channels. The 16-bit floats are summed in f32.

use std::marker::PhantomData;

use multiversion::multiversion;
use multiversion::target::target_cfg_f;
use oplink::prelude::*;

use super::super::window::{Axis, Window};
use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::support::elementwise::{FloatLane, Lanes};
use crate::support::parallel::for_each_row;

/// Multiply-adds that one thread should at least have.
const TASK_COST: usize = 1 << 17;
/// Channels whose sums are held in registers.
const BLOCK: usize = 32;

/// Convolves each channel of images with filters of its own.
#[op("DepthwiseConv2dNative",
     input = "input: T",
     input = "filter: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double}",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     shape = shape_fns::depthwise_conv2d)]
pub struct DepthwiseConv2dNative;

/// `DepthwiseConv2dNative` over `NHWC` images.
pub struct DepthwiseConv2dCpu<T> {
    window: Window,
    element: PhantomData<fn() -> T>,
}

#[kernel(DepthwiseConv2dNative, device = CPU, T = [floats])]
impl<T: Lanes<Lane: FloatLane>> Kernel for DepthwiseConv2dCpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { window: Window::new(*construction)?, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let (input, filter) = (context.input(0), context.input(1));
        let geometry = Geometry::new(&self.window, input.shape(), filter.shape())?;
        let mut output = context.allocate_output(0, geometry.output_shape())?;
        let (image, filter) = (lanes_of(input.as_slice::<T>()?), lanes_of(filter.as_slice::<T>()?));
        let (width, grain) = (geometry.row_width(), TASK_COST.div_ceil(geometry.taps().max(1)));
        if output.num_elements() > 0 {
            fill_lanes(output.as_mut_slice::<T>()?, |out| {
                for_each_row(context.env(), out, width, grain, &|row, out| {
                    geometry.convolve_row(&image, &filter, row, out);
                });
            });
        }
        context.set_output(0, output);
        Ok(())
    }
}

/// The extents of one convolution.
#[derive(Debug, Clone, Copy)]
struct Geometry {
    batch: usize,
    rows: Axis,
    columns: Axis,
    depth: usize,
    multiplier: usize,
}

/// The taps of a filter that lie inside the image for one output pixel: `lines` x `run` of them.
#[derive(Debug, Clone, Copy)]
struct Taps {
    /// Position in the image of the first tap's channels, and the way to the next line and the next tap of a line.
    image: (usize, usize, usize),
    /// The same in the filter.
    filter: (usize, usize, usize),
    lines: usize,
    run: usize,
}

impl Geometry {
    fn new(window: &Window, input: &Shape, filter: &Shape) -> Result<Self> {
        let &[batch, rows, columns, depth] = input.dims() else {
            bail!("input must be of rank 4, its shape is {input}")
        };
        let &[filter_rows, filter_columns, filter_depth, multiplier] = filter.dims() else {
            bail!("filter must be of rank 4, its shape is {filter}")
        };
        ensure!(
            depth == filter_depth,
            "input of depth {depth} and filter of depth {filter_depth} must have the same depth"
        );
        let [_, rows, columns] = window.axes([1, rows, columns], [1, filter_rows, filter_columns])?;
        Ok(Self { batch, rows, columns, depth, multiplier })
    }

    fn output_shape(&self) -> Shape {
        Shape::new(&[self.batch, self.rows.output, self.columns.output, self.depth * self.multiplier])
    }

    fn taps(&self) -> usize {
        self.rows.window * self.columns.window
    }

    fn row_width(&self) -> usize {
        self.columns.output * self.depth * self.multiplier
    }

    /// Computes one row of the output, `row` counted over all images.
    fn convolve_row<L: FloatLane>(&self, image: &[L], filter: &[L], row: usize, out: &mut [L]) {
        let (row_taps, first_row) = self.rows.taps(row % self.rows.output);
        let line = (row / self.rows.output * self.rows.input + first_row) * self.columns.input;
        let channels = self.depth * self.multiplier;
        for (x, out) in out.chunks_exact_mut(channels).enumerate() {
            let (column_taps, first_column) = self.columns.taps(x);
            let taps = Taps {
                image: (
                    (line + first_column) * self.depth,
                    self.rows.dilation * self.columns.input * self.depth,
                    self.columns.dilation * self.depth,
                ),
                filter: (
                    (row_taps.start * self.columns.window + column_taps.start) * channels,
                    self.columns.window * channels,
                    channels,
                ),
                lines: row_taps.len(),
                run: column_taps.len(),
            };
            if self.multiplier == 1 {
                channels_alike(image, filter, taps, out);
            } else {
                channels_multiplied(image, filter, taps, self.multiplier, out);
            }
        }
    }
}

impl Taps {
    /// Positions in the image and in the filter, tap by tap.
    #[inline(always)]
    fn each(self, mut visit: impl FnMut(usize, usize)) {
        for line in 0..self.lines {
            for tap in 0..self.run {
                let at = |(start, to_line, to_tap): (usize, usize, usize)| start + line * to_line + tap * to_tap;
                visit(at(self.image), at(self.filter));
            }
        }
    }
}

#[inline(always)]
fn multiply_add<L: FloatLane, const FUSED: bool>(a: L, b: L, c: L) -> L {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

/// One output pixel where input and output channels are the same.
#[allow(unsafe_code, reason = "room: calls of the versions that `multiversion` has checked the processor for")]
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn channels_alike<L: FloatLane>(image: &[L], filter: &[L], taps: Taps, out: &mut [L]) {
    if target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64")) {
        blocks::<L, true>(image, filter, taps, out);
    } else {
        blocks::<L, false>(image, filter, taps, out);
    }
}

#[inline(always)]
fn blocks<L: FloatLane, const FUSED: bool>(image: &[L], filter: &[L], taps: Taps, out: &mut [L]) {
    let mut start = 0;
    let mut wide = out.chunks_exact_mut(BLOCK);
    for out in &mut wide {
        block::<L, BLOCK, FUSED>(image, filter, taps, start, out);
        start += BLOCK;
    }
    let mut narrow = wide.into_remainder().chunks_exact_mut(8);
    for out in &mut narrow {
        block::<L, 8, FUSED>(image, filter, taps, start, out);
        start += 8;
    }
    for out in narrow.into_remainder().chunks_exact_mut(1) {
        block::<L, 1, FUSED>(image, filter, taps, start, out);
        start += 1;
    }
}

/// `N` channels from `channel` on.
#[inline(always)]
fn block<L: FloatLane, const N: usize, const FUSED: bool>(
    image: &[L],
    filter: &[L],
    taps: Taps,
    channel: usize,
    out: &mut [L],
) {
    let mut sums = [L::ZERO; N];
    taps.each(|i, f| {
        let (image, filter) = (&image[i + channel..][..N], &filter[f + channel..][..N]);
        for ((sum, &x), &w) in sums.iter_mut().zip(image).zip(filter) {
            *sum = multiply_add::<L, FUSED>(x, w, *sum);
        }
    });
    out.copy_from_slice(&sums);
}

/// One output pixel where each input channel makes `multiplier` output channels.
fn channels_multiplied<L: FloatLane>(image: &[L], filter: &[L], taps: Taps, multiplier: usize, out: &mut [L]) {
    out.fill(L::ZERO);
    let depth = out.len() / multiplier;
    taps.each(|i, f| {
        let (image, filter) = (&image[i..i + depth], &filter[f..f + out.len()]);
        for ((out, &x), filter) in out.chunks_exact_mut(multiplier).zip(image).zip(filter.chunks_exact(multiplier)) {
            out.iter_mut().zip(filter).for_each(|(out, &w)| *out = *out + x * w);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{Threads, run_in};

    fn values(shape: [usize; 4], seed: usize) -> Tensor {
        let count = shape.iter().product::<usize>();
        Tensor::from_vec(shape, (0..count).map(|i| ((i * 31 + seed) % 13) as f32 - 6.0).collect()).unwrap()
    }

    #[test]
    fn convolutions_agree_with_the_definition() {
        for (depth, multiplier, stride, dilation) in [(77, 1, 1, 1), (5, 3, 2, 1), (40, 1, 2, 1), (9, 1, 1, 2)] {
            let (x, w) = (values([2, 17, 13, depth], 1), values([3, 3, depth, multiplier], 4));
            let attrs = [
                ("strides", vec![1, stride, stride, 1].into()),
                ("dilations", vec![1, dilation, dilation, 1].into()),
                ("padding", "VALID".into()),
            ];
            let out =
                run_in(&Threads(3), "DepthwiseConv2dNative", &attrs, vec![x.clone(), w.clone()]).unwrap().remove(0);
            let (x, w) = (x.view::<f32, ndarray::Ix4>().unwrap(), w.view::<f32, ndarray::Ix4>().unwrap());
            let (stride, dilation) = (stride as usize, dilation as usize);
            for ((b, i, j, k), &value) in out.view::<f32, ndarray::Ix4>().unwrap().indexed_iter() {
                let taps = (0..9).map(|tap| (tap / 3, tap % 3));
                let (c, q) = (k / multiplier, k % multiplier);
                let products = taps
                    .map(|(r, s)| x[(b, i * stride + r * dilation, j * stride + s * dilation, c)] * w[(r, s, c, q)]);
                assert_eq!(value, products.sum::<f32>(), "depth {depth} x {multiplier} at {:?}", [b, i, j, k]);
            }
        }
    }
}
