//! `Conv2D`: a convolution over images.
//!
//! `output[b, y, x, k] = sum over i, j, c of input[b, y * stride + i * dilation - pad, x * …, c] * filter[i, j, c, k]`,
//! zeros outside the image. `input` is [batch, rows, columns, depth], `filter` is [rows, columns, depth / groups,
//! out_depth]; group g joins the input channels and the output channels of its part. The 16-bit floats are summed in
//! f32, integers wrap.
//!
//! Computed as a matrix product over tiles of output pixels: the patches that a tile sees are copied side by side into
//! a small buffer. A 1x1 filter of stride 1 multiplies the image itself.

use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

use oplink::{KernelEnv, prelude::*};

use super::window::{Axis, Window};
use crate::numeric::gemm::{Gemm, Matrix, product};
use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::support::elementwise::Lanes;
use crate::support::parallel::for_each_chunk;

/// Elements that the patches of a tile should have at most.
const TILE_ELEMENTS: usize = 1 << 16;
/// Pixels of a tile, whatever the patches' size.
const MIN_TILE: usize = 64;
/// Pixels of a tile at most.
const MAX_TILE: usize = 1024;
/// Multiply-adds that one thread should at least have.
const TASK_COST: usize = 1 << 18;

/// Convolves images with a filter.
#[op("Conv2D",
     input = "input: T",
     input = "filter: T",
     output = "output: T",
     attr = "T: {half, bfloat16, float, double, int32}",
     attr = "strides: list(int)",
     attr = "use_cudnn_on_gpu: bool = true",
     attr = "padding: {'SAME', 'VALID', 'EXPLICIT'}",
     attr = "explicit_paddings: list(int) = []",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     shape = shape_fns::conv2d)]
pub struct Conv2D;

/// `Conv2D` over `NHWC` images.
pub struct Conv2dCpu<T> {
    window: Window,
    element: PhantomData<fn() -> T>,
}

#[kernel(Conv2D, device = CPU, T = [floats, i32])]
impl<T: Lanes<Lane: Gemm>> Kernel for Conv2dCpu<T> {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self { window: Window::new(*construction)?, element: PhantomData })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let (input, filter) = (context.input(0), context.input(1));
        let geometry = Geometry::new(&self.window, input.shape(), filter.shape())?;
        let mut output = context.allocate_output(0, geometry.output_shape())?;
        let (image, weights) = (lanes_of(input.as_slice::<T>()?), lanes_of(filter.as_slice::<T>()?));
        fill_lanes(output.as_mut_slice::<T>()?, |out| convolve(context.env(), &geometry, &image, &weights, out))?;
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
    out_depth: usize,
    groups: usize,
}

impl Geometry {
    fn new(window: &Window, input: &Shape, filter: &Shape) -> Result<Self> {
        let &[batch, rows, columns, depth] = input.dims() else {
            bail!("input must be of rank 4, its shape is {input}")
        };
        let &[filter_rows, filter_columns, group_depth, out_depth] = filter.dims() else {
            bail!("filter must be of rank 4, its shape is {filter}")
        };
        ensure!(group_depth > 0, "the depth of the filter must be > 0, its shape is {filter}");
        ensure!(
            depth.is_multiple_of(group_depth),
            "the depth of the input ({depth}) must be a multiple of the depth of the filter ({group_depth})"
        );
        let groups = depth / group_depth;
        ensure!(
            groups > 0 && out_depth.is_multiple_of(groups),
            "the depth of the output ({out_depth}) must be a multiple of the number of groups ({groups})"
        );
        ensure!(filter_rows > 0 && filter_columns > 0, "the filter must not be empty, its shape is {filter}");
        let (rows, columns) = (window.axis(0, rows, filter_rows)?, window.axis(1, columns, filter_columns)?);
        Ok(Self { batch, rows, columns, depth, out_depth, groups })
    }

    fn output_shape(&self) -> Shape {
        Shape::new(&[self.batch, self.rows.output, self.columns.output, self.out_depth])
    }

    fn group_depth(&self) -> usize {
        self.depth / self.groups
    }

    /// Elements of the patch that one output pixel of one group sees.
    fn patch(&self) -> usize {
        self.rows.window * self.columns.window * self.group_depth()
    }

    fn is_pointwise(&self) -> bool {
        self.groups == 1 && self.rows.is_identity() && self.columns.is_identity()
    }

    fn tile(&self) -> usize {
        (TILE_ELEMENTS / self.patch()).clamp(MIN_TILE, MAX_TILE).next_multiple_of(16)
    }

    /// Copies the patches of the output pixels from `pixel` on side by side.
    fn gather<L: Copy + Default>(&self, image: &[L], group: usize, pixel: usize, patches: &mut [L]) {
        let (width, height) = (self.columns.output, self.rows.output);
        for (i, patch) in patches.chunks_exact_mut(self.patch()).enumerate() {
            let (line, x) = ((pixel + i) / width, (pixel + i) % width);
            self.gather_patch(image, (line / height, line % height, x), group, patch);
        }
    }

    #[inline]
    fn gather_patch<L: Copy + Default>(
        &self,
        image: &[L],
        (b, y, x): (usize, usize, usize),
        group: usize,
        patch: &mut [L],
    ) {
        let depth = self.group_depth();
        let (row_taps, first_row) = self.rows.taps(y);
        let (column_taps, first_column) = self.columns.taps(x);
        let inside = column_taps.start * depth..column_taps.end * depth;
        for (tap, line) in patch.chunks_exact_mut(self.columns.window * depth).enumerate() {
            if !row_taps.contains(&tap) {
                line.fill(L::default());
                continue;
            }
            let row = first_row + (tap - row_taps.start) * self.rows.dilation;
            let start = ((b * self.rows.input + row) * self.columns.input + first_column) * self.depth + group * depth;
            line[..inside.start].fill(L::default());
            line[inside.end..].fill(L::default());
            let step = self.columns.dilation * self.depth;
            copy_taps(&image[start.min(image.len())..], step, depth, &mut line[inside.clone()]);
        }
    }
}

/// Copies runs of `run` elements that stand `step` apart in `from`, to fill `to`.
#[inline]
fn copy_taps<L: Copy>(from: &[L], step: usize, run: usize, to: &mut [L]) {
    if step == run {
        to.copy_from_slice(&from[..to.len()]);
        return;
    }
    for (i, to) in to.chunks_exact_mut(run).enumerate() {
        to.copy_from_slice(&from[i * step..][..run]);
    }
}

/// Convolves an image given as lanes.
fn convolve<L: Gemm>(env: &dyn KernelEnv, g: &Geometry, image: &[L], filter: &[L], out: &mut [L]) -> Result<()> {
    if out.is_empty() {
        return Ok(());
    }
    if g.is_pointwise() {
        let pixels = out.len() / g.out_depth;
        let filter = Matrix::row_major(filter, g.depth, g.out_depth);
        product(env, Matrix::row_major(image, pixels, g.depth), filter, out);
        return Ok(());
    }
    let tile = g.tile().min(out.len() / g.out_depth);
    let buffer_shape = Shape::new(&[env.intra_op_threads(), tile * g.patch()]);
    let mut buffers = Tensor::allocate(L::DTYPE, buffer_shape, env.allocator())?;
    let free: Mutex<Vec<&mut [L]>> =
        Mutex::new(buffers.as_mut_slice::<L>()?.chunks_exact_mut(tile * g.patch()).collect());
    let lock = || free.lock().unwrap_or_else(PoisonError::into_inner);
    let grain = TASK_COST.div_ceil(g.patch());
    for_each_chunk(env, out, grain, g.out_depth, &|start, part| {
        let taken = lock().pop();
        let pixel = start / g.out_depth;
        if let Some(patches) = taken {
            convolve_pixels(g, (image, filter), pixel, patches, part);
            lock().push(patches);
        } else {
            convolve_pixels(g, (image, filter), pixel, &mut vec![L::default(); tile * g.patch()], part);
        }
    });
    Ok(())
}

/// Convolves the output pixels from `pixel` on, tile by tile.
fn convolve_pixels<L: Gemm>(
    g: &Geometry,
    (image, filter): (&[L], &[L]),
    pixel: usize,
    patches: &mut [L],
    out: &mut [L],
) {
    let (patch, group_out) = (g.patch(), g.out_depth / g.groups);
    let tile = patches.len() / patch;
    for (index, out) in out.chunks_mut(tile * g.out_depth).enumerate() {
        let pixels = out.len() / g.out_depth;
        for group in 0..g.groups {
            let patches = &mut patches[..pixels * patch];
            g.gather(image, group, pixel + index * tile, patches);
            let filter = Matrix::strided(&filter[group * group_out..], (patch, group_out), (g.out_depth, 1));
            L::multiply(Matrix::row_major(patches, pixels, patch), filter, &mut out[group * group_out..], g.out_depth);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{Threads, run_in};

    fn values(shape: [usize; 4], seed: usize) -> Tensor {
        let count = shape.iter().product::<usize>();
        Tensor::from_vec(shape, (0..count).map(|i| ((i * 31 + seed) % 13) as f32 - 6.0).collect()).unwrap()
    }

    /// The definition, for one output element.
    fn element(x: &Tensor, w: &Tensor, [stride, dilation]: [usize; 2], before: usize, at: [usize; 4]) -> f32 {
        let (x, w) = (x.view::<f32, ndarray::Ix4>().unwrap(), w.view::<f32, ndarray::Ix4>().unwrap());
        let (rows, columns, depth, out_depth) = w.dim();
        let group = at[3] / (out_depth / (x.dim().3 / depth));
        let mut sum = 0.0;
        for (i, j, c) in ndarray::indices((rows, columns, depth)) {
            let y = (at[1] * stride + i * dilation).wrapping_sub(before);
            let x_at = (at[2] * stride + j * dilation).wrapping_sub(before);
            let value = x.get((at[0], y, x_at, group * depth + c));
            sum += value.copied().unwrap_or(0.0) * w[(i, j, c, at[3])];
        }
        sum
    }

    #[test]
    fn convolutions_agree_with_the_definition() {
        let cases = [
            ([2, 41, 37, 3], [3, 3, 3, 5], [1, 1], 1),
            ([1, 50, 49, 8], [7, 5, 8, 16], [2, 1], 3),
            ([1, 33, 40, 4], [3, 3, 2, 6], [1, 2], 2),
            ([3, 20, 21, 6], [1, 1, 6, 9], [1, 1], 0),
            ([1, 9, 9, 260], [3, 3, 260, 7], [1, 1], 1),
        ];
        for (input, filter, [stride, dilation], pad) in cases {
            let (x, w) = (values(input, 1), values(filter, 5));
            let attrs = [
                ("strides", vec![1, stride, stride, 1].into()),
                ("dilations", vec![1, dilation, dilation, 1].into()),
                ("padding", "EXPLICIT".into()),
                ("explicit_paddings", vec![0, 0, pad, pad, pad, pad, 0, 0].into()),
            ];
            let run =
                |threads| run_in(&Threads(threads), "Conv2D", &attrs, vec![x.clone(), w.clone()]).unwrap().remove(0);
            let out = run(1);
            assert_eq!(out.as_slice::<f32>().unwrap(), run(3).as_slice::<f32>().unwrap());
            for ((b, i, j, k), &value) in out.view::<f32, ndarray::Ix4>().unwrap().indexed_iter() {
                let expected = element(&x, &w, [stride as usize, dilation as usize], pad as usize, [b, i, j, k]);
                assert_eq!(value, expected, "{input:?} {filter:?} at {:?}", [b, i, j, k]);
            }
        }
    }

    #[test]
    fn other_data_formats_are_unimplemented() {
        let attrs = [("strides", vec![1, 1, 1, 1].into()), ("padding", "SAME".into()), ("data_format", "NCHW".into())];
        let inputs = vec![values([1, 3, 3, 3], 0), values([1, 1, 3, 3], 0)];
        let error = run_in(&Threads(1), "Conv2D", &attrs, inputs).unwrap_err();
        assert_eq!(error.code(), Code::Unimplemented);
    }
}
