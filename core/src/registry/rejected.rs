//! What plugins declare and the registry does not take: whole plugins, and single declarations of plugins whose rest
//! serves. A miss names them.

use std::fmt;
use std::sync::{MutexGuard, PoisonError};

use oplink_api::descriptors::{KernelDescriptor, Location};
use oplink_api::{AttrValue, DType, NodeInfo};

use super::Registry;

/// A plugin that was refused.
#[derive(Clone, Debug)]
pub struct RejectedPlugin {
    /// Its file.
    pub path: String,
    /// Why.
    pub reason: String,
    /// Ops it declares or has kernels for.
    pub ops: Vec<String>,
}

impl RejectedPlugin {
    pub(super) fn new(path: impl Into<String>, reason: impl Into<String>, ops: &[&str]) -> Self {
        let ops = ops.iter().map(|&op| op.to_owned()).collect();
        Self { path: path.into(), reason: reason.into(), ops }
    }
}

/// What a plugin declares and is left out, while the rest of the plugin serves.
#[derive(Clone, Debug)]
pub struct RejectedDeclaration {
    /// The op that is declared, or that the kernel or gradient is for; empty where the declaration names none.
    pub op: String,
    /// What is declared.
    pub item: RejectedItem,
    /// Why.
    pub reason: String,
    /// Where it comes from.
    pub location: Location,
}

/// What is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RejectedItem {
    /// The op.
    Op,
    /// A kernel of the op.
    Kernel(RejectedKernel),
    /// The op's gradient.
    Gradient,
}

/// Which kernel of an op is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RejectedKernel {
    /// Device type.
    pub device: String,
    /// Label; empty for none.
    pub label: String,
    /// Type attrs with the dtypes that the kernel would serve.
    pub constraints: Vec<(String, Vec<DType>)>,
}

impl RejectedKernel {
    pub(super) fn of(kernel: &KernelDescriptor) -> Self {
        let constraint = |(at, attr): (usize, &&str)| {
            let mut dtypes: Vec<DType> = Vec::new();
            for dtype in kernel.entries.iter().filter_map(|entry| entry.dtypes.get(at)) {
                if !dtypes.contains(dtype) {
                    dtypes.push(*dtype);
                }
            }
            ((*attr).to_owned(), dtypes)
        };
        let constraints = kernel.type_attrs.iter().enumerate().map(constraint).collect();
        Self { device: kernel.device.to_owned(), label: kernel.label.to_owned(), constraints }
    }

    /// Whether the node would have been served; attrs that the node's op lacks are passed over.
    fn would_serve(&self, device_type: &str, label: &str, node: &NodeInfo) -> bool {
        let allows = |(attr, dtypes): &(String, Vec<DType>)| match node.attrs.get(attr) {
            Some(AttrValue::Type(dtype)) => dtypes.contains(dtype),
            _ => true,
        };
        self.device == device_type && self.label == label && self.constraints.iter().all(allows)
    }
}

impl fmt::Display for RejectedDeclaration {
    /// The declaration, without the reason.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kernel = match &self.item {
            RejectedItem::Op => return write!(f, "op `{}`", self.op),
            RejectedItem::Gradient => return write!(f, "gradient of op `{}`", self.op),
            RejectedItem::Kernel(kernel) => kernel,
        };
        write!(f, "kernel of op `{}` for device `{}`", self.op, kernel.device)?;
        for (attr, dtypes) in &kernel.constraints {
            let names: Vec<&str> = dtypes.iter().map(|dtype| dtype.name()).collect();
            write!(f, ", {attr}={}", names.join(" or "))?;
        }
        if !kernel.label.is_empty() {
            write!(f, ", label `{}`", kernel.label)?;
        }
        Ok(())
    }
}

/// Everything that was not taken.
#[derive(Debug, Default)]
pub(super) struct Rejected {
    plugins: Vec<RejectedPlugin>,
    declarations: Vec<RejectedDeclaration>,
}

impl Rejected {
    pub(super) fn of_plugins(plugins: Vec<RejectedPlugin>) -> Self {
        Self { plugins, declarations: Vec::new() }
    }
}

impl Registry {
    /// Keeps note of a plugin that was refused after sealing, so that a later miss can name it.
    pub fn record_rejected_plugin(&self, path: impl Into<String>, reason: impl Into<String>, ops: &[&str]) {
        let plugin = RejectedPlugin::new(path, reason, ops);
        self.rejected().plugins.push(plugin);
    }

    /// Forgets that the plugin of this file was refused.
    pub fn forget_rejected_plugin(&self, path: &str) {
        self.rejected().plugins.retain(|plugin| plugin.path != path);
    }

    /// Keeps note of declarations that were left out, so that a later miss can name them.
    pub fn record_rejected_declarations(&self, declarations: &[RejectedDeclaration]) {
        self.rejected().declarations.extend_from_slice(declarations);
    }

    fn rejected(&self) -> MutexGuard<'_, Rejected> {
        self.rejected.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A plugin that was refused and declares the op, or has kernels for it.
    pub(super) fn rejecting_plugin(&self, op: &str) -> Option<RejectedPlugin> {
        self.rejected().plugins.iter().find(|plugin| plugin.ops.iter().any(|name| name == op)).cloned()
    }

    /// What was left out of the op: its declaration, or else the first of its kernels.
    pub(super) fn rejected_op(&self, op: &str) -> Option<RejectedDeclaration> {
        let rejected = self.rejected();
        let of_op = rejected.declarations.iter().filter(|declaration| declaration.op == op);
        of_op.min_by_key(|declaration| declaration.item != RejectedItem::Op).cloned()
    }

    /// The first kernel that was left out and would serve the node.
    pub(super) fn rejected_kernel(
        &self,
        op: &str,
        device_type: &str,
        label: &str,
        node: &NodeInfo,
    ) -> Option<RejectedDeclaration> {
        let rejected = self.rejected();
        let mut of_op = rejected.declarations.iter().filter(|declaration| declaration.op == op);
        let serves = |item: &RejectedItem| matches!(item, RejectedItem::Kernel(kernel) if kernel.would_serve(device_type, label, node));
        of_op.find(|declaration| serves(&declaration.item)).cloned()
    }
}
