//! Hyperbolic functions and their inverses.

use oplink::prelude::*;

/// Computes the hyperbolic sine of `x`.
#[op(
    "Sinh",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Sinh;

/// Computes the hyperbolic cosine of `x`.
#[op(
    "Cosh",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Cosh;

/// Computes the hyperbolic tangent of `x`.
#[op(
    "Tanh",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Tanh;

/// Computes the inverse hyperbolic sine of `x`.
#[op(
    "Asinh",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Asinh;

/// Computes the inverse hyperbolic cosine of `x`; NaN below 1.
#[op(
    "Acosh",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Acosh;

/// Computes the inverse hyperbolic tangent of `x`; infinite at -1 and 1, NaN beyond.
#[op(
    "Atanh",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Atanh;
