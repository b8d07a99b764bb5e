//! A node for every built-in kernel, to look the kernel up.

use oplink::descriptors::KernelDescriptor;
use oplink::runtime::{Registry, node_from_attrs};
use oplink::{AttrValue, NodeInfo, Result};

/// Nodes that ask for the last combination of dtypes of each kernel; kernels of ops that have more attrs without a
/// default are left out.
pub(crate) fn nodes(registry: &Registry) -> Vec<NodeInfo> {
    let found = |node: &NodeInfo| find(registry, node).is_ok();
    registry.kernels().filter_map(|kernel| node(registry, kernel)).filter(found).collect()
}

/// Finds the kernel of a node; its number of entries.
#[inline]
pub(crate) fn find(registry: &Registry, node: &NodeInfo) -> Result<usize> {
    registry.find_kernel(&node.op.name, "CPU", "", node).map(|kernel| kernel.descriptor.entries.len())
}

fn node(registry: &Registry, kernel: &KernelDescriptor) -> Option<NodeInfo> {
    let dtypes = kernel.entries.last()?.dtypes;
    let attrs = kernel.type_attrs.iter().zip(dtypes).map(|(name, dtype)| (*name, AttrValue::Type(*dtype)));
    node_from_attrs(registry.op(kernel.op).ok()?, "node", "", attrs).ok()
}
