//! `LoopCond`: hands the condition of a loop on.
//!
//! The dataflow executor runs it; there is no kernel.

use oplink::prelude::*;

/// Hands the condition of a loop on.
#[op("LoopCond",
     input = "input: bool",
     output = "output: bool",
     shape = shape_fns::unchanged_with_rank::<0>)]
pub struct LoopCond;
