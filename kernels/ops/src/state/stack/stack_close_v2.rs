//! `StackCloseV2` and `StackClose`: let the tensors of a stack go. Whoever uses the stack afterwards gets an error.

use oplink::prelude::*;

/// Lets the tensors of a stack go.
#[op("StackCloseV2", input = "handle: resource", stateful, shape = two_names)]
pub struct StackCloseV2;

/// Lets the tensors of the stack behind a reference go.
#[op("StackClose", input = "handle: Ref(string)", shape = two_names)]
pub struct StackClose;

/// Input 0 has the shape that is inferred for the handle of a stack.
fn two_names(context: &mut ShapeContext<'_>) -> Result<()> {
    let shape = context.with_rank(0, 1)?;
    context.merge_dim(shape.dim(0), Some(2))?;
    Ok(())
}
