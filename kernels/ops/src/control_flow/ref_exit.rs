//! `RefExit`: hands its input on out of a loop.
//!
//! The dataflow executor runs it; there is no kernel. The value is a reference.

use super::shapes;
use oplink::prelude::*;

/// Hands its input on out of a loop.
#[op("RefExit",
     input = "data: Ref(T)",
     output = "output: Ref(T)",
     attr = "T: type",
     shape = shapes::of_first_input)]
pub struct RefExit;
