//! The devices of a plugin that has some.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_void;
use std::path::Path;
use std::sync::Arc;

use oplink_abi::{INIT_PLUGIN_SYMBOL, InitPluginFn};
use oplink_api::Result;
use oplink_core::{DeviceOptions, Registry, add_devices};
use oplink_device_pluggable::Platform;

use super::Opened;
use super::library::Library;
use crate::status;

/// The platform that the library registers, where it exports `SE_InitPlugin`. No device is made yet.
///
/// # Errors
/// The platform is refused.
pub(super) fn open(library: &Library, path: &Path) -> Result<Option<Arc<Platform>>> {
    let Some(init) = library.symbol(INIT_PLUGIN_SYMBOL) else { return Ok(None) };
    // SAFETY: by this name plugins export a function of this type.
    let init = unsafe { std::mem::transmute::<*mut c_void, InitPluginFn>(init.as_ptr()) };
    // SAFETY: the library stays mapped; its statuses are this crate's.
    unsafe { Platform::open(init, status::functions(), &path.to_string_lossy()) }.map(Some)
}

/// Makes the platform's devices and adds them to the process's. They are added only when nothing that the plugin
/// declares besides clashes with what is there.
///
/// # Errors
/// A device cannot be made, or there is one of its name already.
pub(super) fn add(opened: &Opened) -> Result<()> {
    let Some(platform) = &opened.platform else { return Ok(()) };
    let devices = platform.create_devices(&DeviceOptions::default())?;
    if !opened.declarations.is_empty() {
        Registry::global()?.extended(&opened.declarations)?;
    }
    add_devices(devices, &opened.info.path.to_string_lossy())
}
