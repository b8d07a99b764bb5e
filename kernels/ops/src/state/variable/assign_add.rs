//! `AssignAdd` and `AssignAddVariableOp`: add a value to a variable.
//!
//! Value and variable have one shape and dtype. Additions to one variable from several threads follow one after the
//! other, whatever `use_locking` says, so that none is lost; integers wrap around.

use super::shapes;
use oplink::prelude::*;

/// Adds `value` to the variable behind a reference.
#[op("AssignAdd",
     input = "ref: Ref(T)",
     input = "value: T",
     output = "output_ref: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     shape = shape_fns::merge_inputs)]
pub struct AssignAdd;

/// Adds `value` to a resource variable.
#[op("AssignAddVariableOp",
     input = "resource: resource",
     input = "value: dtype",
     attr = "dtype: type",
     stateful,
     shape = shapes::assign_variable)]
pub struct AssignAddVariableOp;
