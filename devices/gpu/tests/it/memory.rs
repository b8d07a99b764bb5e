//! The device's memory: limits, what is said where it runs out, and that everything goes back.

use std::collections::BTreeMap;
use std::sync::Arc;

use oplink::device::copy_to_host_blocking;
use oplink::{Code, DType, Result, Shape, Tensor};
use oplink_core::{Device, DeviceOptions};
use oplink_device_gpu::VulkanContext;

use crate::support::{context, gpu, gpu_with};

const MIB: usize = 1 << 20;

/// Bytes that the device has of its GPU.
fn reserved(device: &Arc<dyn Device>) -> usize {
    device.memory_statistics().reserved
}

fn limited(allow_growth: bool) -> Arc<dyn Device> {
    gpu_with(&DeviceOptions { memory_limit: Some(8 * MIB), allow_growth, ..DeviceOptions::default() })
}

#[test]
fn what_it_tells_of_itself() {
    let device = gpu();
    let attributes = device.attributes();
    assert_eq!(attributes.name, "/job:localhost/replica:0/task:0/device:GPU:0");
    assert_eq!((device.name(), device.device_type()), (attributes.name.as_str(), "GPU"));
    assert!(attributes.memory_limit >= 64 << 20, "{attributes:?}");
    let interfaces = [" by Vulkan, driver ", " by CUDA, compute capability "];
    assert!(interfaces.iter().any(|interface| attributes.description.contains(interface)), "{attributes:?}");
    assert_eq!(limited(true).attributes().memory_limit, 8 << 20);
}

#[test]
fn memory_that_runs_out_is_an_error_and_the_device_goes_on() -> Result<()> {
    let device = limited(true);
    let context = context(&device);
    let bytes = |count: usize| Shape::new(&[count]);
    let large = context.allocate_for("dense/kernel", DType::UInt8, bytes(5 * MIB))?;
    let small = context.allocate_for("bias", DType::UInt8, bytes(MIB))?;
    let refused = context.allocate_for("logits", DType::Float, bytes(MIB)).expect_err("no room");
    assert_eq!(refused.code(), Code::ResourceExhausted);
    let message = refused.to_string();
    for part in [
        "GPU:0 is out of memory: 4194304 bytes were asked for by `logits`",
        "of a limit of 8388608",
        "the largest users are `dense/kernel` with 5242880, `bias` with 1048576",
    ] {
        assert!(message.contains(part), "{message}");
    }
    drop(large);
    let logits = context.allocate_for("logits", DType::Float, bytes(MIB))?;
    drop((small, logits));
    context.synchronize()
}

#[test]
fn copies_on_their_way_to_the_host_make_room() -> Result<()> {
    let device = limited(true);
    let context = context(&device);
    let host = Tensor::zeros(DType::UInt8, Shape::new(&[3 * MIB]))?;
    for _ in 0..20 {
        let there = context.copy_to_device(&host)?;
        context.copy_to_host(&there, Box::new(|copied| assert!(copied.is_ok())));
    }
    context.synchronize()
}

#[test]
fn without_growth_all_is_held_at_once() -> Result<()> {
    let device = limited(false);
    let there = context(&device).copy_to_device(&Tensor::from_slice(&[1.0_f32]))?;
    let statistics = device.memory_statistics();
    assert_eq!((statistics.reserved, statistics.limit), (8 * MIB, Some(8 * MIB)));
    assert_eq!(copy_to_host_blocking(&**context(&device), &there)?.as_slice::<f32>()?, [1.0]);
    Ok(())
}

#[test]
fn everything_goes_back() -> Result<()> {
    let device = gpu();
    let context = context(&device);
    let tensors: Vec<Tensor> = (0..20)
        .map(|_| context.copy_to_device(&Tensor::zeros(DType::Float, Shape::new(&[MIB]))?))
        .collect::<Result<_>>()?;
    let copies = tensors.iter().map(|tensor| context.copy_in_device(tensor)).collect::<Result<Vec<_>>>()?;
    assert!(reserved(&device) >= 40 * 4 * MIB, "{}", reserved(&device));
    drop((tensors, copies));
    assert_eq!(device.memory_statistics().in_use, 0);
    device.release_unused_memory();
    assert_eq!(reserved(&device), 0);
    if let Some(vulkan) = context.as_any().downcast_ref::<VulkanContext>() {
        assert_eq!(vulkan.counts().regions, 0);
    }
    Ok(())
}

#[test]
fn a_tensor_may_outlive_its_device() -> Result<()> {
    let device = gpu();
    let there = context(&device).copy_to_device(&Tensor::from_slice(&[1.0_f32, 2.0]))?;
    let watched = Arc::downgrade(context(&device));
    drop(device);
    assert!(watched.upgrade().is_none());
    assert_eq!(there.num_elements(), 2);
    drop(there);
    Ok(())
}

#[test]
fn options_choose_devices() {
    let none = DeviceOptions { count: BTreeMap::from([("GPU".to_owned(), 0)]), ..DeviceOptions::default() };
    assert!((oplink_device_gpu::FACTORY.create)(&none).expect("no error").is_empty());
    let hidden = DeviceOptions { visible: BTreeMap::from([("GPU".to_owned(), vec![])]), ..DeviceOptions::default() };
    assert!((oplink_device_gpu::FACTORY.create)(&hidden).expect("no error").is_empty());
    let absent = DeviceOptions { visible: BTreeMap::from([("GPU".to_owned(), vec![99])]), ..DeviceOptions::default() };
    let refused = (oplink_device_gpu::FACTORY.create)(&absent).err().expect("an error").to_string();
    assert!(refused.contains("the visible devices of type GPU name number 99"), "{refused}");
}
