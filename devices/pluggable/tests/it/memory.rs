//! Device memory: limits, what happens when it runs out, statistics.

use oplink_api::device::copy_to_host_blocking;
use oplink_api::{Code, DType, Tensor};
use oplink_core::DeviceOptions;

use crate::plugin::{World, context, device_of, enqueue};

const MIB: usize = 1 << 20;

#[test]
fn memory_that_runs_out_is_an_error_with_request_and_limit() {
    for divides_memory in [false, true] {
        let (world, device) = device_of(|world| (world.memory, world.divides_memory) = (4 * MIB, divides_memory));
        assert_eq!(device.attributes().memory_limit, 4 * MIB as u64);
        let held = context(&device).allocate_for("holder", DType::UInt8, [3 * MIB].into()).unwrap();
        let error = context(&device).allocate_for("asker", DType::UInt8, [2 * MIB].into()).unwrap_err();
        assert_eq!(error.code(), Code::ResourceExhausted);
        for part in ["device:TESTED:0", "asker", "2097152", "4194304"] {
            assert!(error.to_string().contains(part), "{part:?} is not in: {error}");
        }
        drop(held);
        drop(context(&device).allocate(DType::UInt8, [3 * MIB].into()).unwrap());
        drop(device);
        world.check_nothing_is_left();
    }
}

/// The request that does not fit waits for what is in flight, and is served.
#[test]
fn memory_in_flight_is_waited_for_before_a_request_fails() {
    let (world, device) = device_of(|world| world.memory = 4 * MIB);
    for _ in 0..4 {
        let tensor = context(&device).copy_to_device(&Tensor::from_slice(&vec![7_u8; 3 * MIB])).unwrap();
        enqueue(context(&device).stream(), || std::thread::sleep(std::time::Duration::from_millis(20)));
        context(&device).copy_to_host(&tensor, Box::new(|copied| drop(copied.unwrap())));
    }
    drop(device);
    world.check_nothing_is_left();
}

#[test]
fn an_allocation_that_the_plugin_refuses_is_an_error_and_the_next_one_works() {
    let (world, device) = device_of(|_| ());
    world.fail("allocate", 2, 8);
    let error = context(&device).allocate(DType::Float, [10].into()).unwrap_err();
    assert_eq!(error.code(), Code::ResourceExhausted, "{error}");
    drop(context(&device).allocate(DType::Float, [10].into()).unwrap());
    drop(device);
    world.check_nothing_is_left();
}

#[test]
fn unified_memory_serves_where_the_devices_own_has_run_out() {
    let (world, device) = device_of(|world| world.has_unified_memory = true);
    world.fail("allocate", 2, 8);
    let host = Tensor::from_slice(&[4, 5, 6]);
    let tensor = context(&device).copy_to_device(&host).unwrap();
    assert_eq!(world.alive("unified"), 1);
    let back = copy_to_host_blocking(&**context(&device), &tensor).unwrap();
    assert_eq!(back.as_slice::<i32>().unwrap(), [4, 5, 6]);
    drop((tensor, device));
    assert_eq!(world.calls("unified_memory_allocate"), 1);
    world.check_nothing_is_left();
}

#[test]
fn options_bound_devices_and_memory() {
    let world = World::new(|world| world.device_count = 3);
    let platform = world.open().unwrap();
    let mut options = DeviceOptions { memory_fraction: 0.5, ..DeviceOptions::default() };
    options.visible.insert("TESTED".to_owned(), vec![2, 0]);
    let devices = platform.create_devices(&options).unwrap();
    let names: Vec<&str> = devices.iter().map(|device| device.name()).collect();
    assert_eq!(
        names,
        ["/job:localhost/replica:0/task:0/device:TESTED:0", "/job:localhost/replica:0/task:0/device:TESTED:1"]
    );
    assert_eq!(devices[0].attributes().memory_limit as usize, world.memory / 2);
    options.visible.insert("TESTED".to_owned(), vec![3]);
    assert!(platform.create_devices(&options).is_err());
    drop((devices, platform));
    world.check_nothing_is_left();
}

#[test]
fn a_device_tells_what_it_is() {
    let (world, device) = device_of(|_| ());
    let attributes = device.attributes();
    assert_eq!((attributes.device_type.as_str(), attributes.locality), ("TESTED", 1));
    assert_eq!(
        attributes.description,
        "name: Test Device, vendor: Nobody, pci bus id: 0000:00:02.1, memory bandwidth: 1073741824 bytes/s"
    );
    let tensor = context(&device).allocate(DType::Float, [1000].into()).unwrap();
    let statistics = device.memory_statistics();
    assert!(statistics.in_use >= 4000 && statistics.reserved >= statistics.in_use, "{statistics:?}");
    drop(tensor);
    context(&device).synchronize().unwrap();
    device.release_unused_memory();
    assert_eq!(device.memory_statistics().in_use, 0);
    drop(device);
    world.check_nothing_is_left();
}
