//! What a device tells of itself.
#![allow(unsafe_code, reason = "room: calls into a plugin")]

use std::ffi::{CStr, c_char};

use super::Executor;

/// What a plugin tells of a device; empty and `None` where it does not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// What the device is.
    pub hardware_name: String,
    /// Who made it.
    pub vendor: String,
    /// Where it is on the PCI bus.
    pub pci_bus_id: String,
    /// The memory node that it is near.
    pub numa_node: Option<i32>,
    /// Bytes a second that it reads of its own memory.
    pub memory_bandwidth: Option<i64>,
    /// Operations of floating point a second, in units of 10^9.
    pub gflops: Option<f64>,
}

impl Executor {
    /// Asks the plugin.
    pub(crate) fn facts(&self) -> Facts {
        let device = self.as_ptr();
        let fns = self.platform().device_fns();
        // SAFETY: the folder's contract; texts of the device are null or terminated, and live as long as the device.
        unsafe {
            Facts {
                hardware_name: text(self.device.hardware_name),
                vendor: text(self.device.device_vendor),
                pci_bus_id: text(self.device.pci_bus_id),
                numa_node: fns.and_then(|fns| fns.get_numa_node).map(|get| get(device)).filter(|&node| node >= 0),
                memory_bandwidth: fns
                    .and_then(|fns| fns.get_memory_bandwidth)
                    .map(|get| get(device))
                    .filter(|&bandwidth| bandwidth >= 0),
                gflops: fns.and_then(|fns| fns.get_gflops).map(|get| get(device)).filter(|&gflops| gflops >= 0.0),
            }
        }
    }
}

impl std::fmt::Display for Facts {
    /// One line, as TensorFlow describes devices.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts = Vec::new();
        for (name, value) in [("name", &self.hardware_name), ("vendor", &self.vendor), ("pci bus id", &self.pci_bus_id)]
        {
            if !value.is_empty() {
                parts.push(format!("{name}: {value}"));
            }
        }
        parts.extend(self.memory_bandwidth.map(|bandwidth| format!("memory bandwidth: {bandwidth} bytes/s")));
        parts.extend(self.gflops.map(|gflops| format!("{gflops} gflops")));
        f.write_str(&parts.join(", "))
    }
}

/// # Safety
/// Null or a terminated text.
unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: `text` is not null, so it is terminated.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
