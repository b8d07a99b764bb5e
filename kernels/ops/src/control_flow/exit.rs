//! `Exit`: hands its input on out of a loop.
//!
//! The dataflow executor runs it; there is no kernel.

use super::shapes;
use oplink::prelude::*;

/// Hands its input on out of a loop.
#[op("Exit",
     input = "data: T",
     output = "output: T",
     attr = "T: type",
     shape = shapes::of_first_input)]
pub struct Exit;
