//! `DestroyResourceOp`: ends the resource behind a handle.
//!
//! Where there is none, that is an error unless the attr `ignore_lookup_error` says otherwise. Whoever still works on the
//! resource keeps it until then; the handle stays good for a new resource of the name.

use oplink::prelude::*;

/// Ends a resource.
#[op("DestroyResourceOp",
     input = "resource: resource",
     attr = "ignore_lookup_error: bool = true",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct DestroyResourceOp;

/// `DestroyResourceOp` of resources of any type.
#[kernel(DestroyResourceOp, device = CPU)]
pub fn destroy_resource_op_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let handle = context.handle(0)?;
    if !handle.destroy() && !context.attr::<bool>("ignore_lookup_error")? {
        return Err(Error::not_found(format!("there is no resource {handle} to destroy")));
    }
    Ok(())
}
