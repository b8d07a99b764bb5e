//! The suite that every device runs: the cases of the CPU's kernels with TensorFlow's answers, called on a device and
//! compared. What a device does not pass is declared in `../expected`, op by op, and held there: an unexpected failure
//! fails, and so does an unexpected pass.
#![deny(unsafe_code)]

#[allow(dead_code, reason = "shared with the tests of the kernels, which use more of it")]
#[path = "../../../kernels/cpu/tests/it/case.rs"]
mod case;
mod expected;
mod outcome;
mod programs;
mod run;
pub mod sim;
mod sources;
mod table;

use std::sync::Arc;

use oplink::Result;
use oplink::runtime::{Device, device_of_type, devices};

// The devices and kernels of the suite beside those of `oplink`.
use oplink_device_gpu as _;
use oplink_device_null as _;
oplink::link!(oplink_kernels_gpu);

pub use expected::Expected;
pub use outcome::{Outcome, Reason};
pub use run::{Ran, Report, run};

/// What a device is called in tables and among the files of `expected`: its type, and for a GPU the interface that
/// serves it.
pub fn kind(device: &Arc<dyn Device>) -> String {
    match device.device_type() {
        "GPU" if device.attributes().description.contains("by Vulkan") => "VULKAN".to_owned(),
        "GPU" => "CUDA".to_owned(),
        other => other.to_owned(),
    }
}

/// The devices of a type, one at least; `SIM` is loaded first.
///
/// # Errors
/// There is none, or the plugin cannot be loaded.
pub fn devices_of_type(device_type: &str) -> Result<Vec<Arc<dyn Device>>> {
    if device_type == sim::SIM {
        sim::load()?;
    }
    device_of_type(device_type)?;
    Ok(devices()?.into_iter().filter(|device| device.device_type() == device_type).collect())
}
