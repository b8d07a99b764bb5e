//! Stacks: tensors of which the last pushed is the first popped, within a step.
//!
//! Each kernel serves the op that takes a resource, `StackPushV2`, and the one that takes a reference, `StackPush`.

mod tensors;

use std::sync::Arc;

use crate::arguments::Scalar;
use oplink::prelude::*;
use oplink_ops::state::{self, StackClose, StackCloseV2, StackPop, StackPopV2, StackPush, StackPushV2, StackV2};
use tensors::Stack;

/// `StackV2` and `Stack` of every dtype: a new stack of tensors of the attr `elem_type`. It holds `max_size` tensors at
/// most, any number where that is negative or not given, and lives until nobody has a handle to it.
#[kernel(StackV2, device = CPU, elem_type = any, host_memory = [max_size])]
#[kernel(state::Stack, device = CPU, elem_type = any)]
pub fn stack_cpu(
    max_size: Option<Scalar>,
    elem_type: DType,
    stack_name: &str,
    mut handle: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let name = if stack_name.is_empty() { &env.node().name } else { stack_name };
    let max_size = max_size.and_then(|size| usize::try_from(size.0).ok());
    handle.set_scalar(Stack::handle(name, elem_type, max_size)?);
    Ok(())
}

/// `StackPushV2` and `StackPush` of every dtype: put a tensor on top of a stack; it is the output too. The tensor has
/// the stack's dtype; a stack with as many tensors as it can hold is an error.
#[kernel(StackPushV2, device = CPU, T = any)]
#[kernel(StackPush, device = CPU, T = any)]
pub fn stack_push_cpu(handle: Arc<Stack>, elem: Input<'_>, mut output: OutputSlot<'_>) -> Result<()> {
    let element = elem.take();
    handle.push(element.clone())?;
    output.set(element);
    Ok(())
}

/// `StackPopV2` and `StackPop` of every dtype: take the topmost tensor off a stack. An empty stack is an error, and so
/// is one of another dtype than the attr's.
#[kernel(StackPopV2, device = CPU, elem_type = any)]
#[kernel(StackPop, device = CPU, elem_type = any)]
pub fn stack_pop_cpu(handle: Arc<Stack>, elem_type: DType) -> Result<Tensor> {
    let element = handle.pop()?;
    ensure!(element.dtype() == elem_type, "the stack holds tensors of {}, not of {elem_type}", element.dtype());
    Ok(element)
}

/// `StackCloseV2` and `StackClose` of every dtype: let the tensors of a stack go. Whoever uses the stack afterwards
/// gets an error.
#[kernel(StackCloseV2, device = CPU)]
#[kernel(StackClose, device = CPU)]
pub fn stack_close_cpu(handle: Arc<Stack>) {
    handle.close();
}
