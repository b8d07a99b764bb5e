//! `StackPopV2` and `StackPop`: take the topmost tensor off a stack.
//!
//! An empty stack is an error, and so is one of another dtype than the attr's.

use oplink::prelude::*;

/// Takes the topmost tensor off a stack.
#[op("StackPopV2",
     input = "handle: resource",
     output = "elem: elem_type",
     attr = "elem_type: type",
     stateful,
     shape = shape_fns::unknown)]
pub struct StackPopV2;

/// Takes the topmost tensor off the stack behind a reference.
#[op("StackPop",
     input = "handle: Ref(string)",
     output = "elem: elem_type",
     attr = "elem_type: type",
     shape = shape_fns::unknown)]
pub struct StackPop;
