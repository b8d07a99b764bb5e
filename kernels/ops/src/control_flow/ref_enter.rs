//! `RefEnter`: hands its input on into a loop.
//!
//! The dataflow executor runs it; there is no kernel.
//! A constant is there in every iteration, any other value in the first. The value is a reference.

use oplink::prelude::*;

/// Hands its input on into a loop.
#[op("RefEnter",
     input = "data: Ref(T)",
     output = "output: Ref(T)",
     attr = "T: type",
     attr = "frame_name: string",
     attr = "is_constant: bool = false",
     attr = "parallel_iterations: int = 10",
     shape = shape_fns::unchanged)]
pub struct RefEnter;
