//! `Switch`: hands its input on to one of two outputs.
//!
//! The dataflow executor runs it; there is no kernel.
//! The other output is dead: nodes that need it do not run.

use super::shapes;
use oplink::prelude::*;

/// Hands its input on to one of two outputs.
#[op("Switch",
     input = "data: T",
     input = "pred: bool",
     output = "output_false: T",
     output = "output_true: T",
     attr = "T: type",
     shape = shapes::of_first_input)]
pub struct Switch;
