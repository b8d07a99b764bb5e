//! `ReadVariableOp`: the value of a resource variable.
//!
//! The output is a snapshot in the variable's memory: updates that come later leave it as it is. No variable and no
//! value are `FailedPrecondition`, another dtype than the attr's is `InvalidArgument`. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// The value of a variable.
#[op("ReadVariableOp",
     input = "resource: resource",
     output = "value: dtype",
     attr = "dtype: type",
     stateful,
     shape = shapes::read_variable)]
pub struct ReadVariableOp;
