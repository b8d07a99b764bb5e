//! Rounding to integers.

use oplink::prelude::*;

/// Computes the smallest integer not less than `x`.
#[op(
    "Ceil",
    is(elementwise),
    no_gradient,
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct Ceil;

/// Computes the largest integer not greater than `x`.
#[op(
    "Floor",
    is(elementwise),
    no_gradient,
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct Floor;

/// Computes the integer nearest to `x`, the even one of two.
#[op(
    "Rint",
    is(elementwise),
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct Rint;

/// Computes the integer nearest to `x`, the even one of two. Integers stay as they are.
#[op(
    "Round",
    is(elementwise),
    no_gradient,
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128}",
    shape = shape_fns::unchanged,
)]
pub struct Round;
