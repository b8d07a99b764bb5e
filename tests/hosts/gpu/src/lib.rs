//! Ops with kernels for GPUs of every form, as one plugin for every host, and the GPU of a framework that is made up.

extern crate oplink_api as oplink;

pub mod gpu;
mod ops;

use oplink::descriptors::Library;
use oplink_hosts_common::HostedPlugin;

/// The libraries of the plugin.
pub static LIBRARIES: &[&Library] = &[&ops::OPS];

/// The plugin.
pub static PLUGIN: HostedPlugin = HostedPlugin::new("gpu-ops", "1.0", LIBRARIES);
