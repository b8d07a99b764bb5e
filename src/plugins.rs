//! Plugins: libraries with ops, kernels and devices that are loaded while the process runs.

use std::path::Path;
use std::sync::Arc;

pub use oplink_host::{PlatformInfo, PluginInfo, Strictness};

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
    /// Of a plugin that is not made with `plugin!`, what is valid is loaded; the rest is told of in
    /// [`PluginInfo::rejected`] and by a warning. [`Runtime::load_plugin_with`] chooses.
    ///
    /// A name without a folder that is no file is searched as the dynamic linker does.
    ///
    /// # Errors
    /// Of kind `PluginRejected`: the file is no library, lacks a symbol, registers nothing, or nothing that is valid;
    /// or it is made with `plugin!` and something of it is broken or clashes with what is there. Registry and devices
    /// are then as they were, and the error of a later miss of one of the plugin's ops names the plugin and the reason.
    pub fn load_plugin(path: impl AsRef<Path>) -> Result<Arc<PluginInfo>> {
        Self::load_plugin_with(path, Strictness::default())
    }

    /// As [`Runtime::load_plugin`], with a choice of what becomes of a plugin of which not everything is valid. One
    /// that was refused as a whole can be loaded again with [`Strictness::WhatIsValid`].
    ///
    /// # Errors
    /// As [`Runtime::load_plugin`], as far as `strictness` does not say otherwise.
    pub fn load_plugin_with(path: impl AsRef<Path>, strictness: Strictness) -> Result<Arc<PluginInfo>> {
        oplink_device_pluggable::register();
        oplink_host::load(path, strictness)
    }

    /// What a plugin declares, and what of it is valid beside what is loaded now. It is mapped, and stays so, but none
    /// of its ops and kernels becomes known.
    ///
    /// # Errors
    /// As [`Runtime::load_plugin`], except for what is not valid.
    pub fn inspect_plugin(path: impl AsRef<Path>) -> Result<Arc<PluginInfo>> {
        oplink_device_pluggable::register();
        oplink_host::inspect(path)
    }
}
