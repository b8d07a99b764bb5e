//! `For`: a loop over numbers.
//!
//! `body` gets the number and the values, and makes the next values; the numbers go from `start` towards `limit`, which
//! they do not reach, in steps of `delta`. A `delta` that leads away from `limit`, or is 0 while there is a way to go,
//! is an error.

use oplink::prelude::*;

/// Repeats a function for each number of a range.
#[op("For",
     input = "start: int32",
     input = "limit: int32",
     input = "delta: int32",
     input = "input: T",
     output = "output: T",
     attr = "T: list(type) >= 0",
     attr = "body: func",
     shape = shape_fns::unknown)]
pub struct For;
