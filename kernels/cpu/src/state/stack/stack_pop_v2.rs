//! `StackPopV2` and `StackPop`: take the topmost tensor off a stack.
//!
//! An empty stack is an error, and so is one of another dtype than the attr's.

use oplink::prelude::*;

use super::tensors::Stack;

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

/// `StackPopV2` and `StackPop` of every dtype.
#[kernel(StackPopV2, device = CPU, elem_type = any)]
#[kernel(StackPop, device = CPU, elem_type = any)]
pub fn stack_pop_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let element = context.resource::<Stack>(0)?.pop()?;
    let dtype: DType = context.attr("elem_type")?;
    ensure!(element.dtype() == dtype, "the stack holds tensors of {}, not of {dtype}", element.dtype());
    context.set_output(0, element);
    Ok(())
}
