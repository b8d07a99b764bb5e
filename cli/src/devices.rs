//! Devices by name. Drivers of GPUs are asked where a GPU may be meant, and else left alone.

use std::sync::Arc;

use oplink::runtime::{Device, DeviceName, DeviceOptions, devices, devices_with};
use oplink::{Error, Result};

const GPU: &str = "GPU";

/// The devices among which those of this type are.
pub(crate) fn listed(device_type: Option<&str>) -> Result<Vec<Arc<dyn Device>>> {
    if device_type.is_none_or(|device_type| device_type.eq_ignore_ascii_case(GPU)) {
        return devices();
    }
    devices_with(&DeviceOptions { count: [(GPU.to_owned(), 0)].into(), ..DeviceOptions::default() })
}

/// The first device that the name means.
pub(crate) fn named(name: &str) -> Result<Arc<dyn Device>> {
    let wanted = DeviceName::parse(name)?;
    let all = listed(wanted.device_type.as_deref())?;
    let means = |device: &&Arc<dyn Device>| DeviceName::parse(device.name()).is_ok_and(|full| wanted.matches(&full));
    all.iter().find(means).cloned().ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|device| device.name()).collect();
        let is_gpu = wanted.device_type.as_deref().is_some_and(|name| name.eq_ignore_ascii_case(GPU));
        let has_gpu = all.iter().any(|device| device.device_type() == GPU);
        let why = if is_gpu && !has_gpu { why_no_gpu() } else { LOAD.to_owned() };
        Error::not_found(format!("no device is called {name}; there are: {}{why}", names.join(", ")))
    })
}

const LOAD: &str = "\nhelp: devices of a plugin are there when it is loaded: --plugin FILE";

#[cfg(feature = "gpu")]
fn why_no_gpu() -> String {
    oplink::device_gpu::why_no_gpu().iter().map(|line| format!("\n- {line}")).collect()
}

#[cfg(not(feature = "gpu"))]
fn why_no_gpu() -> String {
    "\nhelp: this build asks no driver of GPUs: build it with `cargo install oplink-cli --features gpu`".to_owned()
}
