//! Remainders of divisions.

use oplink::prelude::*;

/// Computes `x - floor(x / y) * y`, which has the sign of `y`.
///
/// Dividing an integer by zero is an error. The shapes of `x` and `y` broadcast.
#[op(
    "FloorMod",
    is(elementwise),
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64, bfloat16, half, float, double}",
    shape = shape_fns::broadcast_binary,
)]
pub struct FloorMod;

/// Computes the remainder of `x / y` rounded towards zero, which has the sign of `x`.
///
/// Dividing an integer by zero is an error. The shapes of `x` and `y` broadcast.
#[op(
    "Mod",
    is(elementwise),
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {int32, int64, half, half, bfloat16, float, double}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Mod;

/// Computes the remainder of `x / y` rounded towards zero, which has the sign of `x`.
///
/// Dividing an integer by zero is an error. The shapes of `x` and `y` broadcast.
#[op(
    "TruncateMod",
    is(elementwise),
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {int32, int64, bfloat16, half, float, double}",
    shape = shape_fns::broadcast_binary,
)]
pub struct TruncateMod;
