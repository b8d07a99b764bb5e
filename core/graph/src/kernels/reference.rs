//! Reading what a reference refers to.

use oplink_api::{Code, Error, ErrorKind, NodeInfo, ResourceHandle, Result, Tensor};

/// The value of the variable behind a handle.
///
/// # Errors
/// The variable has no value; the handle is of something else.
pub(crate) fn dereference(handle: &Tensor) -> Result<Tensor> {
    let handles = handle.as_slice::<ResourceHandle>()?;
    let handle = handles.first().ok_or_else(|| Error::invalid_argument("a reference holds no handle"))?;
    let resource = handle.any().ok_or_else(|| uninitialised(handle))?;
    resource.referent().unwrap_or_else(|| {
        let message = format!("the reference {handle} is to a {}, which has no value to read", resource.type_name());
        Err(Error::invalid_argument(message))
    })
}

/// Replaces the references among a node's inputs that it takes as values.
///
/// # Errors
/// As [`dereference`], with the node.
#[cold]
pub(crate) fn dereference_inputs(node: &NodeInfo, inputs: &mut [Tensor]) -> Result<()> {
    for (index, input) in inputs.iter_mut().enumerate() {
        let wanted = node.input_dtypes[index];
        if input.dtype() == oplink_api::DType::Resource && wanted != input.dtype() && !node.is_ref_input(index) {
            *input = dereference(input).map_err(|error| {
                error.context(format!("input {index} of node `{}` (op {})", node.name, node.op.name))
            })?;
        }
    }
    Ok(())
}

#[cold]
fn uninitialised(handle: &ResourceHandle) -> Error {
    let message = format!("the variable {handle} has no value yet: run what initialises it before what reads it");
    Error::new(Code::FailedPrecondition, ErrorKind::InvalidArgument, message)
}
