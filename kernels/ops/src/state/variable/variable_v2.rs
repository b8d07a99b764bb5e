//! `Variable` and `VariableV2`: references to variables of the session.
//!
//! Nodes of one `container` and `shared_name`, or else of one node name, share a variable. It has no value until the
//! first `Assign`; the attr `shape` is what that checks, an unknown one standing for a scalar. Nodes that share a
//! variable have one dtype. Every dtype.

use super::shapes;
use oplink::prelude::*;

/// A reference to a variable; a shape without extents stands for any.
#[op("Variable",
     output = "ref: Ref(dtype)",
     attr = "shape: shape",
     attr = "dtype: type",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shapes::variable)]
pub struct Variable;

/// A reference to a variable.
#[op("VariableV2",
     output = "ref: Ref(dtype)",
     attr = "shape: shape",
     attr = "dtype: type",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shapes::explicit)]
pub struct VariableV2;
