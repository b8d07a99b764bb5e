//! Tensors transferred into another memory: the host's, or a device's.

use std::sync::Arc;
#[cfg(feature = "eager")]
use std::sync::mpsc::sync_channel;
#[cfg(feature = "eager")]
use std::time::Duration;

use oplink_api::device::{DeviceContext, copy_to_host_blocking};
#[cfg(feature = "eager")]
use oplink_api::{Code, ErrorKind};
use oplink_api::{Error, Result, Tensor};

/// The value in the memory of `target`: itself where it is there; from another device's memory by way of the host.
///
/// # Errors
/// The copy's; the value lies in the memory of a device that is none of `contexts`.
pub(crate) fn transfer_to_device(
    value: Tensor,
    target: &Arc<dyn DeviceContext>,
    contexts: &[Arc<dyn DeviceContext>],
) -> Result<Tensor> {
    match value.device_memory() {
        Some(memory) if memory.block.device() == target.device() => Ok(value),
        _ => target.copy_to_device(&transfer_to_host(value, contexts)?),
    }
}

/// The value in the host's memory, waited for.
///
/// # Errors
/// As [`transfer_to_device`].
pub(crate) fn transfer_to_host(value: Tensor, contexts: &[Arc<dyn DeviceContext>]) -> Result<Tensor> {
    match value.device_memory() {
        None => Ok(value),
        Some(memory) => copy_to_host_blocking(&**context_of(contexts, memory.block.device())?, &value),
    }
}

/// As [`transfer_to_host`], waited for no longer than so long.
///
/// # Errors
/// As [`transfer_to_host`]; `DeadlineExceeded` where the copy does not end in time. It goes on.
#[cfg(feature = "eager")]
pub(crate) fn transfer_to_host_within(
    value: Tensor,
    contexts: &[Arc<dyn DeviceContext>],
    longest: Duration,
) -> Result<Tensor> {
    let Some(memory) = value.device_memory() else { return Ok(value) };
    let device = context_of(contexts, memory.block.device())?;
    let (sender, receiver) = sync_channel(1);
    device.copy_to_host(&value, Box::new(move |copied| drop(sender.send(copied))));
    receiver.recv_timeout(longest).unwrap_or_else(|_| {
        let message = format!(
            "a {} tensor of shape {} did not arrive from {} within {} ms: give it more time or find what its stream waits for",
            value.dtype(),
            value.shape(),
            device.device(),
            longest.as_millis()
        );
        Err(Error::new(Code::DeadlineExceeded, ErrorKind::Cancelled, message))
    })
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
