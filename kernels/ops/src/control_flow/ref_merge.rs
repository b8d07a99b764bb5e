//! `RefMerge`: forwards whichever of its inputs there is.
//!
//! The dataflow executor runs it; there is no kernel.
//! It runs as soon as one input is there; where all are dead, so are its outputs. The value is a reference.

use super::merge::merged;
use oplink::prelude::*;

/// Hands on whichever of its inputs there is, and which one that was.
#[op("RefMerge",
     input = "inputs: N * Ref(T)",
     output = "output: Ref(T)",
     output = "value_index: int32",
     attr = "T: type",
     attr = "N: int >= 1",
     shape = merged)]
pub struct RefMerge;
