//! Checks for NaN and infinities.

use oplink::prelude::*;

/// The tensor, if it has neither NaN nor infinities; else an error that begins with `message`.
#[op("CheckNumerics",
     input = "tensor: T",
     output = "output: T",
     attr = "T: {bfloat16, half, float, double}",
     attr = "message: string",
     stateful,
     shape = shape_fns::unchanged)]
pub struct CheckNumerics;

/// The tensor, if it has neither NaN nor infinities; else an error that begins with `message`.
///
/// otherwise.
#[op("CheckNumericsV2",
     input = "tensor: T",
     output = "output: T",
     attr = "T: {bfloat16, half, float, double}",
     attr = "message: string",
     stateful,
     shape = shape_fns::unchanged)]
pub struct CheckNumericsV2;
