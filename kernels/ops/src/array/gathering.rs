//! Elements taken by index.

use oplink::prelude::*;

/// Picks slices of `params` along axis 0.
///
/// With `axis` and the attr `batch_dims` (negative ones count from the end), the output has the shape
/// `params[:axis] + indices[batch_dims:] + params[axis+1:]`; `Gather` has axis 0 and no batch. The first `batch_dims`
/// extents of both are equal and go side by side; `axis` is not among them. Every dtype. An index outside `[0, n)` of
/// its axis is an error, unless axes before it are empty and none is used.
#[op("Gather", is(moves),
     input = "params: Tparams",
     input = "indices: Tindices",
     output = "output: Tparams",
     attr = "validate_indices: bool = true",
     attr = "Tparams: type",
     attr = "Tindices: {int32, int64}",
     shape = shape_fns::gather)]
pub struct Gather;

/// Picks slices of `params` along `axis`.
#[op("GatherV2", is(moves),
     input = "params: Tparams",
     input = "indices: Tindices",
     input = "axis: Taxis",
     output = "output: Tparams",
     attr = "batch_dims: int = 0",
     attr = "Tparams: type",
     attr = "Tindices: {int16, int32, int64}",
     attr = "Taxis: {int32, int64}",
     shape = shape_fns::gather_v2)]
pub struct GatherV2;

/// Picks slices of `params` by coordinates.
///
/// The last axis of `indices`, of extent at most the rank of `params`, holds coordinates along the leading axes; the
/// output has the shape `indices[:-1] + params[indices.shape[-1]:]`. Every dtype. Coordinates outside are an error, and
/// so are any into empty `params`; with the attr `bad_indices_policy` `IGNORE` they give zeros (false, empty strings).
#[op("GatherNd", is(moves),
     input = "params: Tparams",
     input = "indices: Tindices",
     output = "output: Tparams",
     attr = "Tparams: type",
     attr = "Tindices: {int16, int32, int64}",
     attr = "bad_indices_policy: string = ''",
     shape = shape_fns::gather_nd)]
pub struct GatherNd;

/// The coordinates of true or nonzero elements.
///
/// One row of int64 coordinates for each, in row-major order: shape [count, rank]. NaN is not zero, -0.0 is.
#[op("Where",
     no_gradient,
     input = "input: T",
     output = "index: int64",
     attr = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool} = DT_BOOL",
     shape = shape_fns::where_indices)]
pub struct Where;
