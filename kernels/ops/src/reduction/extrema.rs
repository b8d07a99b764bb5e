//! Largest and smallest elements along axes, and their indices.

use oplink::prelude::*;

/// The largest element of `input` over the axes in `reduction_indices`.
///
/// Axes and `keep_dims` as for `Sum`. NaN wins over every other value. No elements give the dtype's lowest value,
/// negative infinity for floats.
#[op("Max", is(reduces(max)),
     input = "input: T",
     input = "reduction_indices: Tidx",
     output = "output: T",
     attr = "keep_dims: bool = false",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8, qint32, qint16, quint16}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::reduction)]
pub struct Max;

/// The smallest element of `input` over the axes in `reduction_indices`.
///
/// Axes and `keep_dims` as for `Sum`. NaN wins over every other value. No elements give the dtype's highest value,
/// infinity for floats.
#[op("Min", is(reduces(min)),
     input = "input: T",
     input = "reduction_indices: Tidx",
     output = "output: T",
     attr = "keep_dims: bool = false",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8, qint32, qint16, quint16}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     shape = shape_fns::reduction)]
pub struct Min;

/// The position of the largest element of `input` along the axis `dimension`.
///
/// `dimension` is a scalar, negative counted from the end; the output lacks that axis. The first of equal elements
/// wins. NaN is passed over; where no element exceeds the lowest finite value, the position is 0. Positions that the
/// output type cannot hold wrap. It is an error when the axis is empty and the output is not.
#[op("ArgMax",
     input = "input: T",
     input = "dimension: Tidx",
     output = "output: output_type",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8, qint32, qint16, quint16, bool}",
     attr = "Tidx: {int16, int32, int64} = DT_INT32",
     attr = "output_type: {int16, uint16, int32, int64} = DT_INT64",
     shape = shape_fns::arg_reduction)]
pub struct ArgMax;

/// The position of the smallest element of `input` along the axis `dimension`.
///
/// `dimension` is a scalar, negative counted from the end; the output lacks that axis. The first of equal elements
/// wins. NaN is passed over; where no element is below the highest finite value, the position is 0. Positions that the
/// output type cannot hold wrap. It is an error when the axis is empty and the output is not.
#[op("ArgMin",
     input = "input: T",
     input = "dimension: Tidx",
     output = "output: output_type",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8, qint32, qint16, quint16, bool}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     attr = "output_type: {int32, int64} = DT_INT64",
     shape = shape_fns::arg_reduction)]
pub struct ArgMin;
