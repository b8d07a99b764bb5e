//! Tests for NaN and infinities.

use oplink::prelude::*;

/// Tells whether a number is neither infinite nor NaN, element by element.
#[op(
    "IsFinite",
    is(elementwise),
    no_gradient,
    input = "x: T",
    output = "y: bool",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct IsFinite;

/// Tells whether a number is infinite, element by element.
#[op(
    "IsInf",
    is(elementwise),
    no_gradient,
    input = "x: T",
    output = "y: bool",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct IsInf;

/// Tells whether a number is NaN, element by element.
#[op(
    "IsNan",
    is(elementwise),
    no_gradient,
    input = "x: T",
    output = "y: bool",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct IsNan;
