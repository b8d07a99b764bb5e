//! The suite on each device, with what it is declared not to pass.

use oplink_device_tests::{Expected, devices_of_type, run, sim};

fn check(device_type: &str) {
    let report = run(&devices_of_type(device_type).unwrap()).unwrap();
    let unexpected = Expected::of(&report.kind).check(&report);
    assert!(unexpected.is_empty(), "{unexpected}");
}

#[test]
fn cpu() {
    check("CPU");
}

#[test]
fn null() {
    check("NULL");
}

#[test]
fn simulated() {
    let _undisturbed = sim::undisturbed();
    check("SIM");
}

/// By Vulkan, or by CUDA where there is a driver.
#[test(Gpu)]
fn gpu() {
    check("GPU");
}
