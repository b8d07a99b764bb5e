//! Which interface to GPUs serves the process.

use std::sync::Arc;

use oplink_api::descriptors::Location;
use oplink_api::log::warn;
use oplink_api::{Code, Error, Result};
use oplink_core::{Device, DeviceFactory, DeviceOptions};

use crate::GPU;

/// The variable that names the interface.
const VARIABLE: &str = "OPLINK_GPU";

/// An interface to GPUs: its name in the environment, what makes its devices, and what it says where it has none.
type Interface = (&'static str, fn(&DeviceOptions) -> Result<Vec<Arc<dyn Device>>>, fn() -> String);

/// Every interface of this build, the preferred one first.
const INTERFACES: &[Interface] = &[
    #[cfg(feature = "cuda")]
    ("cuda", crate::cuda::devices, crate::cuda::absence),
    #[cfg(feature = "wgpu")]
    ("vulkan", crate::vulkan::devices, crate::vulkan::absence),
];

/// Makes the GPUs of the machine, or those of them that the options want.
pub static FACTORY: DeviceFactory = DeviceFactory {
    device_type: GPU,
    priority: 210,
    on_host: false,
    create,
    location: Location {
        crate_name: env!("CARGO_PKG_NAME"),
        crate_version: env!("CARGO_PKG_VERSION"),
        file: file!(),
        line: line!(),
    },
};

fn create(options: &DeviceOptions) -> Result<Vec<Arc<dyn Device>>> {
    if options.count_or(GPU, usize::MAX) == 0 {
        return Ok(Vec::new());
    }
    let wanted = std::env::var(VARIABLE).unwrap_or_default();
    match wanted.as_str() {
        "off" => Ok(Vec::new()),
        "" => first(INTERFACES, options),
        name => named(INTERFACES, name, options),
    }
}

/// Why the machine has no GPU, a line for each interface that was asked: the library that is missing, with what the
/// system's loader says of it, or what the driver says.
pub fn why_no_gpu() -> Vec<String> {
    let wanted = std::env::var(VARIABLE).unwrap_or_default();
    if wanted == "off" {
        return vec![format!("{VARIABLE}=off: no GPU is looked for")];
    }
    let asked = INTERFACES.iter().filter(|interface| wanted.is_empty() || interface.0 == wanted);
    asked.map(|(name, devices, absence)| reason(name, devices(&DeviceOptions::default()), *absence)).collect()
}

fn reason(name: &str, devices: Result<Vec<Arc<dyn Device>>>, absence: fn() -> String) -> String {
    match devices {
        Err(error) => format!("{name}: {error}"),
        Ok(devices) if devices.is_empty() => format!("{name}: {}", absence()),
        Ok(devices) => format!("{name}: {} GPUs, which are not used", devices.len()),
    }
}

/// The devices of the first interface that has some. An interface whose driver fails is passed over with a line that
/// says so: programs that need no GPU go on.
fn first(interfaces: &[Interface], options: &DeviceOptions) -> Result<Vec<Arc<dyn Device>>> {
    for (name, devices, _) in interfaces {
        match devices(options) {
            Ok(devices) if devices.is_empty() => {}
            Err(error) if error.code() != Code::InvalidArgument => {
                warn(&format!("no GPU by {name}: {error}; set {VARIABLE}=off to look for none"));
            }
            devices => return devices,
        }
    }
    Ok(Vec::new())
}

/// The devices of the interface that was asked for.
fn named(interfaces: &[Interface], name: &str, options: &DeviceOptions) -> Result<Vec<Arc<dyn Device>>> {
    match interfaces.iter().find(|interface| interface.0 == name) {
        Some((_, devices, absence)) => {
            let found = devices(options).map_err(|error| error.context(format!("{VARIABLE}={name}")))?;
            if found.is_empty() {
                warn(&format!("no GPU by {VARIABLE}={name}: {}", absence()));
            }
            Ok(found)
        }
        None => {
            let known: Vec<&str> = interfaces.iter().map(|interface| interface.0).chain(["off"]).collect();
            Err(Error::invalid_argument(format!(
                "{VARIABLE}={name} names no interface to GPUs that this build has: it has {}",
                known.join(", ")
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none(_: &DeviceOptions) -> Result<Vec<Arc<dyn Device>>> {
        Ok(Vec::new())
    }

    fn broken(_: &DeviceOptions) -> Result<Vec<Arc<dyn Device>>> {
        Err(Error::internal("the driver is older than its library"))
    }

    fn wrong_options(_: &DeviceOptions) -> Result<Vec<Arc<dyn Device>>> {
        Err(Error::invalid_argument("the visible devices name number 7"))
    }

    fn silent() -> String {
        "libgpu.so: no such file".to_owned()
    }

    fn message(devices: Result<Vec<Arc<dyn Device>>>) -> String {
        devices.err().expect("an error").to_string()
    }

    #[test]
    fn a_broken_driver_is_passed_over() {
        let options = DeviceOptions::default();
        assert!(first(&[("a", broken, silent), ("b", none, silent)], &options).expect("no error").is_empty());
    }

    #[test]
    fn an_absence_has_a_reason() {
        assert_eq!(reason("a", Ok(Vec::new()), silent), "a: libgpu.so: no such file");
        assert!(reason("a", broken(&DeviceOptions::default()), silent).starts_with("a: the driver is older"));
    }

    #[test]
    fn what_was_asked_for_tells_its_error() {
        let options = DeviceOptions::default();
        assert!(message(named(&[("a", broken, silent)], "a", &options)).contains("older than its library"));
        assert!(message(named(&[("a", none, silent)], "b", &options)).contains("it has a, off"));
        assert!(message(first(&[("a", wrong_options, silent)], &options)).contains("number 7"));
    }
}
