//! The CPU device as hosts use it: found among the linked devices, memory reused, work spread over threads.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use oplink_api::{DType, Shape, Tensor};
use oplink_core::{Device, DeviceOptions, IntraOpPool, device_of_type, devices, devices_with};
use oplink_device_cpu::CpuDevice;

#[test]
fn the_linked_device_is_found_by_type() {
    let device = device_of_type(oplink_device_cpu::CPU).unwrap();
    assert_eq!(device.name(), "/job:localhost/replica:0/task:0/device:CPU:0");
    assert_eq!(devices().unwrap().len(), 1);
    let error = device_of_type("GPU").err().unwrap();
    assert_eq!(
        error.message(),
        "no device of type GPU is linked into this binary (there are: CPU); link the crate that has it"
    );
}

#[test]
fn there_are_as_many_devices_as_the_options_want() {
    let count = [(oplink_device_cpu::CPU.to_owned(), 2)].into();
    let devices = devices_with(&DeviceOptions { count, ..DeviceOptions::default() }).unwrap();
    let names: Vec<&str> = devices.iter().map(|device| device.name()).collect();
    let of_index = |index: usize| format!("/job:localhost/replica:0/task:0/device:CPU:{index}");
    assert_eq!(names, [of_index(0), of_index(1)]);
    let (one, other) = (devices[0].attributes(), devices[1].attributes());
    assert_eq!((one.name.as_str(), one.device_type.as_str(), one.memory_limit), (names[0], "CPU", 256 << 20));
    assert_ne!(one.incarnation, other.incarnation);
    assert!(devices[0].context().is_none() && devices[0].env().device().is_none());
}

#[test]
fn memory_of_a_dropped_tensor_is_reused() {
    let device = CpuDevice::with_pool(1, Arc::new(IntraOpPool::new(1).unwrap()));
    let make = || Tensor::allocate(DType::Float, Shape::from([1 << 16]), device.env().allocator()).unwrap();
    let first = make().as_ptr().addr();
    let reserved = device.memory_statistics().reserved;
    let second = make();
    assert_eq!(second.as_ptr().addr(), first);
    let statistics = device.memory_statistics();
    assert_eq!((statistics.in_use, statistics.reserved), (1 << 18, reserved));
    drop(second);
    device.release_unused_memory();
    assert_eq!(device.memory_statistics().reserved, 0);
}

#[test]
fn ranges_cover_the_work_once_on_several_threads() {
    let pool = Arc::new(IntraOpPool::new(3).unwrap());
    let device = CpuDevice::with_pool(2, pool.clone());
    for (count, grain) in [(0, 1), (1, 1), (7, 3), (1000, 1), (1000, 400), (5, 100)] {
        let ranges = Mutex::new(BTreeSet::new());
        device.env().parallel_for(count, grain, &|range| {
            ranges.lock().unwrap().insert((range.start, range.end));
        });
        let ranges = ranges.into_inner().unwrap();
        let mut next = 0;
        for &(start, end) in &ranges {
            assert_eq!(start, next, "{count} by {grain}: {ranges:?}");
            assert!(end - start >= grain.min(count), "{count} by {grain}: {ranges:?}");
            next = end;
        }
        assert_eq!(next, count);
    }
    assert_eq!(device.env().intra_op_threads(), 3);
    assert_eq!(device.env_with_threads(&pool, 1).intra_op_threads(), 1);
}
