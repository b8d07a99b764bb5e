//! Whether a call runs on a client's device. A resource on one decides, then the device that the call asks for, then
//! other inputs; a device may decide for itself about calls with inputs on it.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::sync::Arc;

use oplink_abi::TFE_Op;
use oplink_api::{DType, Error, Result};

use super::{CustomDevice, device_of};
use crate::eager::EagerOp;

/// The client's device that a call runs on; `None` for one of the process.
///
/// # Errors
/// Inputs are on several clients' devices.
///
/// # Safety
/// `handle` is the call's, and nobody changes the call meanwhile.
pub(in crate::eager) unsafe fn device_for(op: &EagerOp, handle: *const TFE_Op) -> Result<Option<Arc<CustomDevice>>> {
    let Some(of_inputs) = device_of_inputs(op)? else { return Ok(op.custom.clone()) };
    // SAFETY: the call is alive and stays as it is (Safety section).
    match unsafe { of_inputs.shall_pin(handle) } {
        Some(true) => return Ok(Some(of_inputs.clone())),
        // The device that was asked for still stands.
        Some(false) => return Ok(op.custom.clone()),
        None => {}
    }
    let resource = op.inputs.iter().find(|input| input.dtype() == DType::Resource);
    Ok(match (resource, &op.custom) {
        (Some(resource), _) if device_of(resource).is_some() => Some(of_inputs.clone()),
        (Some(_), asked) | (None, asked @ Some(_)) => asked.clone(),
        (None, None) if op.asks_for_a_device() => None,
        (None, None) => Some(of_inputs.clone()),
    })
}

/// The one client's device that has inputs.
fn device_of_inputs(op: &EagerOp) -> Result<Option<&Arc<CustomDevice>>> {
    let mut found: Option<&Arc<CustomDevice>> = None;
    for device in op.inputs.iter().filter_map(|input| device_of(input)) {
        match found {
            Some(other) if !Arc::ptr_eq(other, device) => {
                return Err(Error::invalid_argument(format!(
                    "op {} has inputs on the devices {} and {}, each of which sees its own tensors only: copy them to one",
                    op.spec.name,
                    other.name().to_string_lossy(),
                    device.name().to_string_lossy()
                )));
            }
            _ => found = Some(device),
        }
    }
    Ok(found)
}
