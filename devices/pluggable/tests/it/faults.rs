//! Failures: who gets the error, what it says, that it comes once, and that the next step is right.

use std::sync::Arc;

use oplink_api::device::copy_to_host_blocking;
use oplink_api::{Code, Result, Tensor};
use oplink_core::Device;

use crate::plugin::{World, context, device_of};

/// A step: a tensor to the device, a copy there, and back.
fn step(device: &Arc<dyn Device>) -> Result<Tensor> {
    let tensor = context(device).copy_to_device(&Tensor::from_slice(&[1, 2, 3]))?;
    let copy = context(device).copy_in_device(&tensor)?;
    let back = copy_to_host_blocking(&**context(device), &copy)?;
    context(device).synchronize()?;
    Ok(back)
}

#[track_caller]
fn check_next_step_is_right(world: &Arc<World>, device: Arc<dyn Device>, name: &str) {
    let result = step(&device).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(result.as_slice::<i32>().unwrap(), [1, 2, 3], "{name}");
    drop(device);
    world.check_nothing_is_left();
}

/// A callback that fails at once: its caller gets the error, with device, callback, and what the plugin said.
#[test]
fn a_failing_callback_is_told_to_its_caller() {
    let callbacks = [
        "create_stream_dependency",
        "memcpy_htod",
        "memcpy_dtod",
        "memcpy_dtoh",
        "create_event",
        "record_event",
        "wait_for_event",
        "block_host_until_done",
    ];
    for name in callbacks {
        let (world, device) = device_of(|_| ());
        world.fail(name, 1, 13);
        let error = step(&device).unwrap_err();
        assert_eq!(error.code(), Code::Internal, "{name}: {error}");
        let parts = ["device:TESTED:0", &format!("{name} failed"), &format!("{name} was told to fail")];
        parts.iter().for_each(|part| assert!(error.to_string().contains(part), "{part:?} is not in: {error}"));
        check_next_step_is_right(&world, device, name);
    }
}

/// Work that fails when the stream gets to it: the step's result is the error, once.
#[test]
fn work_that_fails_later_is_told_once() {
    for (name, said) in [
        ("memcpy_htod", "copying a int32 tensor of shape [3] to the device failed"),
        ("memcpy_dtod", "memcpy_dtod failed in its stream"),
        ("memcpy_dtoh", "copying a int32 tensor of shape [3] to the host failed"),
    ] {
        let (world, device) = device_of(|_| ());
        world.fault(name, 1);
        let error = step(&device).unwrap_err();
        assert!(error.to_string().contains("device:TESTED:0"), "{name}: {error}");
        assert!(error.to_string().contains(said), "{name}: {error}");
        check_next_step_is_right(&world, device, name);
    }
}

#[test]
fn a_failure_that_nobody_waited_for_is_told_by_synchronize_once() {
    let (world, device) = device_of(|_| ());
    world.fault("memcpy_htod", 1);
    drop(context(&device).copy_to_device(&Tensor::from_slice(&[1, 2, 3])).unwrap());
    let error = context(&device).synchronize().unwrap_err();
    assert!(error.to_string().contains("to the device failed"), "{error}");
    context(&device).synchronize().unwrap();
    check_next_step_is_right(&world, device, "synchronize");
}

#[test]
fn a_stream_that_tells_of_a_failure_is_heard() {
    let (world, device) = device_of(|_| ());
    world.fail("get_stream_status", 1, 14);
    let error = step(&device).unwrap_err();
    assert_eq!(error.code(), Code::Unavailable, "{error}");
    assert!(error.to_string().contains("get_stream_status was told to fail"), "{error}");
    assert!(error.to_string().contains("stream"), "{error}");
    check_next_step_is_right(&world, device, "get_stream_status");
}

/// A bool tensor of other bytes than 0 and 1 is no value that the host may see.
#[test]
fn bytes_that_are_no_values_are_an_error() {
    let (world, device) = device_of(|_| ());
    let tensor = context(&device).allocate(oplink_api::DType::Bool, [4].into()).unwrap();
    assert!(copy_to_host_blocking(&**context(&device), &tensor).unwrap_err().to_string().contains("0 or 1"));
    drop(tensor);
    check_next_step_is_right(&world, device, "bool");
}
