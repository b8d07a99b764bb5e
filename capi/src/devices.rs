//! The devices that a configuration asks for.

use std::sync::Arc;

use oplink_api::{Error, Result};
use oplink_core::{Device, DeviceOptions, devices, devices_with};

use crate::messages::{ConfigProto, GPUOptions};

/// The type whose devices `gpu_options` is about; those of all other types with memory of their own are of plugins.
const GPU: &str = "GPU";

/// The process's devices, or others where the configuration limits their number, their memory or which are visible.
/// Those of the highest priority are first.
///
/// # Errors
/// A number is negative, a list of devices is malformed or names one that does not exist, or a device cannot be made.
pub(crate) fn devices_for(config: &ConfigProto) -> Result<Vec<Arc<dyn Device>>> {
    match device_options(config)? {
        None => devices(),
        Some(options) => devices_with(&options),
    }
}

fn device_options(config: &ConfigProto) -> Result<Option<DeviceOptions>> {
    let mut options = DeviceOptions::default();
    for (device_type, &count) in &config.device_count {
        let negative = || Error::not_found(format!("ConfigProto.device_count: {count} devices of type {device_type}"));
        options.count.insert(device_type.clone(), usize::try_from(count).map_err(|_| negative())?);
    }
    if let Some(gpu) = &config.gpu_options {
        limit(&mut options, "gpu_options", gpu, &[GPU.to_owned()])?;
    }
    if let Some(pluggable) = &config.pluggable_device_options {
        limit(&mut options, "pluggable_device_options", pluggable, &types_of_plugins()?)?;
    }
    Ok((options != DeviceOptions::default()).then_some(options))
}

/// Takes over what one of the two messages says of these types. The fraction is for all devices, as they share the
/// option.
fn limit(options: &mut DeviceOptions, field: &str, limits: &GPUOptions, types: &[String]) -> Result<()> {
    let list = limits.visible_device_list.trim();
    if !list.is_empty() {
        let number = |text: &str| {
            let wrong = |_| {
                Error::invalid_argument(format!(
                    "ConfigProto.{field}.visible_device_list: `{}` is no number in `{}`; give numbers separated by commas",
                    text.escape_debug(),
                    list.escape_debug()
                ))
            };
            text.trim().parse::<usize>().map_err(wrong)
        };
        let visible: Vec<usize> = list.split(',').map(number).collect::<Result<_>>()?;
        types.iter().for_each(|of| drop(options.visible.insert(of.clone(), visible.clone())));
    }
    if limits.per_process_gpu_memory_fraction != 0.0 {
        options.memory_fraction = limits.per_process_gpu_memory_fraction;
    }
    Ok(())
}

fn types_of_plugins() -> Result<Vec<String>> {
    let with_memory = devices()?.into_iter().filter(|device| device.context().is_some());
    Ok(with_memory.map(|device| device.device_type().to_owned()).filter(|of| of != GPU).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visible(list: &str) -> Result<Option<DeviceOptions>> {
        let gpu = GPUOptions { visible_device_list: list.to_owned(), ..GPUOptions::default() };
        device_options(&ConfigProto { gpu_options: Some(gpu), ..ConfigProto::default() })
    }

    #[test]
    fn what_is_not_said_leaves_the_devices_of_the_process() {
        assert_eq!(device_options(&ConfigProto::default()).unwrap(), None);
        assert_eq!(visible("").unwrap(), None);
    }

    #[test]
    fn lists_of_devices_are_numbers() {
        assert_eq!(visible(" 1, 0").unwrap().unwrap().visible[GPU], [1, 0]);
        let error = visible("0,one").unwrap_err().to_string();
        assert!(error.contains("gpu_options.visible_device_list: `one` is no number in `0,one`"), "{error}");
    }

    #[test]
    fn counts_are_no_less_than_zero() {
        let config = |count| ConfigProto { device_count: [("CPU".to_owned(), count)].into(), ..ConfigProto::default() };
        assert_eq!(device_options(&config(2)).unwrap().unwrap().count["CPU"], 2);
        let error = device_options(&config(-1)).unwrap_err().to_string();
        assert!(error.contains("device_count: -1 devices of type CPU"), "{error}");
    }
}
