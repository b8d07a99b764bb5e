//! Finds the kernel for a node.

use oplink_api::attr::same_name;
use oplink_api::descriptors::{KernelEntry, KernelFunction};
use oplink_api::{NodeInfo, Result};

use super::{DEFAULT_DEVICE_TYPE, KernelRecord, KernelRef, OpRecord, Registry};
use crate::device::HOST_DEVICE_TYPE;

impl Registry {
    /// The kernel of the highest priority that serves `node` of this op on devices of this type, under this label
    /// (empty for none). A fallback to the host computes with the host's kernel.
    ///
    /// # Errors
    /// `OpNotDeclared`, `NoMatchingKernel`, `Excluded`, `NotLinked` or `PluginRejected`: which of the five it is, the
    /// nearest kernels, and what to do. A fallback to the host where no kernel of the host is linked is `NotLinked`.
    #[inline]
    pub fn find_kernel(&self, op: &str, device_type: &str, label: &str, node: &NodeInfo) -> Result<KernelRef> {
        let record = self.record(op)?;
        match self.serving(record, device_type, label, node) {
            Some(found) if found.lacks_host() => Err(self.host_kernel_missing(record, device_type, label, node)),
            Some(found) => Ok(found),
            None => Err(self.kernel_missing(record, device_type, label, node)),
        }
    }

    /// As [`Registry::find_kernel`], without saying why there is none.
    pub fn get_kernel(&self, op: &str, device_type: &str, label: &str, node: &NodeInfo) -> Option<KernelRef> {
        let record = &self.ops[self.position(op)?];
        self.serving(record, device_type, label, node).filter(|found| !found.lacks_host())
    }

    /// The best kernel that serves the node, with the host's where it falls back to that. Kernels for any device come
    /// after those for this one.
    #[inline]
    fn serving(&self, record: &OpRecord, device_type: &str, label: &str, node: &NodeInfo) -> Option<KernelRef> {
        let on = |device_type| move |kernel: &KernelRecord| kernel.serves(device_type, label, node);
        let of_device = record.kernels.iter().chain(&self.any_op).find_map(on(device_type));
        let found = of_device.or_else(|| record.kernels.iter().find_map(on(DEFAULT_DEVICE_TYPE)))?;
        match found.entry.function {
            KernelFunction::HostFallback => Some(KernelRef { of_host: on_host(record, label, node), ..found }),
            _ => Some(found),
        }
    }

    #[inline]
    pub(super) fn position(&self, op: &str) -> Option<usize> {
        self.index.find(op, |at| self.ops[at].entry.name())
    }

    #[inline]
    pub(super) fn record(&self, op: &str) -> Result<&OpRecord> {
        match self.position(op) {
            Some(at) => Ok(&self.ops[at]),
            None => Err(self.op_missing(op)),
        }
    }
}

/// The host's kernel for the node.
fn on_host(record: &OpRecord, label: &str, node: &NodeInfo) -> Option<&'static KernelEntry> {
    let kernels = record.kernels.iter();
    let served = kernels.filter_map(|kernel| kernel.serves(HOST_DEVICE_TYPE, label, node));
    served.map(|kernel| kernel.entry).find(|entry| !matches!(entry.function, KernelFunction::HostFallback))
}

impl KernelRef {
    /// Whether it is a fallback to the host, which has no kernel.
    #[inline]
    fn lacks_host(&self) -> bool {
        self.of_host.is_none() && matches!(self.entry.function, KernelFunction::HostFallback)
    }
}

impl KernelRecord {
    #[inline]
    fn serves(&self, device_type: &str, label: &str, node: &NodeInfo) -> Option<KernelRef> {
        let descriptor = self.descriptor;
        if !same_name(descriptor.device, device_type) || !same_name(descriptor.label, label) {
            return None;
        }
        let at = self.keys.find(self.keys.wanted(descriptor, node))?;
        Some(KernelRef { descriptor, entry: &descriptor.entries[at], of_host: None })
    }
}
