//! `ControlTrigger`: runs when all its control inputs did, dead or not.
//!
//! The dataflow executor runs it; there is no kernel.

use oplink::prelude::*;

/// Runs when all its control inputs did, dead or not.
#[op("ControlTrigger", shape = shape_fns::no_outputs)]
pub struct ControlTrigger;
