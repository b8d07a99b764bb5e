//! `UniformQuantizedConvolution` and `UniformQuantizedConvolutionHybrid`: convolutions of any rank of steps from zero,
//! summed in 32 bits.
//!
//! Input and filter are arranged with their features last; of each position of the output, what its window sees is
//! copied side by side, and multiplied with the filter of each output feature.

use oplink::element::{QInt8, QInt32};
use oplink::memory::{try_filled, try_vec};
use oplink::prelude::*;
use oplink_ops::nn::uniform_geometry::{TensorAxes, UniformConvolutionAttrs, UniformGeometry};
use oplink_ops::nn::{UniformQuantizedConvolution, UniformQuantizedConvolutionHybrid};

use super::uniform::{Multiplier, Uniform, clamp};
use super::uniform_hybrid::{at, check_positive, quantize};

/// The elements between neighbours along each axis of a shape.
fn strides(shape: &Shape) -> Vec<usize> {
    let mut strides: Vec<usize> = shape
        .iter()
        .rev()
        .scan(1, |inner, &extent| {
            let stride = *inner;
            *inner *= extent;
            Some(stride)
        })
        .collect();
    strides.reverse();
    strides
}

/// Where a position, counted row by row through axes of these extents, lies in a tensor.
fn offset(mut position: usize, axes: impl DoubleEndedIterator<Item = (usize, usize)>) -> usize {
    let mut offset = 0;
    for (extent, stride) in axes.rev() {
        offset += position % extent * stride;
        position /= extent;
    }
    offset
}

/// The elements of a tensor in the order outer axis, positions, features; `value` gets each with its outer index.
fn arranged<T: Copy, V>(
    (elements, shape): (&[T], &Shape),
    axes: &TensorAxes,
    value: impl Fn(T, usize) -> V,
    env: Env<'_>,
) -> Result<Vec<V>> {
    let strides = strides(shape);
    let positions: usize = axes.spatial.iter().map(|&axis| shape[axis]).product();
    let mut to = try_vec(elements.len())?;
    for outer in 0..shape[axes.outer] {
        for position in env.watch(0..positions) {
            let at = offset(position, axes.spatial.iter().map(|&axis| (shape[axis], strides[axis])));
            let first = outer * strides[axes.outer] + at;
            let features = 0..shape[axes.features];
            to.extend(features.map(|feature| value(elements[first + feature * strides[axes.features]], outer)));
        }
    }
    Ok(to)
}

/// The steps of a convolution.
struct Steps<'g> {
    geometry: &'g UniformGeometry,
    /// By image, position and feature.
    image: Vec<i32>,
    /// What is seen around the image and between its positions.
    border: i32,
    /// By output feature, position and input feature.
    filter: Vec<i32>,
}

impl<'g> Steps<'g> {
    /// Of an image that is arranged, and of a filter in its quantization.
    fn new(
        geometry: &'g UniformGeometry,
        (image, border): (Vec<i32>, i32),
        (rhs, quantization): (&Tensor, &Uniform<'_>),
        env: Env<'_>,
    ) -> Result<Self> {
        let zero = |outer: usize| quantization.zeros[at(quantization, outer)];
        let step = |value: QInt8, outer: usize| i32::from(value.0).wrapping_sub(zero(outer));
        let filter = arranged((rhs.as_slice::<QInt8>()?, rhs.shape()), &geometry.rhs, step, env)?;
        Ok(Self { geometry, image, border, filter })
    }

    /// Copies what a position of the output sees of an image, tap by tap.
    fn copy(&self, image: usize, position: usize, to: &mut [i32]) {
        let g = self.geometry;
        let features = g.depth * g.feature_groups;
        let positions: usize = g.axes.iter().map(|axis| axis.input).product();
        for (tap, to) in to.chunks_exact_mut(features).enumerate() {
            let (mut tap, mut position, mut stride, mut at) = (tap, position, 1, Some(image * positions));
            for axis in g.axes.iter().rev() {
                let seen = axis.input_at(position % axis.output, tap % axis.window);
                at = at.zip(seen).map(|(at, seen)| at + seen * stride);
                (tap, position, stride) = (tap / axis.window, position / axis.output, stride * axis.input);
            }
            match at {
                Some(at) => to.copy_from_slice(&self.image[at * features..][..features]),
                None => to.fill(self.border),
            }
        }
    }

    /// Sets each element of the output to what `finish` makes of its sum, the image and the output feature.
    fn convolve<T>(&self, out: &mut [T], finish: impl Fn(i32, usize, usize) -> T, env: Env<'_>) -> Result<()> {
        let g = self.geometry;
        if out.is_empty() {
            return Ok(());
        }
        let strides = strides(&g.output_shape);
        let (of_batch, of_feature) = (strides[g.output.outer], strides[g.output.features]);
        let positions: usize = g.axes.iter().map(|axis| axis.output).product();
        let taps: usize = g.axes.iter().map(|axis| axis.window).product();
        let features = g.depth * g.feature_groups;
        let (of_group, of_part) = (g.out_depth / g.feature_groups, g.out_depth / g.batch_groups);
        let mut seen = try_filled(0i32, taps * features)?;
        for image in 0..g.batch * g.batch_groups {
            let (part, batch) = (image / g.batch, image % g.batch);
            for position in 0..positions {
                env.poll();
                self.copy(image, position, &mut seen);
                let at = g.output.spatial.iter().zip(&g.axes).map(|(&axis, of)| (of.output, strides[axis]));
                let first = batch * of_batch + offset(position, at);
                for feature in env.watch(part * of_part..(part + 1) * of_part) {
                    let filter = self.filter[feature * taps * g.depth..][..taps * g.depth].chunks_exact(g.depth);
                    let mut sum = 0i32;
                    for (x, y) in seen.chunks_exact(features).zip(filter) {
                        let x = &x[feature / of_group * g.depth..][..g.depth];
                        sum = x.iter().zip(y).fold(sum, |sum, (x, y)| sum.wrapping_add(x.wrapping_mul(*y)));
                    }
                    out[first + feature * of_feature] = finish(sum, image, feature);
                }
            }
        }
        Ok(())
    }
}

/// Fails unless an axis is that of output features, or none.
fn check_axis(name: &str, axis: i64, features: usize) -> Result<()> {
    let fits = axis == -1 || usize::try_from(axis) == Ok(features);
    ensure!(fits, "the quantization axis of {name} must be -1 or that of output features, {features}; it is {axis}");
    Ok(())
}

/// `UniformQuantizedConvolution` of bytes to 32-bit integers.
#[kernel(UniformQuantizedConvolution, device = CPU, Tin = [QInt8], Tout = [QInt32])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments and attrs")]
pub fn uniform_quantized_convolution_cpu(
    lhs: &Tensor,
    rhs: &Tensor,
    lhs_scales: &Tensor,
    lhs_zero_points: &Tensor,
    rhs_scales: &Tensor,
    rhs_zero_points: &Tensor,
    output_scales: &Tensor,
    output_zero_points: &Tensor,
    lhs_quantization_axis: i64,
    rhs_quantization_axis: i64,
    output_quantization_axis: i64,
    output_quantization_min_val: i64,
    output_quantization_max_val: i64,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(lhs_quantization_axis == -1, "lhs must have one quantization, its axis is {lhs_quantization_axis}");
    for (name, scales) in [("lhs", lhs_scales), ("rhs", rhs_scales), ("the output", output_scales)] {
        check_positive(name, scales)?;
    }
    let g = UniformGeometry::new(&UniformConvolutionAttrs::of_node(&env.node().attrs)?, lhs.shape(), rhs.shape())?;
    check_axis("rhs", rhs_quantization_axis, g.rhs.outer)?;
    check_axis("the output", output_quantization_axis, g.output.features)?;
    ensure!(
        rhs_scales.rank() > 0 || output_scales.rank() == 0,
        "the output can have a quantization for each feature only where rhs has"
    );
    let left = Uniform::new(lhs_scales, lhs_zero_points, -1, lhs.shape())?;
    let right = Uniform::new(rhs_scales, rhs_zero_points, rhs_quantization_axis, rhs.shape())?;
    let to = Uniform::new(output_scales, output_zero_points, output_quantization_axis, &g.output_shape)?;
    let multiplier = |feature: usize| {
        let factor = f64::from(left.scales[0]) * f64::from(right.scales[at(&right, feature)]);
        Multiplier::new(factor / f64::from(to.scales[at(&to, feature)]))
    };
    let multipliers = (0..g.out_depth).map(multiplier).collect::<Result<Vec<_>>>()?;
    let output = output.allocate(g.output_shape.clone())?.as_mut_slice::<QInt32>()?;
    let zero = left.zeros[0];
    let step = |value: QInt8, _| i32::from(value.0).wrapping_sub(zero);
    let image = arranged((lhs.as_slice::<QInt8>()?, lhs.shape()), &g.lhs, step, env)?;
    // Around the image stands the zero as a byte.
    let steps = Steps::new(&g, (image, i32::from(zero as i8).wrapping_sub(zero)), (rhs, &right), env)?;
    let ends = (output_quantization_min_val as i32, output_quantization_max_val as i32);
    let finish = |sum: i32, _, feature: usize| {
        QInt32(clamp(multipliers[feature].times(sum).wrapping_add(to.zeros[at(&to, feature)]), ends))
    };
    steps.convolve(output, finish, env)
}

/// `UniformQuantizedConvolutionHybrid` of numbers and bytes.
#[kernel(UniformQuantizedConvolutionHybrid, device = CPU, Tlhs = [f32], Trhs = [QInt8], Tout = [f32])]
pub fn uniform_quantized_convolution_hybrid_cpu(
    lhs: &Tensor,
    rhs: &Tensor,
    rhs_scales: &Tensor,
    rhs_zero_points: &Tensor,
    rhs_quantization_axis: i64,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    check_positive("rhs", rhs_scales)?;
    let g = UniformGeometry::new(&UniformConvolutionAttrs::of_node(&env.node().attrs)?, lhs.shape(), rhs.shape())?;
    check_axis("rhs", rhs_quantization_axis, g.rhs.outer)?;
    let right = Uniform::new(rhs_scales, rhs_zero_points, rhs_quantization_axis, rhs.shape())?;
    let output = output.allocate(g.output_shape.clone())?.as_mut_slice::<f32>()?;
    let values = arranged((lhs.as_slice::<f32>()?, lhs.shape()), &g.lhs, |value, _| value, env)?;
    let images = lhs.shape()[g.lhs.outer];
    let length = values.len().checked_div(images).unwrap_or(0);
    let (mut image, mut scales) = (try_filled(0i32, values.len())?, try_vec(images)?);
    for index in 0..images {
        let part = index * length..(index + 1) * length;
        scales.push(quantize(&values[part.clone()], &mut image[part], env));
    }
    let steps = Steps::new(&g, (image, 0), (rhs, &right), env)?;
    let finish =
        |sum: i32, image: usize, feature: usize| sum as f32 * scales[image] * right.scales[at(&right, feature)];
    steps.convolve(output, finish, env)
}

#[cfg(test)]
#[path = "uniform_convolution_tests.rs"]
mod tests;
