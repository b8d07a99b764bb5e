//! What errors of binding tell of the argument.

use std::fmt::Display;

use crate::{Error, ErrorKind, Tensor};

/// Adds which argument was bound, and for one in a device's memory how the kernel gets it on the host.
#[cold]
pub(crate) fn bound(error: Error, role: &str, name: &dyn Display) -> Error {
    let error = error.context(format!("binding {role} `{name}`"));
    match error.kind() {
        ErrorKind::DeviceMemory => error.context(format!(
            "the kernel takes {role} `{name}` on the host: declare `host_memory = [{name}]` to have it there, or take it as \
             a tensor and compute on the device"
        )),
        _ => error,
    }
}

/// For a shape that is unknown at run time: that the values of these inputs were not there to be read.
pub(super) fn inputs_on_device(inputs: &[Tensor]) -> String {
    let on_device = inputs.iter().enumerate().filter(|(_, input)| input.is_on_device());
    let positions: Vec<String> = on_device.map(|(index, _)| index.to_string()).collect();
    match positions.is_empty() {
        true => String::new(),
        false => format!(
            " (inputs {} lie in the device's memory: `host_memory` must name those whose values the shape depends on)",
            positions.join(", ")
        ),
    }
}
