//! Uniformly quantized tensors: `value = scale * (integer - zero_point)`, with integers between two ends.
//!
//! `scales` and `zero_points` are scalars where the attr of the axis is -1, or vectors with an entry for each slice
//! along that axis.

use oplink::prelude::*;

/// Numbers as integers: the nearest, halves upwards.
#[op("UniformQuantize",
     input = "input: Tin",
     input = "scales: float",
     input = "zero_points: int32",
     output = "output: Tout",
     attr = "Tin: {float}",
     attr = "Tout: {qint8, quint8, qint32}",
     attr = "quantization_axis: int = -1",
     attr = "quantization_min_val: int",
     attr = "quantization_max_val: int",
     shape = one)]
pub struct UniformQuantize;

/// The numbers that integers stand for.
#[op("UniformDequantize",
     input = "input: Tin",
     input = "scales: float",
     input = "zero_points: int32",
     output = "output: Tout",
     attr = "Tin: {qint8, quint8, qint32}",
     attr = "Tout: {float}",
     attr = "quantization_axis: int = -1",
     attr = "quantization_min_val: int",
     attr = "quantization_max_val: int",
     shape = one)]
pub struct UniformDequantize;

/// Integers of one quantization as those of another. Axes of both, where both have one, are the same.
#[op("UniformRequantize",
     input = "input: Tin",
     input = "input_scales: float",
     input = "input_zero_points: int32",
     input = "output_scales: float",
     input = "output_zero_points: int32",
     output = "output: Tout",
     attr = "Tin: {qint8, qint32}",
     attr = "Tout: {qint8, qint32}",
     attr = "input_quantization_axis: int = -1",
     attr = "input_quantization_min_val: int",
     attr = "input_quantization_max_val: int",
     attr = "output_quantization_axis: int = -1",
     attr = "output_quantization_min_val: int",
     attr = "output_quantization_max_val: int",
     shape = requantize)]
pub struct UniformRequantize;

/// The sum of two tensors whose shapes broadcast, each taken into the quantization of the output first.
#[op("UniformQuantizedAdd",
     input = "lhs: T",
     input = "rhs: T",
     input = "lhs_scales: float",
     input = "lhs_zero_points: int32",
     input = "rhs_scales: float",
     input = "rhs_zero_points: int32",
     input = "output_scales: float",
     input = "output_zero_points: int32",
     output = "output: T",
     attr = "lhs_quantization_axis: int = -1",
     attr = "lhs_quantization_min_val: int",
     attr = "lhs_quantization_max_val: int",
     attr = "rhs_quantization_axis: int = -1",
     attr = "rhs_quantization_min_val: int",
     attr = "rhs_quantization_max_val: int",
     attr = "output_quantization_axis: int = -1",
     attr = "output_quantization_min_val: int",
     attr = "output_quantization_max_val: int",
     attr = "T: {qint32}",
     shape = add)]
pub struct UniformQuantizedAdd;

/// Each integer between `min` and `max`, which have the shape of `scales`.
#[op("UniformQuantizedClipByValue",
     input = "operand: T",
     input = "min: T",
     input = "max: T",
     input = "scales: float",
     input = "zero_points: int32",
     output = "output: T",
     attr = "T: {qint32}",
     attr = "quantization_axis: int = -1",
     attr = "quantization_min_val: int",
     attr = "quantization_max_val: int",
     shape = clip)]
pub struct UniformQuantizedClipByValue;

/// The product of two matrices, summed in 32 bits and then taken into the quantization of the output.
///
/// `rhs` may have a quantization for each column, and the output then too.
#[op("UniformQuantizedDot",
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
     attr = "lhs_quantization_axis: int = -1",
     attr = "lhs_quantization_min_val: int",
     attr = "lhs_quantization_max_val: int",
     attr = "rhs_quantization_axis: int = -1",
     attr = "rhs_quantization_min_val: int",
     attr = "rhs_quantization_max_val: int",
     attr = "output_quantization_axis: int = -1",
     attr = "output_quantization_min_val: int",
     attr = "output_quantization_max_val: int",
     shape = dot)]
pub struct UniformQuantizedDot;

/// The product of a matrix of numbers and one of bytes: each row of numbers becomes bytes by a quantization of its own,
/// and sums become numbers again.
///
/// The quantization of a row goes from its smallest number, or 0, to its largest, or 0. `rhs` may have one for each
/// column, whatever its axis says.
#[op("UniformQuantizedDotHybrid",
     input = "lhs: Tlhs",
     input = "rhs: Trhs",
     input = "rhs_scales: float",
     input = "rhs_zero_points: int32",
     output = "output: Tout",
     attr = "Tlhs: {float}",
     attr = "Trhs: {qint8}",
     attr = "Tout: {float}",
     attr = "rhs_quantization_axis: int = -1",
     attr = "rhs_quantization_min_val: int",
     attr = "rhs_quantization_max_val: int",
     shape = dot_hybrid)]
pub struct UniformQuantizedDotHybrid;

/// The shapes of scales and zero points agree: scalars, or vectors along the axis of an attr.
fn check(c: &ShapeContext<'_>, input: usize, axis: &str, of: Option<usize>) -> Result<PartialShape> {
    let axis: i64 = c.attr(axis)?;
    ensure!(axis >= -1, "a quantization axis must be at least -1, it is {axis}");
    let merged = c.merge(c.input(input), c.input(input + 1))?;
    if let Some(rank) = merged.rank() {
        let wanted = usize::from(axis >= 0);
        ensure!(rank == wanted, "scales and zero_points must be of rank {wanted}, theirs is {rank}");
    }
    if let (Ok(axis), Some(of)) = (usize::try_from(axis), of) {
        let shape = c.with_rank_at_least(of, axis + 1)?;
        c.merge_dim(shape.dim(axis), merged.dim(0))?;
    }
    Ok(merged)
}

fn one(c: &mut ShapeContext<'_>) -> Result<()> {
    check(c, 1, "quantization_axis", Some(0))?;
    shape_fns::unchanged(c)
}

fn requantize(c: &mut ShapeContext<'_>) -> Result<()> {
    check(c, 1, "input_quantization_axis", Some(0))?;
    check(c, 3, "output_quantization_axis", Some(0))?;
    shape_fns::unchanged(c)
}

fn add(c: &mut ShapeContext<'_>) -> Result<()> {
    check(c, 2, "lhs_quantization_axis", None)?;
    check(c, 4, "rhs_quantization_axis", None)?;
    check(c, 6, "output_quantization_axis", None)?;
    shape_fns::broadcast_binary(c)
}

fn clip(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = check(c, 3, "quantization_axis", Some(0))?;
    c.merge(c.input(1), c.input(2))?;
    c.merge(c.input(1), &shape)?;
    shape_fns::unchanged(c)
}

fn dot(c: &mut ShapeContext<'_>) -> Result<()> {
    let (lhs, rhs) = (c.with_rank(0, 2)?, c.with_rank(1, 2)?);
    c.merge_dim(lhs.dim(1), rhs.dim(0))?;
    check(c, 2, "lhs_quantization_axis", Some(0))?;
    check(c, 4, "rhs_quantization_axis", Some(1))?;
    check(c, 6, "output_quantization_axis", None)?;
    c.set_output(0, PartialShape::new(&[lhs.dim(0), rhs.dim(1)]));
    Ok(())
}

fn dot_hybrid(c: &mut ShapeContext<'_>) -> Result<()> {
    let (lhs, rhs) = (c.with_rank(0, 2)?, c.with_rank(1, 2)?);
    c.merge_dim(lhs.dim(1), rhs.dim(0))?;
    c.with_rank_at_most(2, 1)?;
    c.with_rank_at_most(3, 1)?;
    let (scales, zeros) = (c.input(2), c.input(3));
    if let (Some(rank), Some(other)) = (scales.rank(), zeros.rank()) {
        ensure!(rank == other, "scales {scales} and zero_points {zeros} must be of one rank");
        if rank == 1 {
            c.merge_dim(scales.dim(0), rhs.dim(1))?;
            c.merge_dim(zeros.dim(0), rhs.dim(1))?;
        }
    }
    c.set_output(0, PartialShape::new(&[lhs.dim(0), rhs.dim(1)]));
    Ok(())
}
