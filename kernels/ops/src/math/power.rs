//! Powers, roots, and products with logarithms.

use oplink::prelude::*;

/// Computes `x` to the power `y`; integers wrap around, and negative integer powers are an error.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "Pow",
    is(elementwise),
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, float, half, double, int8, int16, int32, int64, complex64, complex128}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Pow;

/// Computes `(x - y) * (x - y)`, for complex numbers the square of the absolute value of `x - y`.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "SquaredDifference",
    is(elementwise),
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}",
    commutative,
    shape = shape_fns::broadcast_binary,
)]
pub struct SquaredDifference;

/// Computes `x / y`, and 0 where `x` is 0, even for zero and NaN `y`.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "Xdivy",
    is(elementwise),
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {half, bfloat16, float, double, complex64, complex128}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Xdivy;

/// Computes `x * log(y)`, and 0 where `x` is 0.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "Xlogy",
    is(elementwise),
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {half, bfloat16, float, double, complex64, complex128}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Xlogy;

/// Computes `x * log(1 + y)`, and 0 where `x` is 0.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "Xlog1py",
    is(elementwise),
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {half, bfloat16, float, double, complex64, complex128}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Xlog1py;

/// Returns the number next to `x1` in the direction of `x2`.
///
/// The shapes of `x1` and `x2` broadcast.
#[op(
    "NextAfter",
    is(elementwise),
    input = "x1: T",
    input = "x2: T",
    output = "output: T",
    attr = "T: {double, float} = DT_FLOAT",
    shape = shape_fns::broadcast_binary,
)]
pub struct NextAfter;

/// Computes the square root of `x`; NaN for negative numbers.
///
/// Complex: the principal root, cut along the negative real axis.
#[op(
    "Sqrt",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Sqrt;

/// Computes `1 / sqrt(x)`; infinity for 0, NaN for negative numbers.
#[op(
    "Rsqrt",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Rsqrt;

/// Computes `x * x`; integers wrap around.
#[op(
    "Square",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Square;
