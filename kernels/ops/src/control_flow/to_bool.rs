//! `ToBool`: whether a tensor counts as true.
//!
//! A scalar other than zero or the empty string does, and any other tensor that has elements.

use oplink::prelude::*;

/// Whether the input counts as true, a scalar.
#[op("ToBool", input = "input: T", output = "output: bool", attr = "T: type", shape = shape_fns::scalar)]
pub struct ToBool;
