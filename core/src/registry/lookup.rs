//! Finds the kernel for a node.

use oplink_api::{NodeInfo, Result, same_name};

use super::{KernelRecord, KernelRef, OpRecord, Registry};

impl Registry {
    /// The kernel of the highest priority that serves `node` of this op on devices of this type, under this label
    /// (empty for none).
    ///
    /// # Errors
    /// `OpNotDeclared`, `NoMatchingKernel`, `Excluded`, `NotLinked` or `PluginRejected`: which of the five it is, the
    /// nearest kernels, and what to do.
    #[inline]
    pub fn find_kernel(&self, op: &str, device_type: &str, label: &str, node: &NodeInfo) -> Result<KernelRef> {
        let record = self.record(op)?;
        let mut kernels = record.kernels.iter().chain(&self.any_op);
        match kernels.find_map(|kernel| kernel.serves(device_type, label, node)) {
            Some(found) => Ok(found),
            None => Err(self.kernel_missing(record, device_type, label, node)),
        }
    }

    /// As [`Registry::find_kernel`], without saying why there is none.
    pub fn get_kernel(&self, op: &str, device_type: &str, label: &str, node: &NodeInfo) -> Option<KernelRef> {
        let record = &self.ops[self.position(op)?];
        let mut kernels = record.kernels.iter().chain(&self.any_op);
        kernels.find_map(|kernel| kernel.serves(device_type, label, node))
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

impl KernelRecord {
    #[inline]
    fn serves(&self, device_type: &str, label: &str, node: &NodeInfo) -> Option<KernelRef> {
        let descriptor = self.descriptor;
        if !same_name(descriptor.device, device_type) || !same_name(descriptor.label, label) {
            return None;
        }
        let at = self.keys.find(self.keys.wanted(descriptor, node))?;
        Some(KernelRef { descriptor, entry: &descriptor.entries[at] })
    }
}
