//! Devices: where kernels run, and how crates that have one make it known.

use std::sync::{Arc, OnceLock};

use oplink_api::{Allocator, Code, Error, ErrorKind, KernelEnv, Location, Result};
use oplink_spec::sorting::sort_by_key;

use crate::IntraOpPool;
use crate::collect::collected_devices;
use crate::memory::MemoryStatistics;

/// A place where kernels run: memory and threads.
pub trait Device: Send + Sync {
    /// Full name, such as `/job:localhost/replica:0/task:0/device:CPU:0`.
    fn name(&self) -> &str;

    /// The type that kernels are declared for, such as `CPU`.
    fn device_type(&self) -> &str;

    /// What a step gives the kernels on this device.
    fn env(&self) -> &dyn KernelEnv;

    /// As [`Device::env`], with at most `threads` threads of `pool`.
    fn env_with_threads(&self, pool: &Arc<IntraOpPool>, threads: usize) -> Arc<dyn KernelEnv>;

    /// The allocator of the device's memory; `None` for the system's.
    fn allocator(&self) -> Option<&Arc<dyn Allocator>>;

    /// How much memory is in use, was at most, and is held.
    fn memory_statistics(&self) -> MemoryStatistics;

    /// Gives memory that is held but not in use back to the system.
    fn release_unused_memory(&self) {}
}

/// What a device crate declares: makes the devices of one type.
#[derive(Debug)]
pub struct DeviceFactory {
    /// The type of the devices.
    pub device_type: &'static str,
    /// Devices of the highest priority come first: nodes without a device go there.
    pub priority: i32,
    /// Makes the devices.
    pub create: fn() -> Result<Vec<Arc<dyn Device>>>,
    /// Where the factory is declared.
    pub location: Location,
}

/// The devices of these factories, by priority from the highest, then by type.
///
/// # Errors
/// Two factories make the same type, or a factory fails.
pub fn create_devices(factories: &[&'static DeviceFactory]) -> Result<Vec<Arc<dyn Device>>> {
    let mut factories = factories.to_vec();
    sort_by_key(&mut factories, |factory| (-i64::from(factory.priority), factory.device_type, factory.location));
    factories.dedup_by(|a, b| std::ptr::eq(*a, *b));
    let mut by_type = factories.clone();
    sort_by_key(&mut by_type, |factory| (factory.device_type, factory.location));
    if let Some(pair) = by_type.windows(2).find(|pair| pair[0].device_type == pair[1].device_type) {
        return Err(Error::new(
            Code::AlreadyExists,
            ErrorKind::Registry,
            format!(
                "devices of type {} are declared twice:\n  {}\n  {}",
                pair[0].device_type, pair[0].location, pair[1].location
            ),
        ));
    }
    let mut devices = Vec::new();
    for factory in factories {
        let made = (factory.create)();
        devices.extend(made.map_err(|e| e.context(format!("creating devices of type {}", factory.device_type)))?);
    }
    Ok(devices)
}

/// The devices of all linked crates, made on first use; see [`create_devices`] for the order.
///
/// # Errors
/// As [`create_devices`]; the same at each call.
pub fn devices() -> Result<&'static [Arc<dyn Device>]> {
    static DEVICES: OnceLock<Result<Vec<Arc<dyn Device>>>> = OnceLock::new();
    let made = DEVICES.get_or_init(|| create_devices(&collected_devices()));
    made.as_deref().map_err(Clone::clone)
}

/// The first linked device of a type.
///
/// # Errors
/// No linked crate has one; the message lists the types there are.
pub fn device_of_type(device_type: &str) -> Result<&'static Arc<dyn Device>> {
    let devices = devices()?;
    devices.iter().find(|device| device.device_type() == device_type).ok_or_else(|| {
        let types: Vec<&str> = devices.iter().map(|device| device.device_type()).collect();
        let types = if types.is_empty() { "none".to_owned() } else { types.join(", ") };
        let message = format!("no device of type {device_type} is linked into this binary (there are: {types}); link the crate that has it");
        Error::new(Code::NotFound, ErrorKind::NotLinked, message)
    })
}
