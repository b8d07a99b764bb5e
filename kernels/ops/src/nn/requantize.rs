//! Quantized numbers in another range or dtype, and the ranges that they fill.
//!
//! A range is two scalars, the smaller end first, unless an op says that each slice along the last axis has its own.

use oplink::prelude::*;

use super::quantized::set_scalars;

/// Quantized numbers in a requested range.
///
/// `requested_output_min` is at most 0, and at most `requested_output_max`; the outputs have the requested range. To
/// uint8 in fixed-point numbers of 16 bits behind the point.
#[op("Requantize",
     input = "input: Tinput",
     input = "input_min: float",
     input = "input_max: float",
     input = "requested_output_min: float",
     input = "requested_output_max: float",
     output = "output: out_type",
     output = "output_min: float",
     output = "output_max: float",
     attr = "Tinput: quantizedtype",
     attr = "out_type: quantizedtype",
     shape = requantize_shape)]
pub struct Requantize;

/// Quantized numbers with a range for each slice along the last axis, in a requested range around 0.
///
/// Multiples of a step of each slice, rounded to even; `input` is of rank 4.
#[op("RequantizePerChannel",
     input = "input: T",
     input = "input_min: float",
     input = "input_max: float",
     input = "requested_output_min: float",
     input = "requested_output_max: float",
     output = "output: out_type",
     output = "output_min: float",
     output = "output_max: float",
     attr = "T: quantizedtype = DT_QINT32",
     attr = "out_type: quantizedtype = DT_QUINT8",
     shape = requantize_per_channel_shape)]
pub struct RequantizePerChannel;

/// The range that quantized numbers fill, widened so that it includes 0.
#[op("RequantizationRange",
     input = "input: Tinput",
     input = "input_min: float",
     input = "input_max: float",
     output = "output_min: float",
     output = "output_max: float",
     attr = "Tinput: quantizedtype",
     shape = requantization_range_shape)]
pub struct RequantizationRange;

/// The range around 0 that quantized numbers with a range for each slice along the last axis fill; at most
/// `clip_value_max`.
///
/// Without negative numbers it starts at 0.
#[op("RequantizationRangePerChannel",
     input = "input: T",
     input = "input_min: float",
     input = "input_max: float",
     output = "output_min: float",
     output = "output_max: float",
     attr = "T: quantizedtype = DT_QINT32",
     attr = "clip_value_max: float",
     shape = requantization_range_per_channel_shape)]
pub struct RequantizationRangePerChannel;

/// Quantized numbers in the range that they fill, widened so that it includes 0.
#[op("QuantizeDownAndShrinkRange",
     input = "input: Tinput",
     input = "input_min: float",
     input = "input_max: float",
     output = "output: out_type",
     output = "output_min: float",
     output = "output_max: float",
     attr = "Tinput: quantizedtype",
     attr = "out_type: quantizedtype",
     shape = quantize_down)]
pub struct QuantizeDownAndShrinkRange;

fn scalars(c: &ShapeContext<'_>, inputs: std::ops::Range<usize>) -> Result<()> {
    for input in inputs {
        c.with_rank(input, 0)?;
    }
    Ok(())
}

fn requantize_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    scalars(c, 1..5)?;
    c.set_output(0, c.input(0).clone());
    set_scalars(c, 1..3);
    Ok(())
}

fn requantize_per_channel_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(1, 1)?;
    c.with_rank(2, 1)?;
    scalars(c, 3..5)?;
    c.set_output(0, c.input(0).clone());
    set_scalars(c, 1..3);
    Ok(())
}

fn requantization_range_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    scalars(c, 1..3)?;
    set_scalars(c, 0..2);
    Ok(())
}

fn requantization_range_per_channel_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(1, 1)?;
    c.with_rank(2, 1)?;
    set_scalars(c, 0..2);
    Ok(())
}

fn quantize_down(c: &mut ShapeContext<'_>) -> Result<()> {
    scalars(c, 1..3)?;
    c.set_output(0, c.input(0).clone());
    set_scalars(c, 1..3);
    Ok(())
}
