//! `RefSwitch`: hands its input on to one of two outputs.
//!
//! The dataflow executor runs it; there is no kernel.
//! The other output is dead: nodes that need it do not run. The value is a reference.

use super::shapes;
use oplink::prelude::*;

/// Hands its input on to one of two outputs.
#[op("RefSwitch",
     input = "data: Ref(T)",
     input = "pred: bool",
     output = "output_false: Ref(T)",
     output = "output_true: Ref(T)",
     attr = "T: type",
     allows_uninitialized_input,
     shape = shapes::of_first_input)]
pub struct RefSwitch;
