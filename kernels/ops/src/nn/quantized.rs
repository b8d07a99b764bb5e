//! Quantized numbers: integers that stand for the steps of a range of floating-point numbers.

use oplink::attr_enum;
use oplink::prelude::*;

use crate::attrs::Padding;

attr_enum! {
    /// How the numbers of a range become integers.
    pub enum QuantizeMode { MinCombined = "MIN_COMBINED", MinFirst = "MIN_FIRST", Scaled = "SCALED" }
}

attr_enum! {
    /// How halves are rounded.
    pub enum QuantizeRounding { HalfAwayFromZero = "HALF_AWAY_FROM_ZERO", HalfToEven = "HALF_TO_EVEN" }
}

/// `input` in steps of a range, as integers, and the range that they stand for.
///
/// The range is `min_range` to `max_range`, widened so that it includes 0 and the ends are at least
/// `ensure_minimum_range` apart (times the larger magnitude of the two, where that is above 1); scalars, or with `axis`
/// vectors with a range for each slice along it; that of a single slice becomes a scalar. Values outside become the
/// nearest end.
///
/// `mode` `MIN_COMBINED`: the steps are counted from the smaller end, the lowest integer. `MIN_FIRST`, which takes no
/// `axis` of several slices: the smaller end is rounded to a step first. `SCALED`: the steps are multiples of the
/// larger of `min / lowest` and `max / highest`, 0 is 0; `narrow_range` leaves out the lowest integer, and `round_mode`
/// says how halves are rounded.
#[op("QuantizeV2",
     input = "input: float",
     input = "min_range: float",
     input = "max_range: float",
     output = "output: T",
     output = "output_min: float",
     output = "output_max: float",
     attr = "T: quantizedtype",
     attr = "mode: {'MIN_COMBINED', 'MIN_FIRST', 'SCALED'} = 'MIN_COMBINED'",
     attr = "round_mode: {'HALF_AWAY_FROM_ZERO', 'HALF_TO_EVEN'} = 'HALF_AWAY_FROM_ZERO'",
     attr = "narrow_range: bool = false",
     attr = "axis: int = -1",
     attr = "ensure_minimum_range: float = 0.01",
     enums(mode = QuantizeMode, round_mode = QuantizeRounding),
     shape = quantize_v2_shape)]
pub struct QuantizeV2;

/// The floating-point numbers that the integers `input` stand for.
///
/// The inverse of `QuantizeV2` with the same attrs, without widening the range. To bfloat16 with `MIN_COMBINED` only.
#[op("Dequantize",
     input = "input: T",
     input = "min_range: float",
     input = "max_range: float",
     output = "output: dtype",
     attr = "T: quantizedtype",
     attr = "mode: {'MIN_COMBINED', 'MIN_FIRST', 'SCALED'} = 'MIN_COMBINED'",
     attr = "narrow_range: bool = false",
     attr = "axis: int = -1",
     attr = "dtype: {bfloat16, float} = DT_FLOAT",
     enums(mode = QuantizeMode),
     shape = dequantize_shape)]
pub struct Dequantize;

/// The product of two matrices of quantized numbers, and the range that it stands for.
///
/// Of `a` and `b`, transposed first as declared, the steps from 0 count: `sum over k of (a[i, k] - zero_a) * (b[k, j] -
/// zero_b)`, where the zeros are the integers of 0 in the ranges (scalars, the smaller end first), which need not be
/// among those of the dtype. Sums wrap.
#[op("QuantizedMatMul",
     input = "a: T1",
     input = "b: T2",
     input = "min_a: float",
     input = "max_a: float",
     input = "min_b: float",
     input = "max_b: float",
     output = "out: Toutput",
     output = "min_out: float",
     output = "max_out: float",
     attr = "T1: quantizedtype",
     attr = "T2: quantizedtype",
     attr = "Toutput: quantizedtype = DT_QINT32",
     attr = "transpose_a: bool = false",
     attr = "transpose_b: bool = false",
     attr = "Tactivation: quantizedtype = DT_QUINT8",
     shape = quantized_matmul_shape)]
pub struct QuantizedMatMul;

/// The convolution of an image of quantized numbers with a filter of such, and the range that it stands for.
///
/// As `Conv2D` over `NHWC` images of the steps from 0, which are those of `QuantizedMatMul`.
#[op("QuantizedConv2D",
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
     shape = quantized_conv2d_shape)]
pub struct QuantizedConv2D;

/// Checks the ranges of a tensor whose slices along `axis` may have one each; the shape of the last of them.
fn ranges(c: &ShapeContext<'_>) -> Result<PartialShape> {
    let axis = c.attr::<i64>("axis")?;
    ensure!(axis >= -1, "axis must be at least -1, it is {axis}");
    let rank = usize::from(axis != -1);
    c.with_rank(1, rank)?;
    let range = c.with_rank(2, rank)?;
    if axis != -1 {
        let axis = axis as usize;
        let extent = c.with_rank_at_least(0, axis + 1)?.dim(axis);
        c.merge_dim(range.dim(0), extent)?;
    }
    Ok(range)
}

fn quantize_v2_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let range = ranges(c)?;
    // The range of a single slice is a scalar.
    let axis = usize::try_from(c.attr::<i64>("axis")?).ok();
    let may_be_single = axis.is_some_and(|axis| c.input(0).dim(axis).or(range.dim(0)).is_none_or(|extent| extent == 1));
    let range = if may_be_single { PartialShape::unknown() } else { range };
    c.set_output(0, c.input(0).clone());
    c.set_output(1, range.clone());
    c.set_output(2, range);
    Ok(())
}

/// An axis needs a known rank, as in TensorFlow.
fn dequantize_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let axis = c.attr::<i64>("axis")?;
    if axis >= 0 {
        let rank = c.input(0).rank();
        ensure!(rank.is_some(), "with an axis the rank of the input must be known, the axis is {axis}");
    }
    ranges(c)?;
    shape_fns::unchanged(c)
}

/// Checks that inputs 2 to 5 are scalars; so are outputs 1 and 2.
fn scalar_ranges(c: &mut ShapeContext<'_>) -> Result<()> {
    for index in 2..6 {
        c.with_rank(index, 0)?;
    }
    set_scalars(c, 1..3);
    Ok(())
}

/// Makes outputs scalars.
pub(super) fn set_scalars(c: &mut ShapeContext<'_>, outputs: std::ops::Range<usize>) {
    outputs.for_each(|output| c.set_output(output, PartialShape::scalar()));
}

fn quantized_matmul_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    shape_fns::matmul(c)?;
    scalar_ranges(c)
}

fn quantized_conv2d_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    shape_fns::conv2d(c)?;
    scalar_ranges(c)
}
