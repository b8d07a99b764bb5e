//! Devices of the plugins that `oplink-host` loads.
#![allow(unsafe_code, reason = "room: calls into a plugin")]

use std::sync::Arc;

use oplink_abi::InitPluginFn;
use oplink_api::Result;
use oplink_core::{Device, DeviceOptions};
use oplink_host::status::StatusFunctions;
use oplink_host::{DeviceHost, PluginPlatform, register_device_host};

use super::Platform;

struct Host;

impl DeviceHost for Host {
    unsafe fn open(
        &self,
        init: InitPluginFn,
        status: StatusFunctions,
        origin: &str,
    ) -> Result<Arc<dyn PluginPlatform>> {
        // SAFETY: `DeviceHost::open` asks of its caller what `Platform::open` asks: the library's own function, a
        // library that stays mapped, and the host's statuses.
        let platform = unsafe { Platform::open(init, status, origin) }?;
        Ok(platform)
    }
}

impl PluginPlatform for Platform {
    fn name(&self) -> &str {
        self.name()
    }

    fn device_type(&self) -> &str {
        self.device_type()
    }

    fn device_count(&self) -> usize {
        self.device_count()
    }

    fn create_devices(self: Arc<Self>, options: &DeviceOptions) -> Result<Vec<Arc<dyn Device>>> {
        Platform::create_devices(&self, options)
    }
}

/// Makes plugins' libraries that export `SE_InitPlugin` have their devices here, from now on.
pub fn register() {
    register_device_host(&Host);
}
