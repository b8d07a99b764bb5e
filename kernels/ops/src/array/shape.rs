//! Shapes, ranks and sizes as tensors.

use oplink::prelude::*;

/// Gives the shape of its input.
///
/// It is an error when an extent does not fit `out_type`.
#[op("Shape", is(shape_only(input)),
     no_gradient,
     input = "input: T",
     output = "output: out_type",
     attr = "T: type",
     attr = "out_type: {int32, int64} = DT_INT32",
     shape = shape_fns::shape)]
pub struct Shape;

/// Gives the shapes of its inputs.
///
/// It is an error when an extent does not fit `out_type`.
#[op("ShapeN", is(shape_only(input)),
     no_gradient,
     input = "input: N * T",
     output = "output: N * out_type",
     attr = "N: int >= 1",
     attr = "T: type",
     attr = "out_type: {int32, int64} = DT_INT32",
     shape = shape_fns::shape_n)]
pub struct ShapeN;

/// Gives the number of elements of its input.
///
/// It is an error when the number does not fit `out_type`.
#[op("Size", is(shape_only(input)),
     no_gradient,
     input = "input: T",
     output = "output: out_type",
     attr = "T: type",
     attr = "out_type: {int32, int64} = DT_INT32",
     shape = shape_fns::size)]
pub struct Size;

/// Gives the rank of its input.
#[op("Rank", is(shape_only(input)),
     no_gradient, input = "input: T", output = "output: int32", attr = "T: type", shape = shape_fns::rank)]
pub struct Rank;

/// Passes `input` through if it has the shape `shape`.
///
/// The output shares the input's memory, whatever its dtype. Another shape is an error.
#[op("EnsureShape", is(alias(input => output)),
     input = "input: T",
     output = "output: T",
     attr = "shape: shape",
     attr = "T: type",
     shape = shape_fns::ensure_shape)]
pub struct EnsureShape;
