//! Quantization that stays in floating point.

use oplink::prelude::*;

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
     shape = quantize_shape)]
pub struct QuantizeAndDequantizeV2;

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
