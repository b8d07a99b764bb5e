//! Plugins with devices: loaded with their ops and kernels, all or none.

use std::sync::Arc;

use oplink::device::copy_to_host_blocking;
use oplink::runtime::{Device, PreparedKernel, Registry, device_of_type, devices, node_for_flat_call};
use oplink::{Code, DType, ErrorKind, Runtime, Strictness, Tensor};

use crate::support::folder;

fn build(name: &str, definitions: &[&str]) -> std::path::PathBuf {
    oplink_host_tests::build_with_device(folder(), "device_probe.c", name, definitions)
}

/// The device of the plugin, which is loaded once.
fn toy() -> Arc<dyn Device> {
    let file = build("device_probe", &["PROBE=\"DeviceProbe\""]);
    let info = Runtime::load_plugin(&file).unwrap();
    let platform = info.platform.as_ref().unwrap();
    assert_eq!(
        (platform.name.as_str(), platform.device_type.as_str(), platform.device_count),
        ("OPLINK_TOY", "TOY", 1)
    );
    assert!(info.entry_points.contains(&"SE_InitPlugin"));
    device_of_type("TOY").unwrap()
}

#[test]
fn devices_are_among_those_of_the_process() {
    let toy = toy();
    assert_eq!(toy.name(), "/job:localhost/replica:0/task:0/device:TOY:0");
    assert_eq!(toy.attributes().description, "name: toy, vendor: oplink");
    assert_eq!(devices().unwrap().iter().filter(|device| device.device_type() == "TOY").count(), 1);
    let host = Tensor::from_slice(&[1.5_f32, -2.0]);
    let context = toy.context().unwrap();
    let back = copy_to_host_blocking(&**context, &context.copy_to_device(&host).unwrap()).unwrap();
    assert_eq!(back.as_slice::<f32>().unwrap(), [1.5, -2.0]);
}

#[test]
fn kernels_get_the_devices_stream_and_memory() {
    let toy = toy();
    let context = toy.context().unwrap();
    let registry = Registry::global().unwrap();
    let op = registry.op("DeviceProbe").unwrap();
    let node = node_for_flat_call(op, "probe", toy.name(), &[DType::Float], &[]).unwrap();
    let kernel = PreparedKernel::new(registry, Arc::new(node), "TOY").unwrap();
    let x = context.copy_to_device(&Tensor::from_slice(&[1.5_f32, -2.0, 4.0])).unwrap();
    let mut outputs = [None, None];
    kernel.run(&mut [x.clone()], &mut outputs, toy.env()).unwrap();
    let [Some(y), Some(told)] = outputs else { panic!("two outputs") };
    assert_eq!((y.is_on_device(), told.is_on_device()), (true, false));
    let y = copy_to_host_blocking(&**context, &y).unwrap();
    assert_eq!(y.as_slice::<f32>().unwrap(), [3.0, -4.0, 8.0]);
    let memory = x.device_memory().unwrap();
    let told = told.as_slice::<i64>().unwrap();
    assert_eq!(told[0] as usize, context.stream().addr());
    assert_eq!(told[1] as usize, memory.block.handle().addr() + memory.offset);
    // A temporary lies in the same region of the device as the input, one on the host does not.
    let region = memory.block.handle().addr()..memory.block.handle().addr() + (2 << 20);
    assert!(region.contains(&(told[2] as usize)) && !region.contains(&(told[3] as usize)));
}

#[test]
fn a_plugin_with_a_device_of_a_taken_name_is_refused_as_a_whole() {
    toy();
    let file = build("device_again", &["PROBE=\"DeviceAgain\""]);
    let error = Runtime::load_plugin(&file).unwrap_err();
    assert_eq!((error.code(), error.kind()), (Code::AlreadyExists, ErrorKind::PluginRejected));
    for part in ["device:TOY:0 is declared twice", "libdevice_probe.so", "libdevice_again.so"] {
        assert!(error.to_string().contains(part), "{part:?} is not in: {error}");
    }
    assert!(Registry::global().unwrap().op("DeviceAgain").is_err());
    assert_eq!(devices().unwrap().iter().filter(|device| device.device_type() == "TOY").count(), 1);
}

#[test]
fn a_plugin_whose_ops_clash_adds_no_device() {
    toy();
    let file = build("device_clash", &["PROBE=\"AddV2\""]);
    let error = Runtime::load_plugin_with(&file, Strictness::AllOrNone).unwrap_err();
    assert!(error.to_string().contains("op `AddV2` is declared twice"), "{error}");
    // What it says of itself can be looked at all the same.
    let info = Runtime::inspect_plugin(&file).unwrap();
    assert_eq!(info.platform.as_ref().unwrap().device_type, "TOY");
}
