//! The devices of the process: those that linked factories make, and those that plugins add.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use oplink_api::{Code, Error, ErrorKind, Result};
use oplink_spec::sorting::sort_by_key;

use super::collected::collected_devices;
use super::{Device, DeviceFactory, DeviceName, DeviceOptions};

/// The priority of devices that are added at run time.
const ADDED_PRIORITY: i32 = 220;

/// A device, and who it is from.
#[derive(Clone)]
struct Listed {
    device: Arc<dyn Device>,
    priority: i32,
    origin: String,
}

/// The devices of these factories, by priority from the highest, then by type.
///
/// # Errors
/// Two factories make the same type, a factory fails, or two devices have the same name.
pub fn create_devices(factories: &[&'static DeviceFactory], options: &DeviceOptions) -> Result<Vec<Arc<dyn Device>>> {
    Ok(plain(&create(&one_of_each(factories)?, options)?))
}

/// The devices of the process, by priority from the highest, then by type: those of all linked crates, made on first
/// use with default options, and those added so far. Drivers are asked which devices there are; none of them is opened.
///
/// # Errors
/// As [`create_devices`]; the same at each call.
pub fn devices() -> Result<Vec<Arc<dyn Device>>> {
    Ok(plain(&process_list()?.read().unwrap_or_else(PoisonError::into_inner)))
}

/// Devices as the options want them: those of all linked crates made anew, and of those added so far the visible ones,
/// as many of each type as the options allow.
///
/// # Errors
/// As [`create_devices`].
pub fn devices_with(options: &DeviceOptions) -> Result<Vec<Arc<dyn Device>>> {
    let mut list = create(&one_of_each(&collected_devices())?, options)?;
    let all = process_list()?.read().unwrap_or_else(PoisonError::into_inner);
    let mut of_type: Vec<&Listed> = Vec::new();
    for added in all.iter().filter(|listed| listed.priority == ADDED_PRIORITY) {
        let device_type = added.device.device_type();
        let before = of_type.iter().filter(|other| other.device.device_type() == device_type).count();
        let index = DeviceName::parse(added.device.name())?.index.unwrap_or(0) as usize;
        let visible = options.visible.get(device_type).is_none_or(|visible| visible.contains(&index));
        if visible && before < options.count_or(device_type, usize::MAX) {
            of_type.push(added);
        }
    }
    list.extend(of_type.into_iter().cloned());
    sort(&mut list);
    Ok(plain(&list))
}

/// Adds the devices of a plugin to [`devices`], all or none; they stay as long as the process. `origin` says whose they
/// are.
///
/// # Errors
/// A name is not full, or a device of the same name is there already: the message names both origins.
pub fn add_devices(devices: Vec<Arc<dyn Device>>, origin: &str) -> Result<()> {
    let mut list = process_list()?.write().unwrap_or_else(PoisonError::into_inner);
    let mut longer = list.clone();
    for device in devices {
        push(&mut longer, Listed { device, priority: ADDED_PRIORITY, origin: origin.to_owned() })?;
    }
    sort(&mut longer);
    *list = longer;
    Ok(())
}

/// The first device of a type.
///
/// # Errors
/// No linked crate has one, and none was added; the message lists the types there are.
pub fn device_of_type(device_type: &str) -> Result<Arc<dyn Device>> {
    let devices = devices()?;
    devices.iter().find(|device| device.device_type() == device_type).cloned().ok_or_else(|| {
        let mut types: Vec<&str> = devices.iter().map(|device| device.device_type()).collect();
        types.dedup();
        let types = if types.is_empty() { "none".to_owned() } else { types.join(", ") };
        let message = format!("no device of type {device_type} is linked into this binary (there are: {types}); link the crate that has it");
        Error::new(Code::NotFound, ErrorKind::NotLinked, message)
    })
}

/// The first device that works in host memory. Where one is linked, no driver of another is asked.
///
/// # Errors
/// There is none.
pub fn host_device() -> Result<Arc<dyn Device>> {
    let on_host = |list: Vec<Arc<dyn Device>>| list.into_iter().find(|device| device.context().is_none());
    if let Some(device) = on_host(plain(host_list()?)) {
        return Ok(device);
    }
    on_host(devices()?).ok_or_else(|| {
        let message = "no device is linked into this binary: depend on the crate `oplink`, or link a device crate";
        Error::new(Code::FailedPrecondition, ErrorKind::NotLinked, message)
    })
}

fn process_list() -> Result<&'static RwLock<Vec<Listed>>> {
    static LIST: OnceLock<Result<RwLock<Vec<Listed>>>> = OnceLock::new();
    let made = LIST.get_or_init(|| {
        let others: Vec<_> =
            one_of_each(&collected_devices())?.into_iter().filter(|factory| !factory.on_host).collect();
        let mut list = host_list()?.to_vec();
        append(&mut list, &others, &DeviceOptions::default())?;
        Ok(RwLock::new(list))
    });
    made.as_ref().map_err(Clone::clone)
}

/// The linked devices that work in host memory.
fn host_list() -> Result<&'static [Listed]> {
    static LIST: OnceLock<Result<Vec<Listed>>> = OnceLock::new();
    let made = LIST.get_or_init(|| {
        let on_host: Vec<_> =
            one_of_each(&collected_devices())?.into_iter().filter(|factory| factory.on_host).collect();
        create(&on_host, &DeviceOptions::default())
    });
    made.as_deref().map_err(Clone::clone)
}

fn plain(list: &[Listed]) -> Vec<Arc<dyn Device>> {
    list.iter().map(|listed| listed.device.clone()).collect()
}

fn sort(list: &mut [Listed]) {
    sort_by_key(list, |listed| (-i64::from(listed.priority), listed.device.device_type().to_owned()));
}

/// The factories in order, each once.
///
/// # Errors
/// Two make the same type.
fn one_of_each(factories: &[&'static DeviceFactory]) -> Result<Vec<&'static DeviceFactory>> {
    let mut factories = factories.to_vec();
    sort_by_key(&mut factories, |factory| (factory.device_type, factory.location));
    factories.dedup_by(|a, b| std::ptr::eq(*a, *b));
    if let Some(pair) = factories.windows(2).find(|pair| pair[0].device_type == pair[1].device_type) {
        let (device_type, one, other) = (pair[0].device_type, pair[0].location, pair[1].location);
        return Err(declared_twice(
            &format!("devices of type {device_type} are"),
            &one.to_string(),
            &other.to_string(),
        ));
    }
    Ok(factories)
}

fn create(factories: &[&'static DeviceFactory], options: &DeviceOptions) -> Result<Vec<Listed>> {
    let mut list = Vec::new();
    append(&mut list, factories, options)?;
    Ok(list)
}

fn append(list: &mut Vec<Listed>, factories: &[&'static DeviceFactory], options: &DeviceOptions) -> Result<()> {
    for factory in factories {
        let made = (factory.create)(options);
        let made = made.map_err(|e| e.context(format!("creating devices of type {}", factory.device_type)))?;
        for device in made {
            push(list, Listed { device, priority: factory.priority, origin: factory.location.to_string() })?;
        }
    }
    sort(list);
    Ok(())
}

/// Adds a device whose name is full and new.
fn push(list: &mut Vec<Listed>, new: Listed) -> Result<()> {
    let text = new.device.name().to_owned();
    let name = DeviceName::parse(&text).ok().filter(DeviceName::is_full).ok_or_else(|| {
        let message = format!(
            "`{text}` is no full device name, such as {}; it is that of a device of {}",
            DeviceName::local(new.device.device_type(), 0),
            new.origin
        );
        Error::new(Code::InvalidArgument, ErrorKind::Registry, message)
    })?;
    let same = |other: &&Listed| DeviceName::parse(other.device.name()).is_ok_and(|other| name.matches(&other));
    if let Some(other) = list.iter().find(same) {
        return Err(declared_twice(&format!("the device {text} is"), &other.origin, &new.origin));
    }
    list.push(new);
    Ok(())
}

#[cold]
fn declared_twice(what: &str, one: &str, other: &str) -> Error {
    let message = format!("{what} declared twice:\n  {one}\n  {other}");
    Error::new(Code::AlreadyExists, ErrorKind::Registry, message)
}
