//! `StackCloseV2` and `StackClose`: let the tensors of a stack go. Whoever uses the stack afterwards gets an error.

use oplink::prelude::*;

use super::tensors::Stack;

/// Lets the tensors of a stack go.
#[op("StackCloseV2", input = "handle: resource", stateful, shape = shape_fns::no_outputs)]
pub struct StackCloseV2;

/// Lets the tensors of the stack behind a reference go.
#[op("StackClose", input = "handle: Ref(string)", shape = shape_fns::no_outputs)]
pub struct StackClose;

/// `StackCloseV2` and `StackClose` of every dtype.
#[kernel(StackCloseV2, device = CPU)]
#[kernel(StackClose, device = CPU)]
pub fn stack_close_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    context.resource::<Stack>(0)?.close();
    Ok(())
}
