//! `StackPushV2` and `StackPush`: put a tensor on top of a stack, and give it on.
//!
//! The tensor has the stack's dtype; a stack with as many tensors as it can hold is an error.

use oplink::prelude::*;

/// Puts `elem` on top of a stack.
#[op("StackPushV2",
     input = "handle: resource",
     input = "elem: T",
     output = "output: T",
     attr = "T: type",
     attr = "swap_memory: bool = false",
     stateful,
     shape = same_element)]
pub struct StackPushV2;

/// Puts `elem` on top of the stack behind a reference.
#[op("StackPush",
     input = "handle: Ref(string)",
     input = "elem: T",
     output = "output: T",
     attr = "T: type",
     attr = "swap_memory: bool = false",
     shape = same_element)]
pub struct StackPush;

fn same_element(context: &mut ShapeContext<'_>) -> Result<()> {
    context.set_output(0, context.input(1).clone());
    Ok(())
}
