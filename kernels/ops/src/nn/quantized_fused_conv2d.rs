//! Convolutions of quantized numbers with what follows them. A flat table of declarations.
//!
//! `input` and `filter` are bytes that stand for steps of 0 and of half the larger magnitude of their ranges' ends:
//! unsigned ones 255 of the whole magnitude, signed ones 127. `min_filter` and `max_filter` are scalars, or vectors
//! with an entry for each output channel. Sums of products have 32 bits; then come, in numbers of single precision,
//! `bias` (numbers, or as qint32 in units of the sums) and `summand` (bytes of a range of their own, which begins with
//! 0 as that of `input` does; or numbers).
//!
//! Outputs of 32 bits are in the units of the sums, for channels of several ranges those of the largest; their ranges
//! are as many as those of the filter. Outputs of bytes are steps of the larger magnitude of `min_freezed_output` and
//! `max_freezed_output`, which are also their range. All are rounded to even, and what is outside becomes the nearest
//! end.
//!
//! Images, filters and windows are those of `Conv2D` and of `DepthwiseConv2dNative`. `padding_list`, where it has a
//! number other than 0, are the positions before and after each axis, in place of `padding`.
//!
//! TensorFlow computes them in graphs alone, with oneDNN, and there with a filter that is constant and a summand whose
//! memory becomes the output's; here they are ops like others. TensorFlow's outputs without elements have the shape of
//! the input.

use oplink::prelude::*;

use super::quantized::set_scalars;
use crate::attrs::Padding;

/// A convolution of bytes and the larger of each sum and 0.
#[op("QuantizedConv2DAndRelu",
     input = "input: Tinput",
     input = "filter: Tfilter",
     input = "min_input: float",
     input = "max_input: float",
     input = "min_filter: float",
     input = "max_filter: float",
     output = "output: out_type",
     output = "min_output: float",
     output = "max_output: float",
     attr = "Tinput: quantizedtype",
     attr = "Tfilter: quantizedtype",
     attr = "out_type: quantizedtype = DT_QINT32",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     attr = "padding_list: list(int) = []",
     enums(padding = Padding),
     shape = sums)]
pub struct QuantizedConv2DAndRelu;

/// A convolution of bytes and the larger of each number and 0, as bytes of a given range.
#[op("QuantizedConv2DAndReluAndRequantize",
     input = "input: Tinput",
     input = "filter: Tfilter",
     input = "min_input: float",
     input = "max_input: float",
     input = "min_filter: float",
     input = "max_filter: float",
     input = "min_freezed_output: float",
     input = "max_freezed_output: float",
     output = "output: out_type",
     output = "min_output: float",
     output = "max_output: float",
     attr = "Tinput: quantizedtype",
     attr = "Tfilter: quantizedtype",
     attr = "out_type: quantizedtype = DT_QUINT8",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     attr = "padding_list: list(int) = []",
     enums(padding = Padding),
     shape = requantized)]
pub struct QuantizedConv2DAndReluAndRequantize;

/// A convolution of bytes, as bytes of a given range.
///
/// The range of the filter is one.
#[op("QuantizedConv2DAndRequantize",
     input = "input: Tinput",
     input = "filter: Tfilter",
     input = "min_input: float",
     input = "max_input: float",
     input = "min_filter: float",
     input = "max_filter: float",
     input = "min_freezed_output: float",
     input = "max_freezed_output: float",
     output = "output: out_type",
     output = "min_output: float",
     output = "max_output: float",
     attr = "Tinput: quantizedtype",
     attr = "Tfilter: quantizedtype",
     attr = "out_type: quantizedtype = DT_QINT8",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     attr = "padding_list: list(int) = []",
     enums(padding = Padding),
     shape = requantized_of_one_range)]
pub struct QuantizedConv2DAndRequantize;

/// A convolution of bytes.
#[op("QuantizedConv2DPerChannel",
     input = "input: Tinput",
     input = "filter: Tfilter",
     input = "min_input: float",
     input = "max_input: float",
     input = "min_filter: float",
     input = "max_filter: float",
     output = "output: out_type",
     output = "min_output: float",
     output = "max_output: float",
     attr = "Tinput: quantizedtype",
     attr = "Tfilter: quantizedtype",
     attr = "out_type: quantizedtype = DT_QINT32",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     enums(padding = Padding),
     shape = sums)]
pub struct QuantizedConv2DPerChannel;

/// A convolution of bytes and a bias.
#[op("QuantizedConv2DWithBias",
     input = "input: Tinput",
     input = "filter: Tfilter",
     input = "bias: float",
     input = "min_input: float",
     input = "max_input: float",
     input = "min_filter: float",
     input = "max_filter: float",
     output = "output: out_type",
     output = "min_output: float",
     output = "max_output: float",
     attr = "Tinput: quantizedtype",
     attr = "Tfilter: quantizedtype",
     attr = "out_type: quantizedtype = DT_QINT32",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     attr = "padding_list: list(int) = []",
     enums(padding = Padding),
     shape = sums)]
pub struct QuantizedConv2DWithBias;

/// A convolution of bytes, a bias, and the larger of each sum and 0.
#[op("QuantizedConv2DWithBiasAndRelu",
     input = "input: Tinput",
     input = "filter: Tfilter",
     input = "bias: float",
     input = "min_input: float",
     input = "max_input: float",
     input = "min_filter: float",
     input = "max_filter: float",
     output = "output: out_type",
     output = "min_output: float",
     output = "max_output: float",
     attr = "Tinput: quantizedtype",
     attr = "Tfilter: quantizedtype",
     attr = "out_type: quantizedtype = DT_QINT32",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     attr = "padding_list: list(int) = []",
     enums(padding = Padding),
     shape = sums)]
pub struct QuantizedConv2DWithBiasAndRelu;

/// A convolution of bytes, a bias, and the larger of each number and 0, as bytes of a given range.
#[op("QuantizedConv2DWithBiasAndReluAndRequantize",
     input = "input: Tinput",
     input = "filter: Tfilter",
     input = "bias: Tbias",
     input = "min_input: float",
     input = "max_input: float",
     input = "min_filter: float",
     input = "max_filter: float",
     input = "min_freezed_output: float",
     input = "max_freezed_output: float",
     output = "output: out_type",
     output = "min_output: float",
     output = "max_output: float",
     attr = "Tinput: quantizedtype",
     attr = "Tfilter: quantizedtype",
     attr = "Tbias: {float, qint32}",
     attr = "out_type: quantizedtype = DT_QUINT8",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     attr = "padding_list: list(int) = []",
     enums(padding = Padding),
     shape = requantized)]
pub struct QuantizedConv2DWithBiasAndReluAndRequantize;

/// A convolution of bytes and a bias, as bytes of a given range.
#[op("QuantizedConv2DWithBiasAndRequantize",
     input = "input: Tinput",
     input = "filter: Tfilter",
     input = "bias: Tbias",
     input = "min_input: float",
     input = "max_input: float",
     input = "min_filter: float",
     input = "max_filter: float",
     input = "min_freezed_output: float",
     input = "max_freezed_output: float",
     output = "output: out_type",
     output = "min_output: float",
     output = "max_output: float",
     attr = "Tinput: quantizedtype",
     attr = "Tfilter: quantizedtype",
     attr = "Tbias: {float, qint32}",
     attr = "out_type: quantizedtype = DT_QINT8",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     attr = "padding_list: list(int) = []",
     enums(padding = Padding),
     shape = requantized)]
pub struct QuantizedConv2DWithBiasAndRequantize;

/// A convolution of bytes, a bias and a summand, and the larger of each number and 0, as bytes of a given range.
///
/// The summand is signed. Bytes are at most 127, though they are of a range of 255 steps.
#[op("QuantizedConv2DWithBiasSignedSumAndReluAndRequantize",
     input = "input: Tinput",
     input = "filter: Tfilter",
     input = "bias: Tbias",
     input = "min_input: float",
     input = "max_input: float",
     input = "min_filter: float",
     input = "max_filter: float",
     input = "min_freezed_output: float",
     input = "max_freezed_output: float",
     input = "summand: Tsummand",
     input = "min_summand: float",
     input = "max_summand: float",
     output = "output: out_type",
     output = "min_output: float",
     output = "max_output: float",
     attr = "Tinput: quantizedtype",
     attr = "Tfilter: quantizedtype",
     attr = "Tbias: {float, qint32}",
     attr = "Tsummand: quantizedtype",
     attr = "out_type: quantizedtype = DT_QUINT8",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     attr = "padding_list: list(int) = []",
     enums(padding = Padding),
     shape = requantized)]
pub struct QuantizedConv2DWithBiasSignedSumAndReluAndRequantize;

/// A convolution of bytes, a bias and a summand, and the larger of each sum and 0.
///
/// The summand is numbers.
#[op("QuantizedConv2DWithBiasSumAndRelu",
     input = "input: Tinput",
     input = "filter: Tfilter",
     input = "bias: float",
     input = "min_input: float",
     input = "max_input: float",
     input = "min_filter: float",
     input = "max_filter: float",
     input = "summand: float",
     output = "output: out_type",
     output = "min_output: float",
     output = "max_output: float",
     attr = "Tinput: quantizedtype",
     attr = "Tfilter: quantizedtype",
     attr = "out_type: quantizedtype = DT_QINT32",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     attr = "padding_list: list(int) = []",
     enums(padding = Padding),
     shape = sums)]
pub struct QuantizedConv2DWithBiasSumAndRelu;

/// A convolution of bytes, a bias and a summand, and the larger of each number and 0, as bytes of a given range.
#[op("QuantizedConv2DWithBiasSumAndReluAndRequantize",
     input = "input: Tinput",
     input = "filter: Tfilter",
     input = "bias: Tbias",
     input = "min_input: float",
     input = "max_input: float",
     input = "min_filter: float",
     input = "max_filter: float",
     input = "min_freezed_output: float",
     input = "max_freezed_output: float",
     input = "summand: Tsummand",
     input = "min_summand: float",
     input = "max_summand: float",
     output = "output: out_type",
     output = "min_output: float",
     output = "max_output: float",
     attr = "Tinput: quantizedtype",
     attr = "Tfilter: quantizedtype",
     attr = "Tbias: {float, qint32}",
     attr = "Tsummand: quantizedtype",
     attr = "out_type: quantizedtype = DT_QUINT8",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     attr = "padding_list: list(int) = []",
     enums(padding = Padding),
     shape = requantized)]
pub struct QuantizedConv2DWithBiasSumAndReluAndRequantize;

/// A convolution of each channel of bytes.
#[op("QuantizedDepthwiseConv2D",
     input = "input: Tinput",
     input = "filter: Tfilter",
     input = "min_input: float",
     input = "max_input: float",
     input = "min_filter: float",
     input = "max_filter: float",
     output = "output: out_type",
     output = "min_output: float",
     output = "max_output: float",
     attr = "Tinput: quantizedtype",
     attr = "Tfilter: quantizedtype",
     attr = "out_type: quantizedtype = DT_QINT32",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     enums(padding = Padding),
     shape = depthwise)]
pub struct QuantizedDepthwiseConv2D;

/// A convolution of each channel of bytes, and a bias.
#[op("QuantizedDepthwiseConv2DWithBias",
     input = "input: Tinput",
     input = "filter: Tfilter",
     input = "bias: float",
     input = "min_input: float",
     input = "max_input: float",
     input = "min_filter: float",
     input = "max_filter: float",
     output = "output: out_type",
     output = "min_output: float",
     output = "max_output: float",
     attr = "Tinput: quantizedtype",
     attr = "Tfilter: quantizedtype",
     attr = "out_type: quantizedtype = DT_QINT32",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     enums(padding = Padding),
     shape = depthwise)]
pub struct QuantizedDepthwiseConv2DWithBias;

/// A convolution of each channel of bytes, a bias, and the larger of each sum and 0.
#[op("QuantizedDepthwiseConv2DWithBiasAndRelu",
     input = "input: Tinput",
     input = "filter: Tfilter",
     input = "bias: float",
     input = "min_input: float",
     input = "max_input: float",
     input = "min_filter: float",
     input = "max_filter: float",
     output = "output: out_type",
     output = "min_output: float",
     output = "max_output: float",
     attr = "Tinput: quantizedtype",
     attr = "Tfilter: quantizedtype",
     attr = "out_type: quantizedtype = DT_QINT32",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     attr = "padding_list: list(int) = []",
     enums(padding = Padding),
     shape = depthwise)]
pub struct QuantizedDepthwiseConv2DWithBiasAndRelu;

/// A convolution of each channel of bytes, a bias, and the larger of each number and 0, as bytes of a given range.
#[op("QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize",
     input = "input: Tinput",
     input = "filter: Tfilter",
     input = "bias: Tbias",
     input = "min_input: float",
     input = "max_input: float",
     input = "min_filter: float",
     input = "max_filter: float",
     input = "min_freezed_output: float",
     input = "max_freezed_output: float",
     output = "output: out_type",
     output = "min_output: float",
     output = "max_output: float",
     attr = "Tinput: quantizedtype",
     attr = "Tfilter: quantizedtype",
     attr = "Tbias: {float, qint32}",
     attr = "out_type: quantizedtype = DT_QUINT8",
     attr = "strides: list(int)",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "dilations: list(int) = [1, 1, 1, 1]",
     attr = "padding_list: list(int) = []",
     enums(padding = Padding),
     shape = depthwise)]
pub struct QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize;

/// The convolution's shape, after checks of ranks: `bias` is a vector, `min_filter` and `max_filter` are of
/// `filter_rank` at most, other ends of ranges are scalars.
fn convolved(c: &mut ShapeContext<'_>, filter_rank: usize) -> Result<()> {
    shape_fns::conv2d(c)?;
    for (name, rank) in [("bias", 1), ("min_input", 0), ("max_input", 0)] {
        if let Ok(input) = c.input_index(name) {
            c.with_rank(input, rank)?;
        }
    }
    for name in ["min_filter", "max_filter"] {
        c.with_rank_at_most(c.input_index(name)?, filter_rank)?;
    }
    for name in ["min_freezed_output", "max_freezed_output"] {
        if let Ok(input) = c.input_index(name) {
            c.with_rank(input, 0)?;
        }
    }
    set_scalars(c, 1..3);
    Ok(())
}

/// Sums, whose ranges are as many as the filter's.
fn sums(c: &mut ShapeContext<'_>) -> Result<()> {
    convolved(c, 1)?;
    let ends = c.input(c.input_index("max_filter")?).clone();
    c.set_output(1, ends.clone());
    c.set_output(2, ends);
    Ok(())
}

fn requantized(c: &mut ShapeContext<'_>) -> Result<()> {
    convolved(c, 1)
}

fn requantized_of_one_range(c: &mut ShapeContext<'_>) -> Result<()> {
    convolved(c, 0)
}

/// Ranges are left open, as in TensorFlow.
fn depthwise(c: &mut ShapeContext<'_>) -> Result<()> {
    shape_fns::depthwise_conv2d(c)
}
