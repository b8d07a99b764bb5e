//! `DisableCopyOnRead`: asks a variable to share its memory with its readers, which it does anyway.
//!
//! A variable that does not exist is `FailedPrecondition`.

use oplink::Variable;
use oplink::prelude::*;

use super::read_variable_op::not_ready;

/// Lets readers of a variable share its memory.
#[op("DisableCopyOnRead", input = "resource: resource", stateful, shape = shape_fns::no_outputs)]
pub struct DisableCopyOnRead;

/// `DisableCopyOnRead`.
#[kernel(DisableCopyOnRead, device = CPU)]
pub fn disable_copy_on_read_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    context.resource::<Variable>(0).map(drop).map_err(not_ready)
}
