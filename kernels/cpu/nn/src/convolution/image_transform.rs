//! `FusedPadConv2D` and `FusedResizeAndPadConv2D`: convolutions of images that are resized, and get a mirrored border,
//! on the way.
//!
//! The part of the resized and padded images that windows see is made whole, and convolved.

use super::constant_filter::KnownFilter;
use super::forward::convolve;
use super::geometry::Geometry;
use crate::quantization::quantized_conv2d::before;
use oplink::memory::try_collect;
use oplink::prelude::*;
use oplink_cpu_contraction::computed::{computed_of, fill_computed};
use oplink_cpu_contraction::finish::Finish;
use oplink_cpu_contraction::tile::{Operands, TileElement};
use oplink_cpu_support::elementwise::Computed;
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::attrs::{MirrorMode, Padding};
use oplink_ops::nn::window::{Window, WindowAttrs};
use oplink_ops::nn::{FusedPadConv2D, FusedPadConv2DAttrs, FusedResizeAndPadConv2D, FusedResizeAndPadConv2DAttrs};

/// Elements that one thread should at least make.
const GRAIN: usize = 1 << 13;

/// `FusedPadConv2D` of every float.
#[kernel(FusedPadConv2D, device = CPU, T = [floats])]
pub fn fused_pad_conv2d_cpu<T: Float + Computed<ComputeType: TileElement>>(
    input: &Tensor,
    paddings: &Tensor,
    filter: &Tensor,
    attrs: FusedPadConv2DAttrs<'_>,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let &[_, rows, columns, _] = input.shape().dims() else {
        bail!("input must be of rank 4, its shape is {}", input.shape())
    };
    let transform = Transform { resized: [rows, columns], align_corners: false, mode: attrs.mode, copies: true };
    let is_valid = attrs.padding == Padding::Valid;
    transform.convolve::<T>([input, paddings, filter], (&attrs.into(), is_valid), output, env)
}

/// `FusedResizeAndPadConv2D`.
#[kernel(FusedResizeAndPadConv2D, device = CPU, T = [f16, f32, f64])]
pub fn fused_resize_and_pad_conv2d_cpu<T: Float + Computed<ComputeType: TileElement>>(
    input: &Tensor,
    size: &Tensor,
    paddings: &Tensor,
    filter: &Tensor,
    attrs: FusedResizeAndPadConv2DAttrs<'_>,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let Some(resized) = two_extents(size) else { bail!("size must be a vector of two numbers > 0") };
    let transform = Transform { resized, align_corners: attrs.resize_align_corners, mode: attrs.mode, copies: false };
    let is_valid = attrs.padding == Padding::Valid;
    transform.convolve::<T>([input, paddings, filter], (&attrs.into(), is_valid), output, env)
}

fn two_extents(size: &Tensor) -> Option<[usize; 2]> {
    let &[rows, columns] = size.as_slice::<i32>().ok().filter(|_| size.rank() == 1)? else { return None };
    let extent = |value: i32| usize::try_from(value).ok().filter(|&extent| extent > 0);
    Some([extent(rows)?, extent(columns)?])
}

/// What is done to images before they are convolved.
struct Transform {
    resized: [usize; 2],
    align_corners: bool,
    mode: MirrorMode,
    /// Whether pixels are copied, not interpolated.
    copies: bool,
}

/// The two positions that one of the padded images lies between, and how far from the first.
#[derive(Clone, Copy)]
struct Between {
    lower: usize,
    upper: usize,
    part: f32,
}

impl Transform {
    fn convolve<T: Float + Computed<ComputeType: TileElement>>(
        &self,
        [input, paddings, filter]: [&Tensor; 3],
        (attrs, is_valid): (&WindowAttrs<'_>, bool),
        mut output: OutputSlot<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let &[batch, rows, columns, depth] = input.shape().dims() else {
            bail!("input must be of rank 4, its shape is {}", input.shape())
        };
        ensure!(input.num_elements() > 0, "input must not be empty, its shape is {}", input.shape());
        let borders = self.borders(paddings)?;
        let padded = [0, 1].map(|axis| borders[axis][0] + self.resized[axis] + borders[axis][1]);
        let window = Window::channels_last(&env.node().op.name, attrs)?;
        let mut geometry = Geometry::new(&window, &[batch, padded[0], padded[1], depth], filter.shape())?;
        ensure!(geometry.groups == 1, "the depth of the filter must be that of the input, {depth}");
        let shape = geometry.output_shape(4);
        ensure!(shape.checked_num_elements() != Some(0), "the output must not be empty, its shape is {shape}");
        // Windows that begin inside do not see the first rows and columns.
        let mut first = [0; 2];
        for (at, axis) in geometry.axes[1..].iter_mut().enumerate() {
            let before = before(axis, is_valid);
            first[at] = before.min(0).unsigned_abs();
            (axis.before, axis.input) = (before.max(0) as usize, padded[at] - first[at]);
        }
        let output = output.allocate(shape)?.as_mut_slice::<T>()?;
        let given = [rows, columns];
        let [down, along] = [0, 1].map(|axis| self.positions(axis, first[axis]..padded[axis], borders[axis][0], given));
        let (down, along) = (down?, along?);
        let mut image = env.allocate(T::DTYPE, [batch, down.len(), along.len(), depth])?;
        let pixels = Pixels { image: input.as_slice::<T>()?, given, depth, copies: self.copies };
        for_each_row(&env, image.as_mut_slice::<T>()?, along.len() * depth, GRAIN, &|row, out| {
            pixels.fill(row / down.len(), down[row % down.len()], &along, out);
        });
        let (image, filter) = (computed_of(image.as_slice::<T>()?), computed_of(filter.as_slice::<T>()?));
        fill_computed(output, |out| {
            let operands = Operands { image: &image, filter: &filter, finish: Finish::default(), out };
            convolve(&env, &geometry, operands, KnownFilter::unknown())
        })
    }

    /// Rows before and after the resized images, and columns.
    fn borders(&self, paddings: &Tensor) -> Result<[[usize; 2]; 2]> {
        ensure!(paddings.shape().dims() == [4, 2], "paddings must have shape [4,2], it has {}", paddings.shape());
        let values = paddings.as_slice::<i32>()?;
        let &[b0, b1, top, bottom, left, right, c0, c1] = values else { bail!("paddings must have 8 elements") };
        ensure!([b0, b1, c0, c1] == [0; 4], "paddings of batch and depth must be 0, they are {values:?}");
        let edge = usize::from(self.mode == MirrorMode::Reflect);
        let border = |value: i32, extent: usize| match usize::try_from(value) {
            Ok(border) if border + edge <= extent => Ok(border),
            _ => bail!("paddings {values:?} must be >= 0, and at most what can be mirrored of {:?}", self.resized),
        };
        let [rows, columns] = self.resized;
        Ok([[border(top, rows)?, border(bottom, rows)?], [border(left, columns)?, border(right, columns)?]])
    }

    /// Where the positions of an axis of the padded images lie in those given, in single precision as TensorFlow does.
    fn positions(
        &self,
        axis: usize,
        padded: std::ops::Range<usize>,
        before: usize,
        given: [usize; 2],
    ) -> Result<Vec<Between>> {
        let (given, resized) = (given[axis], self.resized[axis]);
        let scale = match self.align_corners && resized > 1 {
            true => (given - 1) as f32 / (resized - 1) as f32,
            false => given as f32 / resized as f32,
        };
        let edge = if self.mode == MirrorMode::Reflect { 1.0 } else { 0.0 };
        let resized = resized as f32;
        try_collect(padded.map(|at| {
            let mut place = (at as i64 - before as i64) as f32;
            if place < 0.0 {
                place = -(place + 1.0 - edge);
            } else if place >= resized {
                place = resized * 2.0 - (place + 1.0 + edge);
            }
            place *= scale;
            let lower = (place.floor().max(0.0) as usize).min(given - 1);
            let upper = (place.ceil().max(0.0) as usize).min(given - 1);
            Between { lower, upper, part: place - lower as f32 }
        }))
    }
}

/// Images that pixels are taken of.
struct Pixels<'t, T> {
    image: &'t [T],
    /// Rows and columns.
    given: [usize; 2],
    depth: usize,
    copies: bool,
}

impl<T: Float> Pixels<'_, T> {
    /// A row of an image of the batch.
    fn fill(&self, batch: usize, row: Between, columns: &[Between], out: &mut [T]) {
        let [rows, width] = self.given;
        let line = |at: usize| &self.image[(batch * rows + at) * width * self.depth..][..width * self.depth];
        let (top, bottom) = (line(row.lower), line(row.upper));
        let down = T::from_f32(row.part);
        for (out, column) in out.chunks_exact_mut(self.depth).zip(columns) {
            let [left, right] = [column.lower, column.upper].map(|at| at * self.depth);
            if self.copies {
                out.copy_from_slice(&top[left..][..self.depth]);
                continue;
            }
            let along = T::from_f32(column.part);
            for (channel, out) in out.iter_mut().enumerate() {
                let between = |line: &[T]| {
                    let (first, last) = (line[left + channel], line[right + channel]);
                    first + (last - first) * along
                };
                let above = between(top);
                *out = above + (between(bottom) - above) * down;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{assert_close, run};

    fn image(shape: [usize; 4]) -> Tensor {
        Tensor::from_vec(shape, (0..shape.iter().product()).map(|i| i as f32).collect()).unwrap()
    }

    fn pads(rows: [i32; 2], columns: [i32; 2]) -> Tensor {
        Tensor::from_vec([4, 2], [[0, 0], rows, columns, [0, 0]].concat()).unwrap()
    }

    fn attrs(mode: &str, strides: [i64; 2], padding: &str) -> Vec<(&'static str, AttrValue)> {
        let strides = vec![1, strides[0], strides[1], 1];
        vec![("mode", mode.into()), ("strides", strides.into()), ("padding", padding.into())]
    }

    fn ones(shape: [usize; 4]) -> Tensor {
        Tensor::full(shape, 1f32)
    }

    #[test]
    fn borders_are_mirrored_as_in_tensorflow() {
        let inputs = |batch| vec![image([batch, 4, 4, 1]), pads([1, 1], [1, 1]), ones([2, 2, 1, 1])];
        let out = run("FusedPadConv2D", &attrs("SYMMETRIC", [2, 2], "SAME"), inputs(1)).unwrap().remove(0);
        assert_eq!(out.as_slice::<f32>().unwrap(), [0.0, 6.0, 12.0, 24.0, 30.0, 36.0, 48.0, 54.0, 60.0]);
        let out = run("FusedPadConv2D", &attrs("REFLECT", [1, 2], "VALID"), inputs(1)).unwrap().remove(0);
        let rows = [[10.0, 14.0, 18.0], [10.0, 14.0, 18.0], [26.0, 30.0, 34.0], [42.0, 46.0, 50.0], [42.0, 46.0, 50.0]];
        assert_eq!(out.as_slice::<f32>().unwrap(), rows.concat());
        let both = run("FusedPadConv2D", &attrs("REFLECT", [1, 2], "VALID"), inputs(2)).unwrap().remove(0);
        let sums: Vec<f32> = rows.concat().iter().map(|sum| sum + 64.0).collect();
        assert_eq!(both.as_slice::<f32>().unwrap()[15..], sums);
    }

    #[test]
    fn small_windows_begin_inside() {
        // Of 4 positions one is seen, the second.
        let inputs = vec![image([1, 4, 4, 1]), pads([0, 0], [0, 0]), ones([1, 1, 1, 1])];
        let out = run("FusedPadConv2D", &attrs("REFLECT", [4, 4], "VALID"), inputs.clone()).unwrap().remove(0);
        assert_eq!(out.as_slice::<f32>().unwrap(), [5.0]);
        let out = run("FusedPadConv2D", &attrs("REFLECT", [4, 4], "SAME"), inputs).unwrap().remove(0);
        assert_eq!(out.as_slice::<f32>().unwrap(), [5.0]);
    }

    #[test]
    fn images_are_resized_first() {
        let inputs = vec![image([1, 3, 3, 1]), Tensor::from([5i32, 5]), pads([1, 1], [1, 1]), ones([2, 2, 1, 1])];
        let out = run("FusedResizeAndPadConv2D", &attrs("REFLECT", [1, 1], "VALID"), inputs).unwrap().remove(0);
        assert_eq!(out.shape().dims(), [1, 6, 6, 1]);
        let expected = Tensor::from([4.8f32, 4.8, 7.2, 9.6, 11.2, 11.2]);
        let row = Tensor::from_slice(&out.as_slice::<f32>().unwrap()[..6]);
        assert_close(&row, &expected, 8.0);
    }

    #[test]
    fn what_cannot_be_padded_is_refused() {
        let plain = attrs("REFLECT", [1, 1], "VALID");
        let fails = |image: Tensor, pads: Tensor, filter: Tensor| {
            run("FusedPadConv2D", &plain, vec![image, pads, filter]).is_err()
        };
        let filter = || ones([2, 2, 1, 1]);
        assert!(fails(image([1, 4, 4, 1]), pads([4, 0], [0, 0]), filter()));
        assert!(fails(image([1, 4, 4, 1]), pads([-1, 0], [0, 0]), filter()));
        assert!(fails(image([0, 4, 4, 1]), pads([0, 0], [0, 0]), filter()));
        assert!(fails(image([1, 4, 4, 2]), pads([0, 0], [0, 0]), filter()));
        assert!(fails(image([1, 4, 4, 1]), pads([0, 0], [0, 0]), ones([5, 2, 1, 1])));
        assert!(!fails(image([1, 4, 4, 1]), pads([3, 0], [0, 3]), filter()));
    }
}
