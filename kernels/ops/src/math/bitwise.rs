//! Operations on the bits of integers.

use oplink::prelude::*;

/// Computes `x & y`.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "BitwiseAnd",
    is(associative, elementwise),
    no_gradient,
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}",
    commutative,
    shape = shape_fns::broadcast_binary,
)]
pub struct BitwiseAnd;

/// Computes `x | y`.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "BitwiseOr",
    is(associative, elementwise),
    no_gradient,
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}",
    commutative,
    shape = shape_fns::broadcast_binary,
)]
pub struct BitwiseOr;

/// Computes `x ^ y`.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "BitwiseXor",
    is(associative, elementwise),
    no_gradient,
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}",
    commutative,
    shape = shape_fns::broadcast_binary,
)]
pub struct BitwiseXor;

/// Computes the complement of every bit of `x`.
#[op(
    "Invert",
    is(elementwise),
    no_gradient,
    input = "x: T",
    output = "y: T",
    attr = "T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}",
    shape = shape_fns::unchanged,
)]
pub struct Invert;

/// Moves the bits of `x` to the left by `y`; `y` outside `0..bits` counts as the nearest number inside.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "LeftShift",
    is(elementwise),
    no_gradient,
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}",
    shape = shape_fns::broadcast_binary,
)]
pub struct LeftShift;

/// Counts the bits of `x` that are 1, those of the two's complement for negative numbers.
#[op(
    "PopulationCount",
    is(elementwise),
    no_gradient,
    input = "x: T",
    output = "y: uint8",
    attr = "T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}",
    shape = shape_fns::unchanged,
)]
pub struct PopulationCount;

/// Moves the bits of `x` to the right by `y`; `y` outside `0..bits` counts as the nearest number inside. Signed
/// integers keep their sign.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "RightShift",
    is(elementwise),
    no_gradient,
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}",
    shape = shape_fns::broadcast_binary,
)]
pub struct RightShift;
