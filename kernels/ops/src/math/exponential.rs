//! Exponentials and logarithms.

use oplink::prelude::*;

/// Computes `e` to the power `x`.
#[op(
    "Exp",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Exp;

/// Computes `exp(x) - 1`, accurately near 0.
#[op(
    "Expm1",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Expm1;

/// Computes the natural logarithm of `x`; negative infinity for 0, NaN for negative numbers.
///
/// Complex: the principal value, cut along the negative real axis.
#[op(
    "Log",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Log;

/// Computes `log(1 + x)`, accurately near 0.
#[op(
    "Log1p",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Log1p;

/// Computes `1 / (1 + exp(-x))`.
#[op(
    "Sigmoid",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Sigmoid;
