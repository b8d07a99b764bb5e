//! A GPU of a test's own, and programs for it.

use std::sync::Arc;

use oplink::descriptors::Location;
use oplink::device::{DeviceContext, DeviceProgram, ProgramFeature, ProgramParam};
use oplink::{Code, Error};
use oplink_core::{Device, DeviceOptions};

/// Where the tests' programs are.
pub(crate) const LOCATION: Location =
    Location { crate_name: "tests", crate_version: "1.0.0", file: "tests/it/support.rs", line: 7 };

/// A new device of the first GPU.
#[track_caller]
pub(crate) fn gpu_with(options: &DeviceOptions) -> Arc<dyn Device> {
    let made = (oplink_device_gpu::FACTORY.create)(options).expect("the GPUs");
    made.into_iter()
        .next()
        .expect("no GPU was found; Mesa's software driver is one: install mesa-vulkan-drivers and libvulkan1")
}

/// A new device of the first GPU, with default options.
#[track_caller]
pub(crate) fn gpu() -> Arc<dyn Device> {
    gpu_with(&DeviceOptions::default())
}

/// The device's queue.
#[track_caller]
pub(crate) fn context(device: &Arc<dyn Device>) -> &Arc<dyn DeviceContext> {
    device.context().expect("a device with memory of its own")
}

/// A program of WGSL.
pub(crate) const fn program(
    wgsl: &'static str,
    params: &'static [ProgramParam],
    needs: &'static [ProgramFeature],
) -> DeviceProgram {
    DeviceProgram {
        name: "Test by main (T=float)",
        entry: "main",
        cuda: "",
        wgsl,
        params,
        block: [64, 1, 1],
        needs,
        location: LOCATION,
    }
}

/// The code of an error, and what its text has in it.
#[track_caller]
pub(crate) fn check_message(error: &Error, code: Code, parts: &[&str]) {
    assert_eq!(error.code(), code, "{error}");
    let message = error.to_string();
    parts.iter().for_each(|part| assert!(message.contains(part), "no `{part}` in:\n{message}"));
}
