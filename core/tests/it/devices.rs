//! The devices of a process: those of factories, those added at run time, and what options make of them.

use std::sync::Arc;

use oplink_api::descriptors::Location;
use oplink_api::tensor::Allocator;
use oplink_api::{Code, ErrorKind, KernelEnv, Result};
use oplink_core::memory::MemoryStatistics;
use oplink_core::{
    Device, DeviceAttributes, DeviceFactory, DeviceName, DeviceOptions, HostEnv, IntraOpPool, add_devices,
    create_devices, device_of_type, devices, devices_with, host_device,
};

use crate::fixture::at;

struct Named(DeviceAttributes, HostEnv);

fn named(name: &str, device_type: &str) -> Arc<dyn Device> {
    Arc::new(Named(DeviceAttributes::new(name, device_type, 1 << 20), HostEnv::new(None)))
}

fn local(device_type: &str, index: usize) -> Arc<dyn Device> {
    named(&DeviceName::local(device_type, index).to_string(), device_type)
}

impl Device for Named {
    fn name(&self) -> &str {
        &self.0.name
    }
    fn device_type(&self) -> &str {
        &self.0.device_type
    }
    fn attributes(&self) -> DeviceAttributes {
        self.0.clone()
    }
    fn env(&self) -> &dyn KernelEnv {
        &self.1
    }
    fn env_with_threads(&self, _: &Arc<IntraOpPool>, _: usize) -> Arc<dyn KernelEnv> {
        Arc::new(self.1.clone())
    }
    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        None
    }
    fn memory_statistics(&self) -> MemoryStatistics {
        MemoryStatistics::default()
    }
}

fn fast(options: &DeviceOptions) -> Result<Vec<Arc<dyn Device>>> {
    Ok(options.visible_of("FAST", 3)?.iter().enumerate().map(|(index, _)| local("FAST", index)).collect())
}

fn slow(options: &DeviceOptions) -> Result<Vec<Arc<dyn Device>>> {
    Ok((0..options.count_or("SLOW", 1)).map(|index| local("SLOW", index)).collect())
}

fn twice(_: &DeviceOptions) -> Result<Vec<Arc<dyn Device>>> {
    Ok(vec![local("TWICE", 0), local("twice", 0)])
}

const fn factory(
    device_type: &'static str,
    priority: i32,
    create: fn(&DeviceOptions) -> Result<Vec<Arc<dyn Device>>>,
    location: Location,
) -> DeviceFactory {
    DeviceFactory { device_type, priority, on_host: false, create, location }
}

static FAST: DeviceFactory = factory("FAST", 200, fast, at("src/fast.rs", 1));
static SLOW: DeviceFactory = factory("SLOW", 70, slow, at("src/slow.rs", 2));
static OTHER_SLOW: DeviceFactory = factory("SLOW", 10, slow, at("src/other.rs", 3));
static TWICE: DeviceFactory = factory("TWICE", 0, twice, at("src/twice.rs", 4));

fn short_names(devices: &[Arc<dyn Device>]) -> Vec<String> {
    devices.iter().map(|device| DeviceName::parse(device.name()).unwrap().short()).collect()
}

#[test]
fn devices_come_by_priority_as_many_as_the_options_want() {
    let names = |options: &DeviceOptions| short_names(&create_devices(&[&SLOW, &FAST], options).unwrap());
    assert_eq!(names(&DeviceOptions::default()), ["FAST:0", "FAST:1", "FAST:2", "SLOW:0"]);
    let count = [("SLOW".to_owned(), 2), ("FAST".to_owned(), 1)].into();
    assert_eq!(names(&DeviceOptions { count, ..DeviceOptions::default() }), ["FAST:0", "SLOW:0", "SLOW:1"]);
    let visible = |numbers: &[usize]| DeviceOptions {
        visible: [("FAST".to_owned(), numbers.to_vec())].into(),
        ..DeviceOptions::default()
    };
    assert_eq!(names(&visible(&[2, 0])), ["FAST:0", "FAST:1", "SLOW:0"]);
    assert_eq!(visible(&[2, 0]).visible_of("FAST", 3).unwrap(), [2, 0]);
    let message = |numbers: &[usize]| create_devices(&[&FAST], &visible(numbers)).err().unwrap().to_string();
    let missing =
        "the visible devices of type FAST name number 3; there are 3, numbered from 0\n  creating devices of type FAST";
    assert_eq!(message(&[3]), missing);
    assert!(message(&[1, 1]).starts_with("the visible devices of type FAST name number 1 twice"));
}

#[test]
fn memory_is_bounded_by_fraction_and_limit() {
    let limit = |memory_fraction, memory_limit| {
        DeviceOptions { memory_fraction, memory_limit, ..DeviceOptions::default() }.memory_limit_of(1000)
    };
    assert_eq!(limit(1.0, None).unwrap(), 1000);
    assert_eq!(limit(0.5, None).unwrap(), 500);
    assert_eq!(limit(0.5, Some(200)).unwrap(), 200);
    assert_eq!(limit(0.5, Some(5000)).unwrap(), 500);
    assert!([0.0, 1.5, -1.0, f64::NAN].iter().all(|&fraction| limit(fraction, None).is_err()));
}

#[test]
fn a_type_or_a_name_that_is_declared_twice_is_refused_with_both_places() {
    let message = |factories: &[&'static DeviceFactory]| {
        let error = create_devices(factories, &DeviceOptions::default()).err().unwrap();
        assert_eq!((error.code(), error.kind()), (Code::AlreadyExists, ErrorKind::Registry));
        error.to_string()
    };
    let types = "devices of type SLOW are declared twice:\n  src/other.rs:3 (ops 0.1.0)\n  src/slow.rs:2 (ops 0.1.0)";
    assert_eq!(message(&[&SLOW, &OTHER_SLOW]), types);
    let names = "the device /job:localhost/replica:0/task:0/device:twice:0 is declared twice:\n  \
                 src/twice.rs:4 (ops 0.1.0)\n  src/twice.rs:4 (ops 0.1.0)";
    assert_eq!(message(&[&TWICE]), names);
    assert_eq!(create_devices(&[&SLOW, &SLOW], &DeviceOptions::default()).unwrap().len(), 1);
}

/// The list of the process is the same for all tests, so one test has it to itself.
#[test]
fn devices_are_added_all_or_none() {
    assert!(devices().unwrap().is_empty());
    assert_eq!(host_device().err().unwrap().kind(), ErrorKind::NotLinked);
    add_devices(vec![local("ZED", 0), local("ZED", 1), local("ADD", 0)], "libzed.so").unwrap();
    let added = ["ADD:0", "ZED:0", "ZED:1"];
    assert_eq!(short_names(&devices().unwrap()), added);
    assert_eq!(host_device().unwrap().name(), DeviceName::local("ADD", 0).to_string());

    let error = add_devices(vec![local("NEW", 0), local("zed", 1)], "libother.so").unwrap_err();
    let name = "/job:localhost/replica:0/task:0/device:zed:1";
    assert_eq!(error.to_string(), format!("the device {name} is declared twice:\n  libzed.so\n  libother.so"));
    let error = add_devices(vec![named("/device:NEW:0", "NEW")], "libother.so").unwrap_err();
    let said = "`/device:NEW:0` is no full device name, such as /job:localhost/replica:0/task:0/device:NEW:0; \
                it is that of a device of libother.so";
    assert_eq!(error.message(), said);
    assert_eq!(short_names(&devices().unwrap()), added);

    let count = [("ZED".to_owned(), 1)].into();
    let fewer = DeviceOptions { count, ..DeviceOptions::default() };
    assert_eq!(short_names(&devices_with(&fewer).unwrap()), ["ADD:0", "ZED:0"]);
    let visible = [("ZED".to_owned(), vec![1]), ("ADD".to_owned(), vec![])].into();
    let hidden = DeviceOptions { visible, ..DeviceOptions::default() };
    assert_eq!(short_names(&devices_with(&hidden).unwrap()), ["ZED:1"]);
    assert_eq!(device_of_type("ZED").unwrap().name(), DeviceName::local("ZED", 0).to_string());
    let said = "no device of type GPU is linked into this binary (there are: ADD, ZED); link the crate that has it";
    assert_eq!(device_of_type("GPU").err().unwrap().message(), said);
}

#[test]
fn attributes_tell_incarnations_apart() {
    let (one, other) = (local("CPU", 0), local("CPU", 0));
    assert_eq!(one.attributes(), one.attributes());
    assert_ne!(one.attributes().incarnation, other.attributes().incarnation);
    assert_eq!(one.attributes().memory_limit, 1 << 20);
}
