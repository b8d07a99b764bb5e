//! `VarHandleOp`: a handle to a resource variable.
//!
//! The variable comes into being with its first assignment. Nodes of one `container` and `shared_name` share a
//! variable, those with no name at all too; the name that stands for an anonymous variable gives a new variable at each
//! run. The attrs `dtype` and `shape` say what values to expect; an assignment of another dtype is an error, one of
//! another shape is not.

use super::shapes;
use oplink::prelude::*;

/// A handle to a variable.
#[op("VarHandleOp",
     output = "resource: resource",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "debug_name: string = ''",
     attr = "dtype: type",
     attr = "shape: shape",
     attr = "allowed_devices: list(string) = []",
     stateful,
     shape = shapes::var_handle)]
pub struct VarHandleOp;
