//! Trigonometric functions and their inverses.

use oplink::prelude::*;

/// Computes the sine of `x` in radians; NaN for infinities.
#[op(
    "Sin",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Sin;

/// Computes the cosine of `x` in radians; NaN for infinities.
#[op(
    "Cos",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Cos;

/// Computes the tangent of `x` in radians; NaN for infinities.
#[op(
    "Tan",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Tan;

/// Computes the inverse sine of `x` in radians; NaN outside [-1, 1].
#[op(
    "Asin",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Asin;

/// Computes the inverse cosine of `x` in radians; NaN outside [-1, 1].
#[op(
    "Acos",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Acos;

/// Computes the inverse tangent of `x` in radians.
#[op(
    "Atan",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Atan;

/// Computes the angle in radians between the positive x axis and the point `(x, y)`, in [-pi, pi].
///
/// The first input is `y`.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "Atan2",
    is(elementwise),
    input = "y: T",
    input = "x: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Atan2;
