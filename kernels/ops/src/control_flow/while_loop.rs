//! `While`: a loop over functions.
//!
//! While `cond` of the values is true, `body` makes the next values of them; the outputs are the last ones. Shapes may
//! change from one iteration to the next, dtypes may not. Values that nobody else holds are given to `body`, which can
//! change them in place.

use super::shapes;
use oplink::prelude::*;

/// Repeats a function.
#[op("While",
     input = "input: T",
     output = "output: T",
     attr = "T: list(type) >= 0",
     attr = "cond: func",
     attr = "body: func",
     attr = "output_shapes: list(shape) = []",
     attr = "parallel_iterations: int = 10",
     unused_attr = "parallel_iterations",
     stateful,
     shape = shapes::of_loop)]
pub struct While;
