//! Magnitudes, signs and reciprocals.

use oplink::prelude::*;

/// Computes the absolute value of `x`.
///
/// The smallest integer of a type stays itself.
#[op(
    "Abs",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, int8, int16, int32, int64}",
    shape = shape_fns::unchanged,
)]
pub struct Abs;

/// Computes `-x`; the smallest integer of a type stays itself.
#[op(
    "Neg",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Neg;

/// Computes -1, 0 or 1 with the sign of `x`; NaN for NaN.
///
/// Complex: `x / |x|`, 0 for 0.
#[op(
    "Sign",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Sign;

/// Computes `1 / x`.
#[op(
    "Inv",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Inv;

/// Computes `1 / x`.
#[op(
    "Reciprocal",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Reciprocal;
