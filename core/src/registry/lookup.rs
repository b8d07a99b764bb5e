//! Finds the kernel for a node.

use std::cmp::Reverse;

use oplink_api::attr::same_name;
use oplink_api::descriptors::{KernelEntry, KernelFunction};
use oplink_api::{NodeInfo, Result};
use oplink_spec::sorting::sort_by_key;

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
        if !record.duplicates.is_empty() {
            let best = self.best(record, device_type, label, node)?.ok()?;
            return Some(with_host(best, record, label, node));
        }
        match record.kernels.iter().find_map(|kernel| kernel.serves(device_type, label, node)) {
            Some(found) => Some(with_host(found, record, label, node)),
            None => self.serving_any(record, device_type, label, node),
        }
    }

    /// A kernel of the device for any op, or of the op for any device.
    #[cold]
    fn serving_any(&self, record: &OpRecord, device_type: &str, label: &str, node: &NodeInfo) -> Option<KernelRef> {
        let of_device = self.any_op.iter().find_map(|kernel| kernel.serves(device_type, label, node));
        let on_any = || record.kernels.iter().find_map(|kernel| kernel.serves(DEFAULT_DEVICE_TYPE, label, node));
        Some(with_host(of_device.or_else(on_any)?, record, label, node))
    }

    /// The best kernel of an op that has duplicates, or two that serve the node at the same priority. Fallbacks to the
    /// host are as they were declared.
    #[cold]
    pub(super) fn best(
        &self,
        record: &OpRecord,
        device_type: &str,
        label: &str,
        node: &NodeInfo,
    ) -> Option<Result<KernelRef, [KernelRef; 2]>> {
        let of_op = record.kernels.iter().chain(&record.duplicates);
        let mut serving: Vec<KernelRef> = of_op.filter_map(|kernel| kernel.serves(device_type, label, node)).collect();
        sort_by_key(&mut serving, |kernel| Reverse(kernel.descriptor.priority));
        match serving.as_slice() {
            &[first, second, ..] if first.descriptor.priority == second.descriptor.priority => {
                Some(Err([first, second]))
            }
            &[first, ..] => Some(Ok(first)),
            [] if !same_name(device_type, DEFAULT_DEVICE_TYPE) => {
                let of_any_op = self.any_op.iter().find_map(|kernel| kernel.serves(device_type, label, node));
                of_any_op.map(Ok).or_else(|| self.best(record, DEFAULT_DEVICE_TYPE, label, node))
            }
            [] => None,
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

/// The kernel, with the host's where it falls back to that.
#[inline]
fn with_host(found: KernelRef, record: &OpRecord, label: &str, node: &NodeInfo) -> KernelRef {
    match found.entry.function {
        KernelFunction::HostFallback => KernelRef { of_host: on_host(record, label, node), ..found },
        _ => found,
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
