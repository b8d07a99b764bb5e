//! Finds the kernel for a call of which no input is known yet.

use oplink_api::attr::same_name;
use oplink_api::{AttrMap, AttrValue, NodeInfo, Result, ensure};

use super::{KernelRef, Registry};
use crate::OpEntry;

impl Registry {
    /// As [`Registry::find_kernel`], for a node of which only attrs are known: those given, where the op has them, and
    /// the defaults of the others.
    ///
    /// # Errors
    /// As [`Registry::find_kernel`]; `InvalidArgument` where an attr has no value that kernels of the device differ in.
    pub fn find_kernel_for_attrs(
        &self,
        op: &str,
        device_type: &str,
        attrs: &[(String, AttrValue)],
    ) -> Result<KernelRef> {
        let entry = self.op(op)?;
        let node = node_of(entry, attrs)?;
        let kernels = self.kernels_of(op).filter(|kernel| same_name(kernel.device, device_type));
        for name in kernels.flat_map(|kernel| kernel.type_attrs) {
            ensure!(node.attrs.get(name).is_some(), "attr `{name}` of op {op} has no value: its kernels differ in it");
        }
        self.find_kernel(op, device_type, "", &node)
    }
}

/// A node without inputs and outputs.
fn node_of(entry: &OpEntry, attrs: &[(String, AttrValue)]) -> Result<NodeInfo> {
    let mut known = AttrMap::new();
    for attr in &entry.spec.attrs {
        let given = attrs.iter().find(|(name, _)| *name == attr.name).map(|(_, value)| value);
        if let Some(value) = given.or(entry.default_of(&attr.name)?) {
            known.set(attr.name.as_str(), value.clone());
        }
    }
    Ok(NodeInfo {
        name: entry.spec.name.clone(),
        op: entry.spec.clone(),
        device: String::new(),
        attrs: known,
        input_dtypes: Vec::new(),
        output_dtypes: Vec::new(),
        input_ranges: Vec::new(),
        output_ranges: Vec::new(),
        shape_fn: entry.shape_fn,
    })
}
