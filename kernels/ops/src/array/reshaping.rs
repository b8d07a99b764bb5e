//! The same elements under another shape or dtype.

use oplink::prelude::*;

/// Gives `tensor` the shape in `shape`.
///
/// `shape` is a vector (or a scalar, then the only extent); one extent may be -1 and is then what the number of
/// elements leaves. The output shares the memory of `tensor`, whatever its dtype. It is an error when the numbers of
/// elements differ and when more than one extent is -1.
#[op("Reshape", is(alias(tensor => output)),
     input = "tensor: T",
     input = "shape: Tshape",
     output = "output: T",
     attr = "T: type",
     attr = "Tshape: {int32, int64} = DT_INT32",
     shape = shape_fns::reshape)]
pub struct Reshape;

/// Inserts an axis of extent 1.
///
/// `dim` has one element, in `[-rank - 1, rank]`, negative values counting from the end of the result. The output
/// shares the input's memory, whatever its dtype.
#[op("ExpandDims", is(alias(input => output)),
     input = "input: T",
     input = "dim: Tdim",
     output = "output: T",
     attr = "T: type",
     attr = "Tdim: {int32, int64} = DT_INT32",
     shape = shape_fns::expand_dims)]
pub struct ExpandDims;

/// Removes axes of extent 1.
///
/// Without those in the attr `squeeze_dims` (negative ones count from the end), or without all where it is empty. The
/// output shares the input's memory, whatever its dtype. A listed axis that does not exist or whose extent is not 1 is
/// an error.
#[op("Squeeze", is(alias(input => output)),
     input = "input: T",
     output = "output: T",
     attr = "T: type",
     attr = "squeeze_dims: list(int) >= 0 = []",
     shape = shape_fns::squeeze)]
pub struct Squeeze;

/// Reinterprets the bytes of `input` as elements of `type`.
///
/// To a smaller dtype, the ratio of the sizes becomes a new last extent; to a larger one, a last extent of that ratio
/// goes (another last extent is an error). Dtypes of one size share memory. Bytes are in the machine's order,
/// little-endian.
#[op("Bitcast", is(alias(input => output)),
     input = "input: T",
     output = "output: type",
     attr = "T: {bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, int16, complex64, complex128, qint8, quint8, qint16, quint16, qint32}",
     attr = "type: {bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, int16, complex64, complex128, qint8, quint8, qint16, quint16, qint32}",
     shape = shape_fns::bitcast)]
pub struct Bitcast;
