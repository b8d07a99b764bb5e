//! Tensors that a session keeps between steps, by handles that are strings.

use oplink::prelude::*;

/// Keeps a tensor in the session; the handle tells the node, a number and the device.
#[op("GetSessionHandle",
     input = "value: T",
     output = "handle: string",
     attr = "T: type",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct GetSessionHandle;

/// As [`GetSessionHandle`]; the name of the resource is the handle.
#[op("GetSessionHandleV2",
     input = "value: T",
     output = "handle: resource",
     attr = "T: type",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct GetSessionHandleV2;

/// The tensor of a handle. One that the session does not have, or of another dtype, is an error.
#[op("GetSessionTensor",
     input = "handle: string",
     output = "value: dtype",
     attr = "dtype: type",
     stateful,
     no_gradient,
     shape = one_handle)]
pub struct GetSessionTensor;

/// Lets the tensor of a handle go. One that the session does not have is an error.
#[op("DeleteSessionTensor", input = "handle: string", stateful, no_gradient, shape = one_handle)]
pub struct DeleteSessionTensor;

/// A handle in input 0.
fn one_handle(context: &mut ShapeContext<'_>) -> Result<()> {
    context.with_rank(0, 0)?;
    Ok(())
}
