//! The registry: every declared op, every kernel and every gradient, checked against each other, then immutable.
//!
//! `builder` gathers, `seal` checks everything and reports all conflicts at once, `lookup` finds kernels, `miss` says
//! why there is none. `extend` makes a new registry of an old one and of what a plugin declares; `global` is the
//! process's.

mod builder;
mod check_gradients;
mod check_kernels;
pub(crate) mod collected;
mod conflicts;
mod extend;
mod extend_valid;
mod for_attrs;
mod global;
mod hash;
mod key;
mod lookup;
mod memo;
mod miss;
mod nearest;
mod op_entry;
mod rejected;
mod seal;
mod unlinked;

use std::sync::{Arc, Mutex};

use oplink_api::Result;
use oplink_api::descriptors::{
    ExcludedOp, GradientDescriptor, KernelDescriptor, KernelEntry, KernelFunction, Location,
};

pub use builder::RegistryBuilder;
pub use extend::Declarations;
pub use extend_valid::ValidExtension;
pub use op_entry::OpEntry;
pub use rejected::{RejectedDeclaration, RejectedItem, RejectedKernel, RejectedPlugin};
pub use unlinked::Hints;

use hash::NameIndex;
use key::KernelKeys;
use memo::Memo;
use rejected::Rejected;
use unlinked::Hint;

/// A kernel declared for this op serves every op of its device that has no kernel of its own.
pub const ANY_OP: &str = "*";

/// Stands for the crate in locations of what a plugin declares: the file is the plugin's.
pub const PLUGIN_CRATE: &str = "plugin";
/// Kernels declared for this type of device serve devices of every type that have no kernel of their own: TensorFlow's
/// `DEFAULT`.
pub const DEFAULT_DEVICE_TYPE: &str = "DEFAULT";

/// Every op and kernel of the process, or of a test.
pub struct Registry {
    ops: Vec<OpRecord>,
    index: NameIndex,
    any_op: Vec<KernelRecord>,
    /// Ops that the build's selection leaves out.
    excluded: Vec<ExcludedOp>,
    hints: Vec<Hint>,
    /// Shared with the registries made of this one.
    rejected: Arc<Mutex<Rejected>>,
    memo: Memo,
}

/// An op with its kernels, best first, and its gradient.
#[derive(Clone)]
struct OpRecord {
    entry: OpEntry,
    kernels: Vec<KernelRecord>,
    /// Kernels of plugins that serve nodes which another kernel serves at the same priority: such nodes are refused.
    duplicates: Vec<KernelRecord>,
    gradient: Option<&'static GradientDescriptor>,
}

impl OpRecord {
    /// An op without kernels and gradient.
    fn new(entry: OpEntry) -> Self {
        Self { entry, kernels: Vec::new(), duplicates: Vec::new(), gradient: None }
    }
}

/// One `#[kernel]` with what its lookup compares.
#[derive(Clone)]
struct KernelRecord {
    descriptor: &'static KernelDescriptor,
    keys: KernelKeys,
}

impl KernelRecord {
    /// A kernel that fits the op.
    fn new(descriptor: &'static KernelDescriptor, op: &OpEntry) -> Self {
        Self { descriptor, keys: KernelKeys::new(descriptor, &op.spec) }
    }
}

/// A kernel that serves a node: its declaration and the entry for the node's dtypes.
#[derive(Clone, Copy, Debug)]
pub struct KernelRef {
    /// The declaration.
    pub descriptor: &'static KernelDescriptor,
    /// The combination of dtypes.
    pub entry: &'static KernelEntry,
    /// What computes where the declaration is a fallback to the host: the entry of the host's kernel.
    pub(crate) of_host: Option<&'static KernelEntry>,
}

impl KernelRef {
    /// The function: that of the host's kernel where the declaration is a fallback to it.
    #[inline]
    pub fn function(&self) -> KernelFunction {
        self.of_host.unwrap_or(self.entry).function
    }

    /// Where the kernel is declared.
    pub fn location(&self) -> &'static Location {
        &self.descriptor.location
    }
}

impl Registry {
    /// The declaration of an op.
    ///
    /// # Errors
    /// `PluginRejected`, `NotLinked` or `OpNotDeclared`, by what is known of the name.
    #[inline]
    pub fn op(&self, name: &str) -> Result<&OpEntry> {
        self.record(name).map(|record| &record.entry)
    }

    /// The declaration of an op, where there is one.
    pub fn get_op(&self, name: &str) -> Option<&OpEntry> {
        self.position(name).map(|at| &self.ops[at].entry)
    }

    /// Every op, sorted by name.
    pub fn ops(&self) -> impl Iterator<Item = &OpEntry> {
        self.ops.iter().map(|record| &record.entry)
    }

    /// Every kernel, sorted by op, device, label, priority (highest first), constraints and location; kernels for
    /// [`ANY_OP`] come last.
    pub fn kernels(&self) -> impl Iterator<Item = &'static KernelDescriptor> {
        self.ops.iter().flat_map(|record| &record.kernels).chain(&self.any_op).map(|kernel| kernel.descriptor)
    }

    /// The kernels of one op; none where the op is unknown.
    pub fn kernels_of(&self, op: &str) -> impl Iterator<Item = &'static KernelDescriptor> {
        let kernels = self.position(op).map_or(&[][..], |at| &self.ops[at].kernels);
        kernels.iter().map(|kernel| kernel.descriptor)
    }

    /// The gradient of an op, where one is linked.
    pub fn gradient(&self, op: &str) -> Option<&'static GradientDescriptor> {
        self.position(op).and_then(|at| self.ops[at].gradient)
    }

    /// Every gradient, sorted by op.
    pub fn gradients(&self) -> impl Iterator<Item = &'static GradientDescriptor> {
        self.ops.iter().filter_map(|record| record.gradient)
    }
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Registry({} ops, {} kernels)", self.ops.len(), self.kernels().count())
    }
}
