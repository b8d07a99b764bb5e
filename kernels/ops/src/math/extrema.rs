//! The larger and the smaller of two numbers, and numbers limited to a range.

use oplink::prelude::*;

/// Computes the larger of `x` and `y`; NaN where either is.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "Maximum",
    is(associative, elementwise),
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Maximum;

/// Computes the smaller of `x` and `y`; NaN where either is.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "Minimum",
    is(associative, elementwise),
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Minimum;

/// Replaces elements above `clip_value_max` by it, then those below `clip_value_min` by that; NaN stays.
///
/// Each bound is a scalar or has the shape of `t`. The parts of complex numbers are confined one by one.
#[op(
    "ClipByValue",
    is(elementwise),
    input = "t: T",
    input = "clip_value_min: T",
    input = "clip_value_max: T",
    output = "output: T",
    attr = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}",
    shape = shape_fns::unchanged,
)]
pub struct ClipByValue;
