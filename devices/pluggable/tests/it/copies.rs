//! Copies between host and device and within the device.

use std::sync::Arc;

use oplink_api::device::copy_to_host_blocking;
use oplink_api::{DType, ErrorKind, Shape, Tensor};
use oplink_core::Device;

use crate::plugin::{World, context, device_of, own};

fn back(device: &Arc<dyn Device>, tensor: &Tensor) -> Tensor {
    copy_to_host_blocking(&**context(device), tensor).unwrap()
}

#[track_caller]
fn round_trip(device: &Arc<dyn Device>, tensor: &Tensor) {
    let on_device = context(device).copy_to_device(tensor).unwrap();
    assert!(on_device.is_on_device());
    assert_eq!(on_device.device_memory().unwrap().block.device(), device.name());
    assert_eq!(on_device.as_bytes().unwrap_err().kind(), ErrorKind::DeviceMemory);
    let copy = context(device).copy_in_device(&on_device).unwrap();
    drop(on_device);
    let returned = back(device, &copy);
    assert_eq!((returned.dtype(), returned.shape()), (tensor.dtype(), tensor.shape()));
    assert_eq!(returned.as_bytes().unwrap(), tensor.as_bytes().unwrap());
}

fn tensors() -> Vec<Tensor> {
    let numbers: Vec<f32> = (0..5000).map(|i| i as f32 * 0.5 - 7.0).collect();
    vec![
        Tensor::scalar(3.5_f32),
        Tensor::from_slice(&[true, false, true]),
        Tensor::from_vec([2, 3], vec![1_i64, -2, 3, i64::MIN, 5, 6]).unwrap(),
        Tensor::zeros(DType::Float, [0, 4]).unwrap(),
        Tensor::from_vec([50, 100], numbers).unwrap(),
        Tensor::from_slice(&[1.0_f64, f64::NAN]),
        Tensor::from_slice(&vec![9_u8; 70_001]),
    ]
}

#[test]
fn values_come_back_as_they_went() {
    let (world, device) = device_of(|_| ());
    for _ in 0..3 {
        tensors().iter().for_each(|tensor| round_trip(&device, tensor));
    }
    assert!(world.calls("memcpy_htod") > 0 && world.calls("memcpy_dtoh") > 0 && world.calls("memcpy_dtod") > 0);
    assert!(world.calls("host_callback") > 0 && world.calls("create_stream_dependency") > 0);
    assert_eq!(world.calls("sync_memcpy_htod") + world.calls("sync_memcpy_dtoh"), 0);
    assert_eq!(world.calls("synchronize_all_activity"), 0);
    drop(device);
    world.check_nothing_is_left();
}

#[test]
fn slices_are_copied_from_their_offset() {
    let (world, device) = device_of(|_| ());
    let host = Tensor::from_vec([4, 2], (0..8).collect::<Vec<i32>>()).unwrap();
    let rows = context(&device).copy_to_device(&host).unwrap().slice(1, 3).unwrap();
    assert_eq!(back(&device, &rows).as_slice::<i32>().unwrap(), [2, 3, 4, 5]);
    drop((rows, device));
    world.check_nothing_is_left();
}

/// The ways that a plugin which cannot do everything is served.
#[test]
fn copies_work_without_pinned_memory_callbacks_and_asynchronous_copies() {
    let cases: [(&str, fn(&mut World)); 6] = [
        ("no pinned memory", |world| world.pinned = 0),
        ("little pinned memory", |world| world.pinned = 16 << 10),
        ("no calls back", |world| world.calls_back = false),
        ("calls back that never come", |world| world.forgets_to_call = true),
        ("no block_host_until_done", |world| world.omitted.extend(["block_host_until_done"])),
        ("no asynchronous copies", |world| {
            ["memcpy_htod", "memcpy_dtoh", "memcpy_dtod"].into_iter().for_each(|name| world.fail(name, usize::MAX, 12));
        }),
    ];
    for (name, change) in cases {
        let (world, device) = device_of(change);
        tensors().iter().for_each(|tensor| round_trip(&device, tensor));
        context(&device).synchronize().unwrap();
        drop(device);
        assert!(world.calls("allocate") > 0, "{name}");
        world.check_nothing_is_left();
    }
}

#[test]
fn what_is_not_in_the_devices_memory_is_refused() {
    let (world, device) = device_of(|world| world.device_count = 2);
    let devices = world.devices().unwrap();
    let host = Tensor::from_slice(&[1, 2, 3]);
    let elsewhere = context(&devices[1]).copy_to_device(&host).unwrap();
    for tensor in [&host, &elsewhere] {
        let error = context(&device).copy_in_device(tensor).unwrap_err();
        assert!(error.to_string().contains("device:TESTED:0: a int32 tensor of shape [3] lies in"), "{error}");
        assert!(copy_to_host_blocking(&**context(&device), tensor).is_err());
    }
    let text = Tensor::from("text");
    assert!(context(&device).copy_to_device(&text).is_err());
    assert!(context(&device).allocate(DType::String, Shape::scalar()).is_err());
    assert_eq!(context(&device).copy_to_device(&elsewhere).unwrap_err().kind(), ErrorKind::DeviceMemory);
    drop((elsewhere, devices, device));
    world.check_nothing_is_left();
}

#[test]
fn fills_and_timers() {
    use oplink_device_pluggable::Fill;
    let (world, device) = device_of(|_| ());
    let tensor = context(&device).copy_to_device(&Tensor::from_slice(&[1_u32, 2, 3])).unwrap();
    let elapsed = own(&device).time(|| own(&device).fill(&tensor, Fill::Word(0x0102_0304))).unwrap();
    assert!(elapsed.as_secs() < 60);
    assert_eq!(back(&device, &tensor).as_slice::<u32>().unwrap(), [0x0102_0304; 3]);
    own(&device).fill(&tensor.slice(1, 2).unwrap(), Fill::Byte(0xFF)).unwrap();
    assert_eq!(back(&device, &tensor).as_slice::<u32>().unwrap(), [0x0102_0304, u32::MAX, 0x0102_0304]);
    own(&device).fill(&tensor, Fill::Zero).unwrap();
    assert_eq!(back(&device, &tensor).as_slice::<u32>().unwrap(), [0; 3]);
    let three = context(&device).copy_to_device(&Tensor::from_slice(&[1_u8, 2, 3])).unwrap();
    assert!(own(&device).fill(&three, Fill::Word(1)).is_err());
    drop((tensor, three, device));
    world.check_nothing_is_left();

    let (_, device) = device_of(|world| world.omitted.extend(["create_timer_fns"]));
    let error = own(&device).time(|| Ok(())).unwrap_err();
    assert!(error.to_string().contains("the platform TEST_PLATFORM has no create_timer_fns"), "{error}");
}
