//! Uniformly quantized tensors.

use oplink::element::{QInt8, QInt32, QUInt8};
use oplink::prelude::*;
use oplink_ops::nn::{UniformDequantize, UniformQuantize, UniformQuantizedAdd, UniformQuantizedClipByValue};
use oplink_ops::nn::{UniformQuantizedDot, UniformRequantize};

use super::zero::Quantized;

/// A quantization: one for all elements, or one for each slice along an axis.
pub(super) struct Uniform<'t> {
    pub(super) scales: &'t [f32],
    pub(super) zeros: &'t [i32],
    /// Elements of a run of one slice.
    inner: usize,
}

impl<'t> Uniform<'t> {
    /// Of a tensor of this shape.
    pub(super) fn new(scales: &'t Tensor, zeros: &'t Tensor, axis: i64, shape: &Shape) -> Result<Self> {
        ensure!(
            scales.shape() == zeros.shape(),
            "scales and zero_points must have one shape, theirs are {} and {}",
            scales.shape(),
            zeros.shape()
        );
        let inner = match usize::try_from(axis) {
            Err(_) => {
                ensure!(scales.rank() == 0, "without an axis scales must be a scalar, its shape is {}", scales.shape());
                1
            }
            Ok(axis) => {
                let count = shape.get(axis).copied();
                let Some(count) = count else { bail!("a tensor of shape {shape} has no axis {axis}") };
                let fits = scales.shape().dims() == [count];
                ensure!(fits, "scales must have an entry for each of {count} slices, its shape is {}", scales.shape());
                shape[axis + 1..].iter().product::<usize>().max(1)
            }
        };
        Ok(Self { scales: scales.as_slice()?, zeros: zeros.as_slice()?, inner })
    }

    /// The slice that an element is in.
    fn slice(&self, at: usize) -> usize {
        if self.scales.len() == 1 { 0 } else { at / self.inner % self.scales.len() }
    }

    /// The scale and the zero of an element.
    fn of(&self, at: usize) -> (f32, i32) {
        let slice = self.slice(at);
        (self.scales[slice], self.zeros[slice])
    }
}

/// A positive factor as an integer of 31 bits behind the point, and how far it is shifted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Multiplier {
    factor: i64,
    shift: i32,
}

impl Multiplier {
    pub(super) fn new(factor: f64) -> Result<Self> {
        ensure!(factor.is_finite() && factor > 0.0, "scales must give a positive factor, it is {factor}");
        let (fraction, mut shift) = libm::frexp(factor);
        let mut fixed = (fraction * 2_147_483_648.0).round() as i64;
        if fixed == 1 << 31 {
            (fixed, shift) = (fixed / 2, shift + 1);
        }
        Ok(match shift {
            ..-31 => Self { factor: 0, shift: 0 },
            31.. => Self { factor: (1 << 31) - 1, shift: 30 },
            shift => Self { factor: fixed, shift },
        })
    }

    /// The product, halves rounded upwards; the nearest end of 32 bits where it is outside.
    pub(super) fn times(self, value: i32) -> i32 {
        let total = 31 - self.shift;
        let product = i64::from(value).wrapping_mul(self.factor).wrapping_add(1 << (total - 1));
        (product >> total).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
    }
}

/// `UniformQuantize` to bytes and to 32-bit integers.
#[kernel(UniformQuantize, device = CPU, Tin = [f32], Tout = [QInt8, QUInt8, QInt32])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments and attrs")]
pub fn uniform_quantize_cpu<Tout: Quantized>(
    input: &Tensor,
    scales: &Tensor,
    zero_points: &Tensor,
    quantization_axis: i64,
    quantization_min_val: i64,
    quantization_max_val: i64,
    output: &mut Tensor,
) -> Result<()> {
    let uniform = Uniform::new(scales, zero_points, quantization_axis, input.shape())?;
    let ends = (quantization_min_val as i32, quantization_max_val as i32);
    let pairs = output.as_mut_slice::<Tout>()?.iter_mut().zip(input.as_slice::<f32>()?);
    for (at, (out, value)) in pairs.enumerate() {
        let (scale, zero) = uniform.of(at);
        let steps = QInt32::of((value * (1.0 / scale) + 0.5).floor()).0;
        *out = Tout::from_integer(clamp(steps.wrapping_add(zero), ends));
    }
    Ok(())
}

/// At most the second end, and then at least the first.
pub(super) fn clamp(value: i32, (least, most): (i32, i32)) -> i32 {
    value.min(most).max(least)
}

/// `UniformDequantize` of bytes and of 32-bit integers.
#[kernel(UniformDequantize, device = CPU, Tin = [QInt8, QUInt8, QInt32], Tout = [f32])]
pub fn uniform_dequantize_cpu<Tin: Quantized>(
    input: &Tensor,
    scales: &Tensor,
    zero_points: &Tensor,
    quantization_axis: i64,
    output: &mut Tensor,
) -> Result<()> {
    let uniform = Uniform::new(scales, zero_points, quantization_axis, input.shape())?;
    let pairs = output.as_mut_slice::<f32>()?.iter_mut().zip(input.as_slice::<Tin>()?);
    for (at, (out, value)) in pairs.enumerate() {
        let (scale, zero) = uniform.of(at);
        *out = value.integer().wrapping_sub(zero) as f32 * scale;
    }
    Ok(())
}

/// `UniformRequantize` between bytes, and from 32-bit integers.
#[kernel(UniformRequantize, device = CPU, Tin = [QInt8, QInt32], Tout = [QInt8])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments and attrs")]
pub fn uniform_requantize_cpu<Tin: Quantized, Tout: Quantized>(
    input: &Tensor,
    input_scales: &Tensor,
    input_zero_points: &Tensor,
    output_scales: &Tensor,
    output_zero_points: &Tensor,
    input_quantization_axis: i64,
    output_quantization_axis: i64,
    output_quantization_min_val: i64,
    output_quantization_max_val: i64,
    output: &mut Tensor,
) -> Result<()> {
    let both = [input_quantization_axis, output_quantization_axis];
    ensure!(
        both[0] == both[1] || both.contains(&-1),
        "the axes of input and output must be the same, they are {both:?}"
    );
    let from = Uniform::new(input_scales, input_zero_points, both[0], input.shape())?;
    let to = Uniform::new(output_scales, output_zero_points, both[1], input.shape())?;
    let ends = (output_quantization_min_val as i32, output_quantization_max_val as i32);
    let multipliers = multipliers(&from, &to)?;
    let pairs = output.as_mut_slice::<Tout>()?.iter_mut().zip(input.as_slice::<Tin>()?);
    for (at, (out, value)) in pairs.enumerate() {
        let multiplier = multipliers[from.slice(at).max(to.slice(at))];
        let steps = multiplier.times(value.integer().wrapping_sub(from.of(at).1));
        *out = Tout::from_integer(clamp(steps.wrapping_add(to.of(at).1), ends));
    }
    Ok(())
}

/// What takes the steps of each slice from one quantization to another; nothing where there are no slices.
fn multipliers(from: &Uniform<'_>, to: &Uniform<'_>) -> Result<Vec<Multiplier>> {
    if from.scales.is_empty() || to.scales.is_empty() {
        return Ok(Vec::new());
    }
    let count = from.scales.len().max(to.scales.len());
    let scale = |uniform: &Uniform<'_>, at: usize| f64::from(uniform.scales[at % uniform.scales.len().max(1)]);
    (0..count).map(|at| Multiplier::new(scale(from, at) / scale(to, at))).collect()
}

/// `UniformQuantizedClipByValue` of 32-bit integers.
#[kernel(UniformQuantizedClipByValue, device = CPU, T = [QInt32])]
pub fn uniform_quantized_clip_by_value_cpu(
    operand: &Tensor,
    min: &Tensor,
    max: &Tensor,
    scales: &Tensor,
    zero_points: &Tensor,
    quantization_axis: i64,
    output: &mut Tensor,
) -> Result<()> {
    let uniform = Uniform::new(scales, zero_points, quantization_axis, operand.shape())?;
    for (name, end) in [("min", min), ("max", max)] {
        ensure!(end.shape() == scales.shape(), "{name} must have the shape {}, it has {}", scales.shape(), end.shape());
    }
    let (min, max) = (min.as_slice::<QInt32>()?, max.as_slice::<QInt32>()?);
    let pairs = output.as_mut_slice::<QInt32>()?.iter_mut().zip(operand.as_slice::<QInt32>()?);
    for (at, (out, value)) in pairs.enumerate() {
        let slice = uniform.slice(at);
        *out = QInt32(value.0.max(min[slice].0).min(max[slice].0));
    }
    Ok(())
}

/// `UniformQuantizedAdd` of 32-bit integers that all have one quantization.
#[kernel(UniformQuantizedAdd, device = CPU, T = [QInt32])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments and attrs")]
pub fn uniform_quantized_add_cpu(
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
    output: &mut Tensor,
) -> Result<()> {
    let axes = [lhs_quantization_axis, rhs_quantization_axis, output_quantization_axis];
    ensure!(
        axes.iter().all(|&axis| axis == axes[0]),
        "the axes of lhs, rhs and output must be the same, they are {axes:?}"
    );
    let to = Uniform::new(output_scales, output_zero_points, output_quantization_axis, output.shape())?;
    let ends = (output_quantization_min_val as i32, output_quantization_max_val as i32);
    let lhs = steps(lhs, lhs_scales, lhs_zero_points, lhs_quantization_axis, &to, output.shape())?;
    let rhs = steps(rhs, rhs_scales, rhs_zero_points, rhs_quantization_axis, &to, output.shape())?;
    for (at, out) in output.as_mut_slice::<QInt32>()?.iter_mut().enumerate() {
        let sum = lhs.at(at).wrapping_add(rhs.at(at)).wrapping_add(to.of(at).1);
        // Here the first end counts first.
        *out = QInt32(if sum < ends.0 { ends.0 } else { sum.min(ends.1) });
    }
    Ok(())
}

/// Steps from zero that are stretched to a larger shape.
struct Stretched {
    steps: Vec<i32>,
    /// Of each axis of the larger shape, the elements behind it there, its extent, and the elements behind it here, 0
    /// where it is stretched.
    axes: Vec<[usize; 3]>,
}

impl Stretched {
    fn at(&self, at: usize) -> i32 {
        self.steps[self.axes.iter().map(|[outer, extent, own]| at / outer % extent * own).sum::<usize>()]
    }
}

/// The steps of a tensor in another quantization, to be stretched to a shape.
fn steps(
    tensor: &Tensor,
    scales: &Tensor,
    zeros: &Tensor,
    axis: i64,
    to: &Uniform<'_>,
    shape: &Shape,
) -> Result<Stretched> {
    let from = Uniform::new(scales, zeros, axis, tensor.shape())?;
    let multipliers = multipliers(&from, to)?;
    let missing = shape.rank() - tensor.rank();
    let values = tensor.as_slice::<QInt32>()?.iter().enumerate();
    let steps =
        values.map(|(at, value)| multipliers[from.slice(at)].times(value.0.wrapping_sub(from.of(at).1))).collect();
    let mut axes = Vec::new();
    let (mut outer, mut own) = (1, 1);
    for at in (0..shape.rank()).rev() {
        let extent = if at < missing { 1 } else { tensor.shape()[at - missing] };
        axes.push([outer, shape[at].max(1), if extent == 1 { 0 } else { own }]);
        (outer, own) = (outer * shape[at].max(1), own * extent);
    }
    Ok(Stretched { steps, axes })
}

/// `UniformQuantizedDot` of bytes to 32-bit integers.
#[kernel(UniformQuantizedDot, device = CPU, Tin = [QInt8], Tout = [QInt32])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments and attrs")]
pub fn uniform_quantized_dot_cpu(
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
    output: &mut Tensor,
    env: Env<'_>,
) -> Result<()> {
    ensure!(lhs_quantization_axis == -1, "lhs must have one quantization, its axis is {lhs_quantization_axis}");
    let (&[rows, inner], &[depth, columns]) = (lhs.shape().dims(), rhs.shape().dims()) else {
        bail!("lhs and rhs must be matrices, their shapes are {} and {}", lhs.shape(), rhs.shape())
    };
    ensure!(inner == depth, "lhs has {inner} columns, rhs {depth} rows");
    for (name, axis) in [("rhs", rhs_quantization_axis), ("output", output_quantization_axis)] {
        ensure!(matches!(axis, -1 | 1), "the quantization axis of {name} must be -1 or 1, it is {axis}");
    }
    let left = Uniform::new(lhs_scales, lhs_zero_points, -1, lhs.shape())?;
    let right = Uniform::new(rhs_scales, rhs_zero_points, rhs_quantization_axis, rhs.shape())?;
    let to = Uniform::new(output_scales, output_zero_points, output_quantization_axis, &Shape::new(&[rows, columns]))?;
    let ends = (output_quantization_min_val as i32, output_quantization_max_val as i32);
    let at = |uniform: &Uniform<'_>, column: usize| if uniform.scales.len() == 1 { 0 } else { column };
    let multiplier = |column: usize| {
        let factor = f64::from(left.scales[0]) * f64::from(right.scales[at(&right, column)]);
        Multiplier::new(factor / f64::from(to.scales[at(&to, column)]))
    };
    let multipliers = (0..columns).map(multiplier).collect::<Result<Vec<_>>>()?;
    let (x, y) = (lhs.as_slice::<QInt8>()?, rhs.as_slice::<QInt8>()?);
    let out = output.as_mut_slice::<QInt32>()?;
    for (row, out) in env.watch(out.chunks_mut(columns.max(1)).enumerate()) {
        for (column, out) in out.iter_mut().enumerate() {
            let zero = right.zeros[at(&right, column)];
            let term = |k: usize| {
                let (x, y) = (i32::from(x[row * inner + k].0), i32::from(y[k * columns + column].0));
                x.wrapping_sub(left.zeros[0]).wrapping_mul(y.wrapping_sub(zero))
            };
            let sum = (0..inner).map(term).fold(0i32, i32::wrapping_add);
            let steps = multipliers[column].times(sum).wrapping_add(to.zeros[at(&to, column)]);
            *out = QInt32(clamp(steps, ends));
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "uniform_tests.rs"]
mod tests;
