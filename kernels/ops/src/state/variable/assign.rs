//! `Assign`: replaces the value of the variable behind a reference.
//!
//! With the attr `validate_shape` the value has the shape of the value that the variable has, or was declared with;
//! without it, any shape. The output is the reference. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// Replaces the value of a variable.
#[op("Assign",
     input = "ref: Ref(T)",
     input = "value: T",
     output = "output_ref: Ref(T)",
     attr = "T: type",
     attr = "validate_shape: bool = true",
     attr = "use_locking: bool = true",
     allows_uninitialized_input,
     shape = shapes::assign)]
pub struct Assign;
