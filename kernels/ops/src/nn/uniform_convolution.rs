//! Convolutions of uniformly quantized tensors, of any rank.
//!
//! `lhs` has axes for batch, features and positions, `rhs` for output features, input features and positions, in this
//! order, or where `dimension_numbers` says: a message `UniformQuantizedConvolutionDimensionNumbersAttr`. Zeros stand
//! between the positions of `lhs` where `lhs_dilation` is above 1, and around it by `padding`; `explicit_padding` has
//! two numbers for each position's axis. Empty lists of numbers are ones. Group g of `feature_group_count` joins the
//! features of its part; with `batch_group_count` above 1, group g of the output's features is that of its part of the
//! batch.

use oplink::prelude::*;
use oplink::shape_inference::shape_error;

use super::uniform_geometry::{UniformConvolutionAttrs, UniformGeometry};

/// The convolution of bytes, summed in 32 bits and then taken into the quantization of the output.
///
/// `rhs` may have a quantization for each output feature, and the output then too.
#[op("UniformQuantizedConvolution",
     input = "lhs: Tin",
     input = "rhs: Tin",
     input = "lhs_scales: float",
     input = "lhs_zero_points: int32",
     input = "rhs_scales: float",
     input = "rhs_zero_points: int32",
     input = "output_scales: float",
     input = "output_zero_points: int32",
     output = "output: Tout",
     attr = "Tin: {qint8}",
     attr = "Tout: {qint32}",
     attr = "window_strides: list(int) = []",
     attr = "padding: string",
     attr = "explicit_padding: list(int) = []",
     attr = "lhs_dilation: list(int) = []",
     attr = "rhs_dilation: list(int) = []",
     attr = "batch_group_count: int = 1",
     attr = "feature_group_count: int = 1",
     attr = "dimension_numbers: string = ''",
     attr = "lhs_quantization_axis: int = -1",
     attr = "lhs_quantization_min_val: int",
     attr = "lhs_quantization_max_val: int",
     attr = "rhs_quantization_axis: int = -1",
     attr = "rhs_quantization_min_val: int",
     attr = "rhs_quantization_max_val: int",
     attr = "output_quantization_axis: int = -1",
     attr = "output_quantization_min_val: int",
     attr = "output_quantization_max_val: int",
     shape = of_bytes)]
pub struct UniformQuantizedConvolution;

/// The convolution of numbers with bytes: each image becomes bytes by a quantization of its own, and sums become
/// numbers again.
///
/// The quantization of an image goes from its smallest number, or 0, to its largest, or 0. `rhs` may have one for each
/// output feature.
#[op("UniformQuantizedConvolutionHybrid",
     input = "lhs: Tlhs",
     input = "rhs: Trhs",
     input = "rhs_scales: float",
     input = "rhs_zero_points: int32",
     output = "output: Tout",
     attr = "Tlhs: {float}",
     attr = "Trhs: {qint8}",
     attr = "Tout: {float}",
     attr = "window_strides: list(int) = []",
     attr = "padding: string",
     attr = "explicit_padding: list(int) = []",
     attr = "lhs_dilation: list(int) = []",
     attr = "rhs_dilation: list(int) = []",
     attr = "batch_group_count: int = 1",
     attr = "feature_group_count: int = 1",
     attr = "dimension_numbers: string = ''",
     attr = "rhs_quantization_axis: int = -1",
     attr = "rhs_quantization_min_val: int",
     attr = "rhs_quantization_max_val: int",
     shape = of_numbers)]
pub struct UniformQuantizedConvolutionHybrid;

fn of_bytes(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank_at_most(2, 0)?;
    c.with_rank_at_most(3, 0)?;
    convolved(c, &[4, 6])
}

fn of_numbers(c: &mut ShapeContext<'_>) -> Result<()> {
    convolved(c, &[2])
}

/// The shape of the output, where those of `lhs` and `rhs` are known; `scales` are inputs with an entry for each output
/// feature, or scalars, and zero points come next.
fn convolved(c: &mut ShapeContext<'_>, scales: &[usize]) -> Result<()> {
    for &input in scales {
        c.with_rank_at_most(input, 1)?;
        c.with_rank_at_most(input + 1, 1)?;
    }
    let (lhs, rhs) = (c.input(0), c.input(1));
    if let (Some(rank), Some(other)) = (lhs.rank(), rhs.rank()) {
        ensure!(rank == other, "lhs and rhs must be of one rank, their shapes are {lhs} and {rhs}");
    }
    let (Some(left), Some(right)) = (lhs.to_shape(), rhs.to_shape()) else {
        let rank = lhs.rank().or(rhs.rank());
        c.set_output(0, rank.map_or_else(PartialShape::unknown, PartialShape::unknown_of_rank));
        return Ok(());
    };
    let geometry = UniformGeometry::new(&UniformConvolutionAttrs::of_shape(c)?, &left, &right)?;
    for &input in scales {
        let (scales, zeros) = (c.input(input), c.input(input + 1));
        match (scales.rank(), zeros.rank()) {
            (Some(rank), Some(other)) if rank != other => {
                return Err(shape_error(format!("scales {scales} and zero_points {zeros} must be of one rank")));
            }
            (Some(1), Some(_)) => {
                c.merge_dim(scales.dim(0), Some(geometry.out_depth))?;
                c.merge_dim(zeros.dim(0), Some(geometry.out_depth))?;
            }
            _ => {}
        }
    }
    c.set_output(0, PartialShape::from(&geometry.output_shape));
    Ok(())
}
