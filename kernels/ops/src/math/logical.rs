//! Operations on truth values.

use oplink::prelude::*;

/// Computes `x & y`.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "LogicalAnd",
    is(associative, elementwise),
    no_gradient,
    input = "x: bool",
    input = "y: bool",
    output = "z: bool",
    commutative,
    shape = shape_fns::broadcast_binary,
)]
pub struct LogicalAnd;

/// Computes `!x`.
#[op(
    "LogicalNot",
    is(elementwise),
    no_gradient,
    input = "x: bool",
    output = "y: bool",
    shape = shape_fns::unchanged,
)]
pub struct LogicalNot;

/// Computes `x | y`.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "LogicalOr",
    is(associative, elementwise),
    no_gradient,
    input = "x: bool",
    input = "y: bool",
    output = "z: bool",
    commutative,
    shape = shape_fns::broadcast_binary,
)]
pub struct LogicalOr;
