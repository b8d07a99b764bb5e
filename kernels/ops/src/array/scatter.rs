//! Elements put by index.

use oplink::prelude::*;

/// Zeros of shape `shape` with the slices of `updates` added at coordinates.
///
/// `shape` is the output's; the last axis of `indices` holds coordinates along its leading axes, and `updates` has the
/// shape `indices[:-1] + shape[indices.shape[-1]:]`. Slices of equal coordinates add up: integers wrap, bools are
/// joined by or, strings one behind the other. Coordinates outside are an error; with the attr `bad_indices_policy`
/// `IGNORE` their slices are left out.
#[op("ScatterNd",
     input = "indices: Tindices",
     input = "updates: T",
     input = "shape: Tindices",
     output = "output: T",
     attr = "T: type",
     attr = "Tindices: {int16, int32, int64}",
     attr = "bad_indices_policy: string = ''",
     shape = shape_fns::scatter_nd)]
pub struct ScatterNd;

/// `input` with the slices of `updates` added at coordinates.
///
/// Coordinates, shapes and errors as for `ScatterNd`; bools are joined by or. The output takes the input's memory where
/// nobody else needs it.
#[op("ScatterNdNonAliasingAdd",
     input = "input: T",
     input = "indices: Tindices",
     input = "updates: T",
     output = "output: T",
     attr = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool}",
     attr = "Tindices: {int32, int64}",
     attr = "bad_indices_policy: string = ''",
     shape = shape_fns::scatter_nd_update)]
pub struct ScatterNdNonAliasingAdd;

/// `tensor` with the slices of `updates` added at coordinates.
///
/// The last axis of `indices` holds coordinates along the leading axes of `tensor`, and `updates` has the shape
/// `indices[:-1] + tensor[indices.shape[-1]:]`. Slices of equal coordinates add up; integers wrap, and the 16-bit
/// floats are rounded after each addition. Coordinates outside are an error; with the attr
/// `bad_indices_policy` `IGNORE` their slices are left out. The output takes the input's memory where nobody else needs
/// it.
#[op("TensorScatterAdd",
     input = "tensor: T",
     input = "indices: Tindices",
     input = "updates: T",
     output = "output: T",
     attr = "T: type",
     attr = "Tindices: {int32, int64}",
     attr = "bad_indices_policy: string = ''",
     shape = shape_fns::scatter_nd_update)]
pub struct TensorScatterAdd;

/// `tensor` with the larger ones of its elements and those of `updates` at coordinates.
///
/// The last axis of `indices` holds coordinates along the leading axes of `tensor`, and `updates` has the shape
/// `indices[:-1] + tensor[indices.shape[-1]:]`. Of equal coordinates the largest element wins; an
/// element of `updates` that is NaN never does, one of `tensor` always. Coordinates outside are an error; with the attr
/// `bad_indices_policy` `IGNORE` their slices are left out. The output takes the input's memory where nobody else needs
/// it.
#[op("TensorScatterMax",
     input = "tensor: T",
     input = "indices: Tindices",
     input = "updates: T",
     output = "output: T",
     attr = "T: type",
     attr = "Tindices: {int32, int64}",
     attr = "bad_indices_policy: string = ''",
     shape = shape_fns::scatter_nd_update)]
pub struct TensorScatterMax;

/// `tensor` with the smaller ones of its elements and those of `updates` at coordinates.
///
/// The last axis of `indices` holds coordinates along the leading axes of `tensor`, and `updates` has the shape
/// `indices[:-1] + tensor[indices.shape[-1]:]`. Of equal coordinates the smallest element wins; an
/// element of `updates` that is NaN never does, one of `tensor` always. Coordinates outside are an error; with the attr
/// `bad_indices_policy` `IGNORE` their slices are left out. The output takes the input's memory where nobody else needs
/// it.
#[op("TensorScatterMin",
     input = "tensor: T",
     input = "indices: Tindices",
     input = "updates: T",
     output = "output: T",
     attr = "T: type",
     attr = "Tindices: {int32, int64}",
     attr = "bad_indices_policy: string = ''",
     shape = shape_fns::scatter_nd_update)]
pub struct TensorScatterMin;

/// `tensor` with the slices of `updates` subtracted at coordinates.
///
/// The last axis of `indices` holds coordinates along the leading axes of `tensor`, and `updates` has the shape
/// `indices[:-1] + tensor[indices.shape[-1]:]`. Slices of equal coordinates are subtracted one after the other;
/// integers wrap, and the 16-bit floats are rounded after each subtraction. Coordinates outside are an error; with the
/// attr `bad_indices_policy` `IGNORE` their slices are left out. The output takes the input's memory where nobody else
/// needs it.
#[op("TensorScatterSub",
     input = "tensor: T",
     input = "indices: Tindices",
     input = "updates: T",
     output = "output: T",
     attr = "T: type",
     attr = "Tindices: {int32, int64}",
     attr = "bad_indices_policy: string = ''",
     shape = shape_fns::scatter_nd_update)]
pub struct TensorScatterSub;

/// `tensor` with the slices of `updates` at coordinates.
///
/// The last axis of `indices` holds coordinates along the leading axes of `tensor`, and `updates` has the shape
/// `indices[:-1] + tensor[indices.shape[-1]:]`. Of slices of equal coordinates the last one stays. Coordinates outside
/// are an error; with the attr `bad_indices_policy` `IGNORE` their slices are left out. Numbers, bools and strings. The
/// output takes the input's memory where nobody else needs it.
#[op("TensorScatterUpdate",
     input = "tensor: T",
     input = "indices: Tindices",
     input = "updates: T",
     output = "output: T",
     attr = "T: type",
     attr = "Tindices: {int16, int32, int64, uint16}",
     attr = "bad_indices_policy: string = ''",
     shape = shape_fns::scatter_nd_update)]
pub struct TensorScatterUpdate;
