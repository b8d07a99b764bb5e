//! `RefNextIteration`: hands its input on to the next iteration of a loop.
//!
//! The dataflow executor runs it; there is no kernel. The value is a reference.

use super::shapes;
use oplink::prelude::*;

/// Hands its input on to the next iteration of a loop.
#[op("RefNextIteration",
     input = "data: Ref(T)",
     output = "output: Ref(T)",
     attr = "T: type",
     shape = shapes::of_first_input)]
pub struct RefNextIteration;
