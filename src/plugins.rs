//! Plugins: libraries with ops, kernels and devices that are loaded while the process runs.

use std::path::Path;
use std::sync::Arc;

pub use oplink_host::{PlatformInfo, PluginInfo};

use crate::Result;

/// The process as a host of plugins.
///
/// An executable exports the C functions that plugins call: its build script calls
/// `oplink_build::export_plugin_host()`.
#[derive(Debug, Clone, Copy)]
pub struct Runtime;

impl Runtime {
    /// Loads a plugin: its ops and kernels are then known to [`Registry::global`](crate::core::Registry::global), to
    /// eager calls, and to graphs made afterwards. Graphs and sessions that exist keep the registry they were made
    /// with. Devices that it registers by `SE_InitPlugin` are then among [`devices`](crate::core::devices). The library
    /// stays mapped as long as the process runs; loading the same file again gives the same answer.
    ///
    /// # Errors
    /// Of kind `PluginRejected`: the file is no library, lacks a symbol, registers nothing, or what it registers is
    /// broken or clashes with what is there. Registry and devices are then as they were, and the error of a
    /// later miss of one of the plugin's ops names the plugin and the reason.
    pub fn load_plugin(path: impl AsRef<Path>) -> Result<Arc<PluginInfo>> {
        oplink_device_pluggable::register();
        oplink_host::load(path)
    }

    /// What a plugin declares. It is mapped, and stays so, but none of its ops and kernels becomes known.
    ///
    /// # Errors
    /// As [`Runtime::load_plugin`], except for clashes.
    pub fn inspect_plugin(path: impl AsRef<Path>) -> Result<Arc<PluginInfo>> {
        oplink_device_pluggable::register();
        oplink_host::inspect(path)
    }
}
