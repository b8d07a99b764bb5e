//! `AssignSub` and `AssignSubVariableOp`: subtract a value from a variable.
//!
//! Value and variable have one shape and dtype. Subtractions from one variable from several threads follow one after
//! the other, whatever `use_locking` says, so that none is lost; integers wrap around.

use super::shapes;
use oplink::prelude::*;

/// Subtracts `value` from the variable behind a reference.
#[op("AssignSub",
     input = "ref: Ref(T)",
     input = "value: T",
     output = "output_ref: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     shape = shape_fns::merge_inputs)]
pub struct AssignSub;

/// Subtracts `value` from a resource variable.
#[op("AssignSubVariableOp",
     input = "resource: resource",
     input = "value: dtype",
     attr = "dtype: type",
     stateful,
     shape = shapes::assign_variable)]
pub struct AssignSubVariableOp;
