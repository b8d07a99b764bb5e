//! `StackV2` and `Stack`: a new stack of tensors of the attr `elem_type`.
//!
//! It holds `max_size` tensors at most, any number where that is negative or not given, and lives until nobody has a
//! handle to it.

use oplink::prelude::*;

/// A new stack.
#[op("StackV2",
     input = "max_size: int32",
     output = "handle: resource",
     attr = "elem_type: type",
     attr = "stack_name: string = ''",
     stateful,
     shape = two_names)]
pub struct StackV2;

/// A reference to a new stack.
#[op("Stack",
     output = "handle: Ref(string)",
     attr = "elem_type: type",
     attr = "stack_name: string = ''",
     stateful,
     shape = two_names)]
pub struct Stack;

/// The shape of a handle by its two names; the handle itself is a scalar.
pub fn two_names(context: &mut ShapeContext<'_>) -> Result<()> {
    context.set_output(0, PartialShape::new(&[Some(2)]));
    Ok(())
}
