//! `VariableShape`: the extents of a resource variable's value.
//!
//! A vector of int32 or int64. A variable without a value has a shape without extents; one that does not exist is
//! `NotFound`.

use super::shapes;
use oplink::prelude::*;

/// The shape of a variable.
#[op("VariableShape",
     no_gradient,
     input = "input: resource",
     output = "output: out_type",
     attr = "out_type: {int32, int64} = DT_INT32",
     stateful,
     shape = shapes::variable_shape)]
pub struct VariableShape;
