//! `AssignVariableOp`: replaces the value of a resource variable.
//!
//! The variable is made where there is none. It takes the value's memory; where others still need that, the next update
//! makes a copy. Another dtype than the variable's is an error; with the attr `validate_shape`, another shape than that
//! of the value it has is one too. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// Replaces the value of a variable.
#[op("AssignVariableOp",
     input = "resource: resource",
     input = "value: dtype",
     attr = "dtype: type",
     attr = "validate_shape: bool = false",
     stateful,
     shape = shapes::assign_variable)]
pub struct AssignVariableOp;
