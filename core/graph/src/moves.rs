//! Tensors brought into another memory: the host's, or a device's.

use std::sync::Arc;

use oplink_api::{DeviceContext, Error, Result, Tensor, copy_to_host_blocking};

/// The value in the memory of `target`: itself where it is there; from another device's memory by way of the host.
///
/// # Errors
/// The copy's; the value lies in the memory of a device that is none of `contexts`.
pub(crate) fn brought_to_device(
    value: Tensor,
    target: &Arc<dyn DeviceContext>,
    contexts: &[Arc<dyn DeviceContext>],
) -> Result<Tensor> {
    match value.device_memory() {
        Some(memory) if memory.block.device() == target.device() => Ok(value),
        _ => target.copy_to_device(&brought_to_host(value, contexts)?),
    }
}

/// The value in the host's memory, waited for.
///
/// # Errors
/// As [`brought_to_device`].
pub(crate) fn brought_to_host(value: Tensor, contexts: &[Arc<dyn DeviceContext>]) -> Result<Tensor> {
    match value.device_memory() {
        None => Ok(value),
        Some(memory) => copy_to_host_blocking(&**context_of(contexts, memory.block.device())?, &value),
    }
}

/// The context of the device with a name.
///
/// # Errors
/// It is none of `contexts`.
pub(crate) fn context_of<'c>(
    contexts: &'c [Arc<dyn DeviceContext>],
    device: &str,
) -> Result<&'c Arc<dyn DeviceContext>> {
    contexts.iter().find(|context| context.device() == device).ok_or_else(|| {
        let known: Vec<&str> = contexts.iter().map(|context| context.device()).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        Error::invalid_argument(format!(
            "a tensor lies in the memory of {device}, which is no device here (with memory of their own: {known}): copy it \
             to the host first"
        ))
    })
}
