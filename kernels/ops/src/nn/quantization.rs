//! Quantization that stays in floating point.

use oplink::attr_enum;
use oplink::prelude::*;

attr_enum! {
    /// How halves of steps are rounded.
    pub enum StepRounding { HalfToEven = "HALF_TO_EVEN", HalfUp = "HALF_UP" }
}

/// `inputs` rounded to the steps of a range.
///
/// Values outside `min` to `max` become the nearest end. The range is shifted so that 0 is one of its `2^num_bits`
/// steps (one less with `narrow_range`). NaN stays.
#[op("FakeQuantWithMinMaxArgs",
     input = "inputs: float",
     output = "outputs: float",
     attr = "min: float = -6.0",
     attr = "max: float = 6.0",
     attr = "num_bits: int = 8",
     attr = "narrow_range: bool = false",
     shape = shape_fns::unchanged)]
pub struct FakeQuantWithMinMaxArgs;

/// `inputs` rounded to the steps of the range `min` to `max`.
///
/// `min` and `max` are scalars; values outside become the nearest end. The range is shifted so that 0 is one of its
/// `2^num_bits` steps (one less with `narrow_range`). NaN stays. All values become 0 where `min` and `max` are 0.
#[op("FakeQuantWithMinMaxVars",
     input = "inputs: float",
     input = "min: float",
     input = "max: float",
     output = "outputs: float",
     attr = "num_bits: int = 8",
     attr = "narrow_range: bool = false",
     shape = fake_quant_shape)]
pub struct FakeQuantWithMinMaxVars;

/// `inputs` rounded to the steps of a range for each channel.
///
/// The channels are the last axis; `min` and `max` are vectors of their ranges, which are those of
/// `FakeQuantWithMinMaxVars`.
#[op("FakeQuantWithMinMaxVarsPerChannel",
     input = "inputs: float",
     input = "min: float",
     input = "max: float",
     output = "outputs: float",
     attr = "num_bits: int = 8",
     attr = "narrow_range: bool = false",
     shape = per_channel_shape)]
pub struct FakeQuantWithMinMaxVarsPerChannel;

/// The gradient of `FakeQuantWithMinMaxArgs`: `gradients` where `inputs` are inside the range, elsewhere 0.
#[op("FakeQuantWithMinMaxArgsGradient",
     input = "gradients: float",
     input = "inputs: float",
     output = "backprops: float",
     attr = "min: float = -6.0",
     attr = "max: float = 6.0",
     attr = "num_bits: int = 8",
     attr = "narrow_range: bool = false",
     shape = shape_fns::unchanged)]
pub struct FakeQuantWithMinMaxArgsGradient;

/// The gradients of `FakeQuantWithMinMaxVars`.
///
/// `backprops_wrt_input` are `gradients` where `inputs` are inside the range, elsewhere 0; `backprop_wrt_min` is the
/// sum of those where they are below, `backprop_wrt_max` where they are above. Where `min` and `max` are 0, all are
/// inside.
#[op("FakeQuantWithMinMaxVarsGradient",
     input = "gradients: float",
     input = "inputs: float",
     input = "min: float",
     input = "max: float",
     output = "backprops_wrt_input: float",
     output = "backprop_wrt_min: float",
     output = "backprop_wrt_max: float",
     attr = "num_bits: int = 8",
     attr = "narrow_range: bool = false",
     shape = fake_quant_gradient_shape)]
pub struct FakeQuantWithMinMaxVarsGradient;

/// The gradients of `FakeQuantWithMinMaxVarsPerChannel`, as those of `FakeQuantWithMinMaxVars` for each channel.
///
/// `gradients` and `inputs` have rank 1 to 4.
#[op("FakeQuantWithMinMaxVarsPerChannelGradient",
     input = "gradients: float",
     input = "inputs: float",
     input = "min: float",
     input = "max: float",
     output = "backprops_wrt_input: float",
     output = "backprop_wrt_min: float",
     output = "backprop_wrt_max: float",
     attr = "num_bits: int = 8",
     attr = "narrow_range: bool = false",
     shape = per_channel_gradient_shape)]
pub struct FakeQuantWithMinMaxVarsPerChannelGradient;

/// The number of channels: the last extent of `shape`, and that of the vectors from input `first` on.
fn channels(c: &ShapeContext<'_>, shape: &PartialShape, first: usize) -> Result<Option<usize>> {
    let last = shape.rank().and_then(|rank| shape.dim(rank - 1));
    let min = c.merge_dim(last, c.with_rank(first, 1)?.dim(0))?;
    c.merge_dim(min, c.with_rank(first + 1, 1)?.dim(0))
}

fn per_channel_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let inputs = c.with_rank_at_least(0, 1)?;
    channels(c, &inputs, 1)?;
    c.set_output(0, inputs);
    Ok(())
}

fn fake_quant_gradient_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let inputs = c.merge(c.input(0), c.input(1))?;
    c.with_rank(2, 0)?;
    c.with_rank(3, 0)?;
    c.set_output(0, inputs);
    c.set_output(1, PartialShape::scalar());
    c.set_output(2, PartialShape::scalar());
    Ok(())
}

fn per_channel_gradient_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank_at_least(0, 1)?;
    let inputs = c.merge(&c.with_rank_at_most(0, 4)?, c.input(1))?;
    let channels = channels(c, &inputs, 2)?;
    c.set_output(0, inputs);
    c.set_output(1, PartialShape::new(&[channels]));
    c.set_output(2, PartialShape::new(&[channels]));
    Ok(())
}

fn fake_quant_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(1, 0)?;
    c.with_rank(2, 0)?;
    shape_fns::unchanged(c)
}

/// `input` rounded to the steps of a range.
///
/// The range is `input_min` to `input_max`, scalars, with `range_given`, else from the smallest to the largest value of
/// `input`, or of each slice along `axis` where that is not -1. Steps are multiples of the larger of `min / lowest` and
/// `max / highest`, where `lowest` and `highest` are those of integers of `num_bits` (with a sign where `signed_input`,
/// one step less below with `narrow_range`). Values outside a given range become its nearest end. Halves are rounded to
/// even or, with `HALF_UP`, upwards.
#[op("QuantizeAndDequantizeV2",
     input = "input: T",
     input = "input_min: T",
     input = "input_max: T",
     output = "output: T",
     attr = "signed_input: bool = true",
     attr = "num_bits: int = 8",
     attr = "range_given: bool = false",
     attr = "T: {bfloat16, half, float, double}",
     attr = "round_mode: {'HALF_TO_EVEN', 'HALF_UP'} = 'HALF_TO_EVEN'",
     attr = "narrow_range: bool = false",
     attr = "axis: int = -1",
     enums(round_mode = StepRounding),
     shape = quantize_shape)]
pub struct QuantizeAndDequantizeV2;

/// As `QuantizeAndDequantizeV2`, whose gradient says which values were inside the range.
#[op("QuantizeAndDequantizeV4",
     input = "input: T",
     input = "input_min: T",
     input = "input_max: T",
     output = "output: T",
     attr = "signed_input: bool = true",
     attr = "num_bits: int = 8",
     attr = "range_given: bool = false",
     attr = "T: {bfloat16, half, float, double}",
     attr = "round_mode: {'HALF_TO_EVEN', 'HALF_UP'} = 'HALF_TO_EVEN'",
     attr = "narrow_range: bool = false",
     attr = "axis: int = -1",
     enums(round_mode = StepRounding),
     shape = quantize_shape)]
pub struct QuantizeAndDequantizeV4;

/// As `QuantizeAndDequantizeV2`, with the number of bits as a scalar; halves are rounded to even.
#[op("QuantizeAndDequantizeV3",
     input = "input: T",
     input = "input_min: T",
     input = "input_max: T",
     input = "num_bits: int32",
     output = "output: T",
     attr = "signed_input: bool = true",
     attr = "range_given: bool = true",
     attr = "T: {bfloat16, half, float, double}",
     attr = "narrow_range: bool = false",
     attr = "axis: int = -1",
     shape = quantize_v3_shape)]
pub struct QuantizeAndDequantizeV3;

/// The gradients of `QuantizeAndDequantizeV4`.
///
/// `input_backprop` are `gradients` where `input` is from `input_min` to `input_max`, elsewhere 0; the gradients of the
/// range are 0.
#[op("QuantizeAndDequantizeV4Grad",
     input = "gradients: T",
     input = "input: T",
     input = "input_min: T",
     input = "input_max: T",
     output = "input_backprop: T",
     output = "input_min_backprop: T",
     output = "input_max_backprop: T",
     attr = "T: {bfloat16, half, float, double}",
     attr = "axis: int = -1",
     shape = quantize_grad_shape)]
pub struct QuantizeAndDequantizeV4Grad;

fn quantize_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let axis = c.attr::<i64>("axis")?;
    ensure!(axis >= -1, "axis must be at least -1, it is {axis}");
    let input = if axis == -1 { c.input(0).clone() } else { c.with_rank_at_least(0, axis as usize + 1)? };
    let rank = usize::from(axis != -1);
    if c.attr("range_given")? {
        c.with_rank(1, rank)?;
        c.with_rank(2, rank)?;
    }
    c.set_output(0, input);
    Ok(())
}

fn quantize_v3_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    quantize_shape(c)?;
    c.with_rank(3, 0)?;
    Ok(())
}

fn quantize_grad_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let axis = c.attr::<i64>("axis")?;
    ensure!(axis >= -1, "axis must be at least -1, it is {axis}");
    let inputs = c.merge(c.input(0), c.input(1))?;
    let rank = usize::from(axis != -1);
    let (min, max) = (c.with_rank(2, rank)?, c.with_rank(3, rank)?);
    let range = c.merge(&min, &max)?;
    if axis != -1 {
        let axis = axis as usize;
        c.with_rank_at_least(0, axis + 1)?;
        c.merge_dim(range.dim(0), inputs.dim(axis))?;
    }
    c.set_output(0, inputs);
    c.set_output(1, range.clone());
    c.set_output(2, range);
    Ok(())
}

/// As [`QuantizeAndDequantizeV2`], with attrs for the ends of the range.
#[op("QuantizeAndDequantize",
     input = "input: T",
     output = "output: T",
     attr = "signed_input: bool = true",
     attr = "num_bits: int = 8",
     attr = "range_given: bool = false",
     attr = "input_min: float = 0.0",
     attr = "input_max: float = 0.0",
     attr = "T: {bfloat16, half, float, double}",
     deprecated(since = 22, note = "Replaced by QuantizeAndDequantizeV2"),
     shape = shape_fns::unchanged)]
pub struct QuantizeAndDequantize;
