//! Tensors made from attrs, extents and ranges.

use oplink::prelude::*;

/// Gives the tensor in the attr `value`.
///
/// The output is the attr `value` itself, of any dtype and shape; every run gives the same memory, uncopied.
#[op("Const", output = "output: dtype", attr = "value: tensor", attr = "dtype: type", shape = shape_fns::constant)]
pub struct Const;

/// Makes a tensor with one value everywhere.
///
/// `dims` is a vector (or a scalar, then the only extent) of extents >= 0, `value` a scalar. Every dtype.
#[op("Fill",
     input = "dims: index_type",
     input = "value: T",
     output = "output: T",
     attr = "T: type",
     attr = "index_type: {int32, int64} = DT_INT32",
     shape = shape_fns::fill)]
pub struct Fill;

/// Zeros in the shape of `x`.
///
/// The zero of a variant is what its type defines; variants are scalars.
/// The output takes the input's memory where nobody else needs it.
#[op("ZerosLike", is(shape_only(x)),
     no_gradient, input = "x: T", output = "y: T", attr = "T: type", shape = shape_fns::unchanged)]
pub struct ZerosLike;

/// Ones in the shape of `x`.
#[op("OnesLike", is(shape_only(x)),
     no_gradient,
     input = "x: T",
     output = "y: T",
     attr = "T: {bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64, complex64, complex128, bool}",
     shape = shape_fns::unchanged)]
pub struct OnesLike;

/// Vectors with one element on.
///
/// The vectors lie along the attr `axis` of the output, -1 being the last. Every dtype of values. An index outside
/// `[0, depth)` gives `off_value` everywhere.
#[op("OneHot",
     no_gradient,
     input = "indices: TI",
     input = "depth: int32",
     input = "on_value: T",
     input = "off_value: T",
     output = "output: T",
     attr = "axis: int = -1",
     attr = "T: type",
     attr = "TI: {uint8, int8, int32, int64} = DT_INT64",
     shape = shape_fns::one_hot)]
pub struct OneHot;

/// Evenly spaced numbers.
///
/// `start + i * (stop - start) / (num - 1)`, the last being `stop` itself; `start` alone where `num` is 1. It is an
/// error when `num` is below 1.
#[op("LinSpace",
     input = "start: T",
     input = "stop: T",
     input = "num: Tidx",
     output = "output: T",
     attr = "T: {bfloat16, half, float, double}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::lin_space)]
pub struct LinSpace;

/// Numbers from `start` to `limit`, `delta` apart.
///
/// There are `ceil(|(limit - start) / delta|)` elements, computed like the elements in the arithmetic of their dtype.
/// It is an error when `delta` is 0 or leads away from `limit`.
#[op("Range",
     no_gradient,
     input = "start: Tidx",
     input = "limit: Tidx",
     input = "delta: Tidx",
     output = "output: Tidx",
     attr = "Tidx: {bfloat16, half, float, double, int8, int16, int32, int64, uint16, uint32, uint64} = DT_INT32",
     shape = shape_fns::range)]
pub struct Range;

/// A value of the attr `dtype` and, as far as it is known, the attr `shape`, fed at each run.
///
/// A run that needs one and does not feed it gets an error.
#[op("Placeholder",
     output = "output: dtype",
     attr = "dtype: type",
     attr = "shape: shape = { unknown_rank: true }",
     shape = shape_fns::placeholder)]
pub struct Placeholder;

/// As `Placeholder`.
#[op("PlaceholderV2",
     output = "output: dtype",
     attr = "dtype: type",
     attr = "shape: shape",
     deprecated(since = 23, note = "Placeholder now behaves the same as PlaceholderV2."),
     shape = shape_fns::placeholder)]
pub struct PlaceholderV2;

/// Passes `input` through unless the run is fed with another value.
///
/// The output shares the input's memory. The input's shape must satisfy the attr `shape`.
#[op("PlaceholderWithDefault", is(alias(input => output)),
     input = "input: dtype",
     output = "output: dtype",
     attr = "dtype: type",
     attr = "shape: shape",
     shape = shape_fns::placeholder_with_default)]
pub struct PlaceholderWithDefault;
