//! `StackV2` and `Stack`: a new stack of tensors of the attr `elem_type`.
//!
//! It holds `max_size` tensors at most, any number where that is negative or not given, and lives until nobody has a handle to
//! it.

use oplink::prelude::*;

use super::tensors;
use crate::state::arguments;

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
pub(super) fn two_names(context: &mut ShapeContext<'_>) -> Result<()> {
    context.set_output(0, PartialShape::new(&[Some(2)]));
    Ok(())
}

/// `StackV2` of every dtype.
#[kernel(StackV2, device = CPU, elem_type = any, host_memory = [max_size])]
pub fn stack_v2_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let max_size = arguments::scalar(context, 0, "max_size")?;
    new_stack(context, usize::try_from(max_size).ok())
}

/// `Stack` of every dtype.
#[kernel(Stack, device = CPU, elem_type = any)]
pub fn stack_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    new_stack(context, None)
}

fn new_stack(context: &mut KernelContext<'_>, max_size: Option<usize>) -> Result<()> {
    let name = match context.attr::<&str>("stack_name")? {
        "" => &context.node().name,
        name => name,
    };
    let handle = tensors::Stack::handle(name, context.attr("elem_type")?, max_size)?;
    context.set_scalar(0, handle);
    Ok(())
}
