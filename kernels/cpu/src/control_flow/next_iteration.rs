//! `NextIteration`: hands its input on to the next iteration of a loop.
//!
//! The dataflow executor runs it; there is no kernel.

use oplink::prelude::*;

use super::shapes;

/// Hands its input on to the next iteration of a loop.
#[op("NextIteration",
     input = "data: T",
     output = "output: T",
     attr = "T: type",
     shape = shapes::of_first_input)]
pub struct NextIteration;
