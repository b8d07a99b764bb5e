//! The devices of a plugin that has some.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_void;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use oplink_abi::{INIT_PLUGIN_SYMBOL, InitPluginFn};
use oplink_api::Result;
use oplink_core::{Device, DeviceOptions, Registry, add_devices};

use super::library::Library;
use super::{Opened, refusal};
use crate::status::{self, StatusFunctions};

/// What hosts the devices of plugins: it calls the function that a library exports as `SE_InitPlugin`.
pub trait DeviceHost: Send + Sync {
    /// The platform that the library registers. No device is made yet.
    ///
    /// # Errors
    /// Of kind `PluginRejected`: the platform is refused. Nothing of the library is in use then.
    ///
    /// # Safety
    /// `init` is the function that a mapped library exports as `SE_InitPlugin`, and the library stays mapped; `status`
    /// makes what the library's calls of `TF_SetStatus` take.
    unsafe fn open(&self, init: InitPluginFn, status: StatusFunctions, origin: &str)
    -> Result<Arc<dyn PluginPlatform>>;
}

/// A platform that a plugin registered.
pub trait PluginPlatform: Send + Sync {
    /// Its own name.
    fn name(&self) -> &str;

    /// The type of its devices, by which graphs ask for them.
    fn device_type(&self) -> &str;

    /// How many devices it has.
    fn device_count(&self) -> usize;

    /// Makes its devices.
    ///
    /// # Errors
    /// The options name devices that there are not. The library cannot make one; then those made before are gone again.
    fn create_devices(self: Arc<Self>, options: &DeviceOptions) -> Result<Vec<Arc<dyn Device>>>;
}

static HOST: OnceLock<&'static dyn DeviceHost> = OnceLock::new();

/// Makes the loader hand libraries that export `SE_InitPlugin` to `host`. The first call decides; further ones change
/// nothing.
pub fn register_device_host(host: &'static dyn DeviceHost) {
    HOST.get_or_init(|| host);
}

/// The platform that the library registers, where it exports `SE_InitPlugin`. No device is made yet.
///
/// # Errors
/// The platform is refused; the process has no [`DeviceHost`].
pub(super) fn open(library: &Library, path: &Path) -> Result<Option<Arc<dyn PluginPlatform>>> {
    let Some(init) = library.symbol(INIT_PLUGIN_SYMBOL) else { return Ok(None) };
    let host = HOST.get().ok_or_else(refusal::no_device_host)?;
    // SAFETY: by this name plugins export a function of this type.
    let init = unsafe { std::mem::transmute::<*mut c_void, InitPluginFn>(init.as_ptr()) };
    // SAFETY: the library stays mapped; its statuses are this crate's.
    unsafe { host.open(init, status::functions(), &path.to_string_lossy()) }.map(Some)
}

/// Makes the platform's devices and adds them to the process's. Where all or none is added, they are added only when
/// nothing that the plugin declares besides clashes with what is there.
///
/// # Errors
/// A device cannot be made, or there is one of its name already.
pub(super) fn add(opened: &Opened, all_or_none: bool) -> Result<()> {
    let Some(platform) = &opened.platform else { return Ok(()) };
    let devices = platform.clone().create_devices(&DeviceOptions::default())?;
    if all_or_none && !opened.declarations.is_empty() {
        Registry::global()?.extended(&opened.declarations)?;
    }
    add_devices(devices, &opened.info.path.to_string_lossy())
}
