//! Tensors joined and taken apart along an axis.

use oplink::prelude::*;

/// Joins `values` along the axis `concat_dim`.
///
/// The axis is a scalar in `[-rank, rank)`, negative values counting from the end. Every dtype. It is an error when
/// ranks or other extents differ, and when the values are scalars.
#[op("Concat", is(moves),
     input = "concat_dim: int32",
     input = "values: N * T",
     output = "output: T",
     attr = "N: int >= 2",
     attr = "T: type",
     shape = shape_fns::concat)]
pub struct Concat;

/// Joins `values` along `axis`.
#[op("ConcatV2", is(moves),
     input = "values: N * T",
     input = "axis: Tidx",
     output = "output: T",
     attr = "N: int >= 2",
     attr = "T: type",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::concat)]
pub struct ConcatV2;

/// The starts, in their concatenation along `concat_dim`, of tensors of these shapes.
///
/// `shape` is two or more vectors of one length that differ at most at `concat_dim` (negative counts from the end).
/// Each output is a vector of zeros with the sum of the former parts' extents at `concat_dim`.
#[op(
    "ConcatOffset",
    no_gradient,
    input = "concat_dim: int32",
    input = "shape: N * shape_type",
    output = "offset: N * shape_type",
    attr = "N: int >= 2",
    attr = "shape_type: {int32, int64} = DT_INT32"
)]
pub fn concat_offset(c: &mut ShapeContext<'_>) -> Result<()> {
    for index in 1..c.num_inputs() {
        c.set_output(index - 1, c.input(index).clone());
    }
    Ok(())
}

/// Stacks `values` along a new axis.
///
/// The attr `axis` lies in `[-rank - 1, rank]`, negative values counting from the end of the result. Every dtype. It is
/// an error when the shapes differ.
#[op("Pack", is(moves),
     input = "values: N * T",
     output = "output: T",
     attr = "N: int >= 1",
     attr = "T: type",
     attr = "axis: int = 0",
     shape = shape_fns::pack)]
pub struct Pack;

/// Takes `value` apart along `axis`.
///
/// The attr `axis` lies in `[-rank, rank)`; its extent is the number of outputs, the attr `num`. Every dtype. Outputs
/// share the input's memory where they stand together in it.
#[op("Unpack", is(moves),
     input = "value: T",
     output = "output: num * T",
     attr = "num: int >= 0",
     attr = "T: type",
     attr = "axis: int = 0",
     shape = shape_fns::unpack)]
pub struct Unpack;

/// Joins `values`, one row each, along the first axis.
///
/// The attr `shape` is the output's; each of `values` has it with 1 in place of the first extent and becomes one row,
/// in order. Rows without a value hold the dtype's default. Every dtype.
#[op(
    "ParallelConcat",
    is(moves),
    input = "values: N * T",
    output = "output: T",
    attr = "N: int >= 1",
    attr = "T: type",
    attr = "shape: shape"
)]
pub fn parallel_concat(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape: &PartialShape = c.attr("shape")?;
    ensure!(shape.is_fully_known(), "the attr shape must be fully known, it is {shape}");
    let row = c.concatenate(&PartialShape::new(&[Some(1)]), &c.subshape(shape, 1, None)?);
    for index in 0..c.num_inputs() {
        ensure!(
            c.input(index).is_fully_known() && *c.input(index) == row,
            "input {} must have the shape {row}, it has {}",
            c.input_name(index),
            c.input(index)
        );
    }
    let shape = shape.clone();
    c.set_output(0, shape);
    Ok(())
}

/// Splits `value` into `num_split` equal parts along `split_dim`.
///
/// `split_dim` is a scalar in `[-rank, rank)`; the axis' extent is a multiple of the number of outputs, the attr
/// `num_split`. Every dtype. Outputs share the input's memory where they stand together in it.
#[op("Split", is(moves),
     input = "split_dim: int32",
     input = "value: T",
     output = "output: num_split * T",
     attr = "num_split: int >= 1",
     attr = "T: type",
     shape = shape_fns::split)]
pub struct Split;

/// Splits `value` into parts of the extents `size_splits` along `split_dim`.
///
/// `size_splits` is a vector with the extent of each part, -1 at most once for what the others leave (there must be
/// others); together they fill the axis `split_dim`, a scalar in `[-rank, rank)`. Every dtype. Outputs share the
/// input's memory where they stand together in it.
#[op("SplitV", is(moves),
     input = "value: T",
     input = "size_splits: Tlen",
     input = "split_dim: int32",
     output = "output: num_split * T",
     attr = "num_split: int >= 1",
     attr = "T: type",
     attr = "Tlen: {int8, int32, int64} = DT_INT64",
     shape = shape_fns::split_v)]
pub struct SplitV;
