//! Sums, differences, products and quotients.

use oplink::prelude::*;

/// Computes `x + y`, joining strings; integers wrap around.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "Add",
    is(associative, elementwise),
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128, string}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Add;

/// Computes `x + y`; integers wrap around.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "AddV2",
    is(associative, elementwise),
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, uint8, uint16, uint32, uint64, int8, int16, int32, int64, complex64, complex128}",
    commutative,
    aggregate,
    shape = shape_fns::broadcast_binary,
)]
pub struct AddV2;

/// Computes `x - y`; integers wrap around.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "Sub",
    is(elementwise),
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, complex64, complex128, uint32, uint64}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Sub;

/// Computes `x * y`; integers wrap around.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "Mul",
    is(associative, elementwise),
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128}",
    commutative,
    shape = shape_fns::broadcast_binary,
)]
pub struct Mul;

/// Computes `x * y`, and 0 where `y` is 0, even for infinite and NaN `x`.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "MulNoNan",
    is(elementwise),
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::broadcast_binary,
)]
pub struct MulNoNan;

/// Computes `x / y`; quotients of integers are rounded towards zero, and dividing them by zero is an error.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "Div",
    is(elementwise),
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Div;

/// Computes `x / y`, and 0 where `y` is 0.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "DivNoNan",
    is(elementwise),
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {half, float, bfloat16, double, complex64, complex128}",
    shape = shape_fns::broadcast_binary,
)]
pub struct DivNoNan;

/// Computes `x / y`.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "RealDiv",
    is(elementwise),
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128}",
    shape = shape_fns::broadcast_binary,
)]
pub struct RealDiv;

/// Computes `x / y` rounded towards negative infinity. The quotient of floats is rounded to the dtype before.
///
/// Dividing an integer by zero is an error. The shapes of `x` and `y` broadcast.
#[op(
    "FloorDiv",
    is(elementwise),
    no_gradient,
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128}",
    shape = shape_fns::broadcast_binary,
)]
pub struct FloorDiv;

/// Computes `x / y` rounded towards zero. The quotient of floats is rounded to the dtype before.
///
/// Dividing an integer by zero is an error. The shapes of `x` and `y` broadcast.
#[op(
    "TruncateDiv",
    is(elementwise),
    no_gradient,
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128}",
    shape = shape_fns::broadcast_binary,
)]
pub struct TruncateDiv;
