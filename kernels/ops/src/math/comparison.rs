//! Comparisons of two tensors.

use oplink::prelude::*;

/// Tells whether `|x - y| <= tolerance`, where `x` and `y` have one shape.
#[op(
    "ApproximateEqual",
    is(elementwise),
    no_gradient,
    input = "x: T",
    input = "y: T",
    output = "z: bool",
    attr = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}",
    attr = "tolerance: float = 1e-05",
    commutative,
    shape = shape_fns::unchanged,
)]
pub struct ApproximateEqual;

/// Tells whether `x == y`; NaN equals nothing.
///
/// The shapes of `x` and `y` broadcast. Where they do not and `incompatible_shape_error` is false, the output is the
/// scalar false.
#[op(
    "Equal",
    is(elementwise),
    no_gradient,
    input = "x: T",
    input = "y: T",
    output = "z: bool",
    attr = "T: type",
    attr = "incompatible_shape_error: bool = true",
    commutative,
    shape = shape_fns::comparison,
)]
pub struct Equal;

/// Tells whether `x > y`; false where either is NaN.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "Greater",
    is(elementwise),
    no_gradient,
    input = "x: T",
    input = "y: T",
    output = "z: bool",
    attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Greater;

/// Tells whether `x >= y`; false where either is NaN.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "GreaterEqual",
    is(elementwise),
    no_gradient,
    input = "x: T",
    input = "y: T",
    output = "z: bool",
    attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}",
    shape = shape_fns::broadcast_binary,
)]
pub struct GreaterEqual;

/// Tells whether `x < y`; false where either is NaN.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "Less",
    is(elementwise),
    no_gradient,
    input = "x: T",
    input = "y: T",
    output = "z: bool",
    attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Less;

/// Tells whether `x <= y`; false where either is NaN.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "LessEqual",
    is(elementwise),
    no_gradient,
    input = "x: T",
    input = "y: T",
    output = "z: bool",
    attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}",
    shape = shape_fns::broadcast_binary,
)]
pub struct LessEqual;

/// Tells whether `x != y`; NaN differs from everything.
///
/// The shapes of `x` and `y` broadcast. Where they do not and `incompatible_shape_error` is false, the output is the
/// scalar true.
#[op(
    "NotEqual",
    is(elementwise),
    no_gradient,
    input = "x: T",
    input = "y: T",
    output = "z: bool",
    attr = "T: type",
    attr = "incompatible_shape_error: bool = true",
    commutative,
    shape = shape_fns::comparison,
)]
pub struct NotEqual;
