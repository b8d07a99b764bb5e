//! `VarIsInitializedOp` and `IsVariableInitialized`: whether a variable has a value.
//!
//! A scalar of bool; false for a resource variable that does not exist.

use oplink::prelude::*;

/// Whether a resource variable has a value.
#[op("VarIsInitializedOp",
     no_gradient,
     input = "resource: resource",
     output = "is_initialized: bool",
     stateful,
     shape = shape_fns::scalar)]
pub struct VarIsInitializedOp;

/// Whether the variable behind a reference has a value.
#[op("IsVariableInitialized",
     no_gradient,
     input = "ref: Ref(dtype)",
     output = "is_initialized: bool",
     attr = "dtype: type",
     allows_uninitialized_input,
     shape = shape_fns::scalar)]
pub struct IsVariableInitialized;
