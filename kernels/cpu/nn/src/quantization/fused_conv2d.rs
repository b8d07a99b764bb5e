//! Convolutions of bytes with what follows them: one body, and a table of the ops that are forms of it.
//!
//! Bytes are convolved as unsigned ones, of which signed ones are 128 more; see `convolution::quantized`.

use std::marker::PhantomData;

use oplink::arguments::TypedOp;
use oplink::element::{QInt8, QInt32, QUInt8};
use oplink::memory::{try_collect, try_filled};
use oplink::prelude::*;
use oplink_ops::nn::window::{Depthwise, Geometry, Window, WindowAttrs};
use oplink_ops::nn::{
    QuantizedConv2DAndRelu, QuantizedConv2DAndReluAndRequantize, QuantizedConv2DAndRequantize,
    QuantizedConv2DPerChannel, QuantizedConv2DWithBias, QuantizedConv2DWithBiasAndRelu,
    QuantizedConv2DWithBiasAndReluAndRequantize, QuantizedConv2DWithBiasAndRequantize,
    QuantizedConv2DWithBiasSignedSumAndReluAndRequantize, QuantizedConv2DWithBiasSumAndRelu,
    QuantizedConv2DWithBiasSumAndReluAndRequantize, QuantizedDepthwiseConv2D, QuantizedDepthwiseConv2DWithBias,
    QuantizedDepthwiseConv2DWithBiasAndRelu, QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize,
};

use super::rescale::{Rescale, Summand, bias_numbers, ends, level, magnitude, nearest, sum_range};
use super::zero::range;
use crate::convolution::quantized::{ByteConvolution, convolve_bytes};

/// The kernel of the op `O`.
pub struct FusedConv2dCpu<O> {
    window: Window,
    op: PhantomData<fn() -> O>,
}

impl<O: TypedOp> FusedConv2dCpu<O> {
    fn of<'c>(construction: Construction<'c, O>) -> Result<Self>
    where
        WindowAttrs<'c>: From<O::Attrs<'c>>,
    {
        let op = &construction.node().op.name;
        Ok(Self { window: Window::channels_last(op, &construction.attrs.into())?, op: PhantomData })
    }
}

/// What a convolution does beside convolving.
#[derive(Debug, Clone, Copy)]
struct Form {
    /// Whether each channel is convolved by itself.
    is_depthwise: bool,
    /// Whether what is below 0 becomes 0.
    is_relu: bool,
}

/// The inputs of any of the ops.
struct Inputs<'c> {
    image: &'c Tensor,
    filter: &'c Tensor,
    image_range: [&'c Tensor; 2],
    filter_range: [&'c Tensor; 2],
    bias: Option<&'c Tensor>,
    summand: Option<&'c Tensor>,
    summand_range: Option<[&'c Tensor; 2]>,
    /// The range of an output of bytes.
    output_range: Option<[&'c Tensor; 2]>,
}

/// Defines the kernels: the op, its dtypes beside that of the filter, the form, and inputs beside those of all.
macro_rules! kernels {
    ($($op:ident [$($attr:ident = $dtypes:tt),*]:
        $depthwise:literal $relu:literal [$($name:ident: $value:tt)*];)*) => {$(
        #[kernel($op, device = CPU, Tfilter = [QInt8], $($attr = $dtypes),*)]
        impl Kernel for FusedConv2dCpu<$op> {
            type Op = $op;

            fn new(construction: Construction<'_, $op>) -> Result<Self> {
                Self::of(construction)
            }

            fn compute(
                &self,
                inputs: <$op as TypedOp>::Inputs<'_>,
                outputs: &mut <$op as TypedOp>::Outputs<'_>,
                env: Env<'_>,
            ) -> Result<()> {
                let all = Inputs {
                    image: &inputs.input,
                    filter: &inputs.filter,
                    image_range: [&inputs.min_input, &inputs.max_input],
                    filter_range: [&inputs.min_filter, &inputs.max_filter],
                    bias: None,
                    summand: None,
                    summand_range: None,
                    output_range: None,
                };
                let all = Inputs { $($name: Some(input!(inputs $value)),)* ..all };
                let outputs = [&mut outputs.output, &mut outputs.min_output, &mut outputs.max_output];
                compute(&self.window, Form { is_depthwise: $depthwise, is_relu: $relu }, &all, outputs, env)
            }
        }
    )*};
}

/// An input by name, or two in brackets.
macro_rules! input {
    ($inputs:ident [$min:ident $max:ident]) => {
        [&*$inputs.$min, &*$inputs.$max]
    };
    ($inputs:ident $name:ident) => {
        &*$inputs.$name
    };
}

kernels! {
    QuantizedConv2DPerChannel [Tinput = [QUInt8], out_type = [QInt32]]: false false [];
    QuantizedConv2DAndRelu [Tinput = [QUInt8], out_type = [QInt32]]: false true [];
    QuantizedConv2DAndRequantize [Tinput = [QUInt8], out_type = [QInt8]]:
        false false [output_range: [min_freezed_output max_freezed_output]];
    QuantizedConv2DAndReluAndRequantize [Tinput = [QUInt8], out_type = [QUInt8]]:
        false true [output_range: [min_freezed_output max_freezed_output]];
    QuantizedConv2DWithBias [Tinput = [QInt8, QUInt8], out_type = [QInt32]]: false false [bias: bias];
    QuantizedConv2DWithBiasAndRelu [Tinput = [QInt8, QUInt8], out_type = [QInt32]]: false true [bias: bias];
    QuantizedConv2DWithBiasAndRequantize [Tinput = [QInt8, QUInt8], Tbias = [f32, QInt32], out_type = [QInt8]]:
        false false [bias: bias output_range: [min_freezed_output max_freezed_output]];
    QuantizedConv2DWithBiasAndReluAndRequantize [Tinput = [QInt8, QUInt8], Tbias = [f32, QInt32], out_type = [QUInt8]]:
        false true [bias: bias output_range: [min_freezed_output max_freezed_output]];
    QuantizedConv2DWithBiasSumAndRelu [Tinput = [QUInt8], out_type = [QInt32]]:
        false true [bias: bias summand: summand];
    QuantizedConv2DWithBiasSumAndReluAndRequantize
        [Tinput = [QUInt8], Tbias = [f32, QInt32], Tsummand = [QUInt8], out_type = [QUInt8]]:
        false true [
            bias: bias
            summand: summand
            summand_range: [min_summand max_summand]
            output_range: [min_freezed_output max_freezed_output]
        ];
    QuantizedConv2DWithBiasSignedSumAndReluAndRequantize
        [Tinput = [QUInt8], Tbias = [f32, QInt32], Tsummand = [QInt8], out_type = [QUInt8]]:
        false true [
            bias: bias
            summand: summand
            summand_range: [min_summand max_summand]
            output_range: [min_freezed_output max_freezed_output]
        ];
    QuantizedDepthwiseConv2D [Tinput = [QUInt8], out_type = [QInt32]]: true false [];
    QuantizedDepthwiseConv2DWithBias [Tinput = [QUInt8], out_type = [QInt32]]: true false [bias: bias];
    QuantizedDepthwiseConv2DWithBiasAndRelu [Tinput = [QUInt8], out_type = [QInt32]]: true true [bias: bias];
    QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize
        [Tinput = [QUInt8], Tbias = [f32, QInt32], out_type = [QUInt8]]:
        true true [bias: bias output_range: [min_freezed_output max_freezed_output]];
}

fn compute(
    window: &Window,
    form: Form,
    inputs: &Inputs<'_>,
    [output, min_output, max_output]: [&mut OutputSlot<'_>; 3],
    env: Env<'_>,
) -> Result<()> {
    let geometry = geometry(window, form, inputs)?;
    let scales = Scales::new(inputs, geometry.out_depth)?;
    let output = output.allocate(geometry.output_shape(4))?;
    let mut sums = try_filled(QInt32(0), output.num_elements())?;
    convolve(&geometry, inputs, &mut sums, env)?;
    let bias = inputs.bias.map(|bias| bias_numbers(bias, geometry.out_depth, &scales.integers)).transpose()?;
    let summand = match (inputs.summand, inputs.summand_range) {
        (None, _) => None,
        (Some(summand), ends) => {
            ensure!(
                summand.shape() == output.shape(),
                "summand must have the shape of the output, {}, its shape is {}",
                output.shape(),
                summand.shape()
            );
            let range = ends.map(|[min, max]| range(min, max)).transpose()?;
            Some(Summand::new(summand, range.map_or(0.0, magnitude))?)
        }
    };
    let output_range = inputs.output_range.map(|[min, max]| range(min, max)).transpose()?;
    let steps_a_byte = if output.dtype() == DType::QInt8 { 127.0 } else { 255.0 };
    let unit = output_range.map_or(scales.unit, |range| magnitude(range) / steps_a_byte);
    let is_signed = inputs.summand.is_some_and(|summand| summand.dtype() == DType::QInt8);
    let rescale = Rescale { steps: &scales.steps, bias: bias.as_deref(), summand, is_relu: form.is_relu, unit };
    let rows = (&sums[..], geometry.out_depth);
    match output.dtype() {
        DType::QInt32 => rescale.apply(env, rows, nearest::<QInt32>(ends::<QInt32>()), output.as_mut_slice()?),
        DType::QInt8 => rescale.apply(env, rows, nearest::<QInt8>(ends::<QInt8>()), output.as_mut_slice()?),
        _ => {
            let ends = if is_signed { ends::<QInt8>() } else { ends::<QUInt8>() };
            rescale.apply(env, rows, nearest::<QUInt8>(ends), output.as_mut_slice()?);
        }
    }
    match output_range {
        Some((min, max)) => {
            min_output.set_scalar(min);
            max_output.set_scalar(max);
        }
        None => scales.set_ranges(inputs, [min_output, max_output])?,
    }
    Ok(())
}

/// The extents of a convolution; of channels each by itself, with a group for each.
fn geometry(window: &Window, form: Form, inputs: &Inputs<'_>) -> Result<Geometry> {
    let (image, filter) = (inputs.image.shape(), inputs.filter.shape());
    ensure!(image.rank() == 4, "input must be of rank 4, its shape is {image}");
    ensure!(inputs.filter.num_elements() > 0, "the filter must not be empty, its shape is {filter}");
    if !form.is_depthwise {
        return Geometry::new(window, image, filter);
    }
    let depthwise = Depthwise::new(window, image, filter)?;
    let one = window.axes([1; 3], [1; 3])?[0];
    let (depth, axes) = (depthwise.depth, [one, depthwise.rows, depthwise.columns]);
    Ok(Geometry { batch: depthwise.batch, axes, depth, out_depth: depthwise.channels(), groups: depth })
}

/// The bytes of a tensor as unsigned ones, and the one that stands for 0.
fn unsigned(tensor: &Tensor) -> Result<(Vec<u8>, i32)> {
    match tensor.dtype() {
        DType::QUInt8 => Ok((super::bytes(tensor)?, 0)),
        _ => Ok((try_collect(tensor.as_slice::<QInt8>()?.iter().map(|value| value.0 as u8 ^ 0x80))?, 0x80)),
    }
}

fn convolve(geometry: &Geometry, inputs: &Inputs<'_>, sums: &mut [QInt32], env: Env<'_>) -> Result<()> {
    let ((image, of_image), (filter, of_filter)) = (unsigned(inputs.image)?, unsigned(inputs.filter)?);
    let before = [geometry.axes[1].before as isize, geometry.axes[2].before as isize];
    let zeros = [of_image, of_filter];
    convolve_bytes(&env, &ByteConvolution { geometry, image: &image, filter: &filter, zeros, before }, sums)
}

/// What the sums stand for.
struct Scales {
    /// The ranges of the filter, one or one for each output channel.
    ranges: Vec<(f32, f32)>,
    /// What 1 stands for in the sums of each range.
    steps: Vec<f32>,
    /// The same, as an integer of the bias does: by a quotient that is rounded otherwise.
    integers: Vec<f32>,
    /// The largest of the steps.
    unit: f32,
}

impl Scales {
    fn new(inputs: &Inputs<'_>, channels: usize) -> Result<Self> {
        let [min, max] = inputs.filter_range;
        let fits =
            |end: &Tensor| end.rank() == 0 || matches!(*end.shape().dims(), [count] if count == 1 || count == channels);
        ensure!(
            min.shape() == max.shape() && fits(min),
            "min_filter and max_filter must be scalars, or have an entry for each of {channels} output channels, their \
             shapes are {} and {}",
            min.shape(),
            max.shape()
        );
        let ends = min.as_slice::<f32>()?.iter().copied().zip(max.as_slice::<f32>()?.iter().copied());
        let ranges = try_collect(ends)?;
        let image = magnitude(range(inputs.image_range[0], inputs.image_range[1])?);
        let image_steps = if inputs.image.dtype() == DType::QInt8 { 127.0 } else { 255.0 };
        let step = image / image_steps;
        let integer = |&filter: &(f32, f32)| 1.0 / (image_steps * 127.0 / (image * magnitude(filter)));
        let integers = try_collect(ranges.iter().map(integer))?;
        let steps = try_collect(ranges.iter().map(|&range| step * (magnitude(range) / 127.0)))?;
        let least = ranges.iter().map(|range| range.0).fold(f32::INFINITY, f32::min);
        let most = ranges.iter().map(|range| range.1).fold(f32::NEG_INFINITY, f32::max);
        Ok(Self { ranges, steps, integers, unit: magnitude((least, most)) / 127.0 * step })
    }

    /// Sets the ranges that 32-bit sums stand for, of the shape of the filter's.
    fn set_ranges(&self, inputs: &Inputs<'_>, [min, max]: [&mut OutputSlot<'_>; 2]) -> Result<()> {
        let image = range(inputs.image_range[0], inputs.image_range[1])?;
        let image = level(image, inputs.image.dtype() == DType::QInt8);
        let shape = inputs.filter_range[0].shape();
        let (mins, maxes) = (min.allocate(shape.clone())?, max.allocate(shape.clone())?);
        let ends = mins.as_mut_slice::<f32>()?.iter_mut().zip(maxes.as_mut_slice::<f32>()?);
        for ((min, max), &filter) in ends.zip(&self.ranges) {
            (*min, *max) = sum_range(image * level(filter, true));
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "fused_conv2d_tests.rs"]
mod tests;
