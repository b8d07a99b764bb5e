//! Several devices and platforms, and the order in which everything ends.

use oplink_api::Tensor;
use oplink_api::device::copy_to_host_blocking;

use crate::plugin::{World, context};

#[test]
fn devices_of_a_platform_have_memory_and_streams_of_their_own() {
    let world = World::new(|world| world.device_count = 3);
    let devices = world.devices().unwrap();
    assert_eq!((world.alive("device"), world.alive("stream"), world.alive("stream_executor")), (3, 9, 1));
    let tensors: Vec<Tensor> = devices
        .iter()
        .zip(0_i32..)
        .map(|(device, value)| context(device).copy_to_device(&Tensor::from_slice(&[value; 5])).unwrap())
        .collect();
    for ((device, tensor), value) in devices.iter().zip(&tensors).zip(0_i32..) {
        assert_eq!(copy_to_host_blocking(&**context(device), tensor).unwrap().as_slice::<i32>().unwrap(), [value; 5]);
    }
    drop((tensors, devices));
    world.check_nothing_is_left();
}

#[test]
fn platforms_stand_side_by_side() {
    let one = World::new(|_| ());
    let other = World::new(|world| (world.device_type, world.name) = (c"OTHER", c"OTHER_PLATFORM"));
    let (first, second) = (one.devices().unwrap(), other.devices().unwrap());
    assert_eq!((first[0].device_type(), second[0].device_type()), ("TESTED", "OTHER"));
    let tensor = context(&first[0]).copy_to_device(&Tensor::from_slice(&[1, 2])).unwrap();
    let host = copy_to_host_blocking(&**context(&first[0]), &tensor).unwrap();
    let there = context(&second[0]).copy_to_device(&host).unwrap();
    assert!(context(&second[0]).copy_in_device(&tensor).is_err());
    drop(first);
    let back = copy_to_host_blocking(&**context(&second[0]), &there).unwrap();
    assert_eq!(back.as_slice::<i32>().unwrap(), [1, 2]);
    drop((tensor, there, second));
    one.check_nothing_is_left();
    other.check_nothing_is_left();
}

/// Memory first, streams before their device, the device before what the platform lends it, the platform last.
#[test]
fn everything_ends_in_order() {
    let world = World::new(|_| ());
    let devices = world.devices().unwrap();
    let tensor = context(&devices[0]).copy_to_device(&Tensor::from_slice(&[1, 2])).unwrap();
    copy_to_host_blocking(&**context(&devices[0]), &tensor).unwrap();
    drop((tensor, devices));
    world.check_nothing_is_left();
    let order = world.order_of_ends();
    let last = |what: &str| order.iter().rposition(|ended| *ended == what).unwrap_or_else(|| panic!("no {what}"));
    let first = |what: &str| order.iter().position(|ended| *ended == what).unwrap_or_else(|| panic!("no {what}"));
    for (before, after) in [
        ("memory", "stream"),
        ("event", "stream"),
        ("host_memory", "stream"),
        ("stream", "device"),
        ("device", "stream_executor"),
        ("device", "device_fns"),
        ("device", "timer_fns"),
        ("stream_executor", "platform"),
        ("platform", "platform_fns"),
    ] {
        assert!(last(before) < first(after), "{before} before {after}: {order:?}");
    }
}

/// A tensor that outlives its device's context keeps the device.
#[test]
fn a_tensor_keeps_its_device() {
    let world = World::new(|_| ());
    let devices = world.devices().unwrap();
    let tensor = context(&devices[0]).copy_to_device(&Tensor::from_slice(&[1, 2])).unwrap();
    drop(devices);
    assert_eq!((world.alive("memory"), world.alive("device"), world.alive("platform")), (1, 1, 1));
    drop(tensor);
    world.check_nothing_is_left();
}
