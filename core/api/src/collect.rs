//! The collectors: where descriptors of all linked crates come together.
//!
//! Default: distributed slices that the linker gathers. Feature `inventory`: constructors that run before `main`.
//! Feature `explicit`, which outranks both: nothing is collected, so that a binary holds only what its
//! [`library!`](crate::library) lists name; it hands them to the registry itself, and has no eager calls.

#[cfg(not(feature = "inventory"))]
mod slices {
    use crate::call::HostFactory;
    use crate::descriptor::{Anchor, ExcludedKernel, ExcludedOp, KernelDescriptor, OpDescriptor};
    use crate::gpu::ProgramFunction;
    use crate::gradient::GradientDescriptor;

    /// Every linked `#[op]`.
    #[linkme::distributed_slice]
    pub static OPS: [&'static OpDescriptor];
    /// Every linked `#[kernel]`.
    #[linkme::distributed_slice]
    pub static KERNELS: [&'static KernelDescriptor];
    /// Every linked `#[gradient]`.
    #[linkme::distributed_slice]
    pub static GRADIENTS: [&'static GradientDescriptor];
    /// Every linked op that the selection leaves out.
    #[linkme::distributed_slice]
    pub static EXCLUDED_OPS: [ExcludedOp];
    /// Every linked kernel of such an op.
    #[linkme::distributed_slice]
    pub static EXCLUDED_KERNELS: [ExcludedKernel];
    /// Every linked `#[program]`.
    #[linkme::distributed_slice]
    pub static PROGRAMS: [&'static ProgramFunction];
    /// Every crate named by `link!`.
    #[linkme::distributed_slice]
    pub static ANCHORS: [&'static Anchor];
    /// The runtimes that can execute ops eagerly.
    #[linkme::distributed_slice]
    pub static HOSTS: [HostFactory];
}

#[cfg(not(feature = "inventory"))]
pub use slices::{ANCHORS, EXCLUDED_KERNELS, EXCLUDED_OPS, GRADIENTS, HOSTS, KERNELS, OPS, PROGRAMS};

#[cfg(feature = "inventory")]
mod nodes {
    use crate::call::HostFactory;
    use crate::descriptor::{Anchor, ExcludedKernel, ExcludedOp, KernelDescriptor, OpDescriptor};
    use crate::gpu::ProgramFunction;
    use crate::gradient::GradientDescriptor;

    /// An element of the op collection.
    pub struct OpNode(pub &'static OpDescriptor);
    /// An element of the kernel collection.
    pub struct KernelNode(pub &'static KernelDescriptor);
    /// An element of the gradient collection.
    pub struct GradientNode(pub &'static GradientDescriptor);
    /// An element of the collection of ops left out.
    pub struct ExcludedOpNode(pub ExcludedOp);
    /// An element of the collection of kernels left out.
    pub struct ExcludedKernelNode(pub ExcludedKernel);
    /// An element of the program collection.
    pub struct ProgramNode(pub &'static ProgramFunction);
    /// An element of the anchor collection.
    pub struct AnchorNode(pub &'static Anchor);
    /// An element of the host collection.
    pub struct HostNode(pub HostFactory);
    inventory::collect!(OpNode);
    inventory::collect!(KernelNode);
    inventory::collect!(GradientNode);
    inventory::collect!(ExcludedOpNode);
    inventory::collect!(ExcludedKernelNode);
    inventory::collect!(ProgramNode);
    inventory::collect!(AnchorNode);
    inventory::collect!(HostNode);
}

#[cfg(feature = "inventory")]
pub use nodes::{
    AnchorNode, ExcludedKernelNode, ExcludedOpNode, GradientNode, HostNode, KernelNode, OpNode, ProgramNode,
};

use crate::call::HostFactory;
use crate::descriptor::{Anchor, ExcludedKernel, ExcludedOp, KernelDescriptor, OpDescriptor};
use crate::gpu::ProgramFunction;
use crate::gradient::GradientDescriptor;

macro_rules! collected {
    ($(#[$doc:meta])* $name:ident: $ty:ty, $slice:ident, $node:ident) => {
        $(#[$doc])*
        pub fn $name() -> Vec<$ty> {
            #[cfg(feature = "explicit")]
            let all = Vec::new();
            #[cfg(not(any(feature = "inventory", feature = "explicit")))]
            let all = slices::$slice.iter().copied().collect();
            #[cfg(all(feature = "inventory", not(feature = "explicit")))]
            let all = inventory::iter::<nodes::$node>.into_iter().map(|node| node.0).collect();
            all
        }
    };
}

collected!(
    /// Every linked op, in no particular order.
    collected_ops: &'static OpDescriptor, OPS, OpNode);
collected!(
    /// Every linked kernel, in no particular order.
    collected_kernels: &'static KernelDescriptor, KERNELS, KernelNode);
collected!(
    /// Every linked gradient, in no particular order.
    collected_gradients: &'static GradientDescriptor, GRADIENTS, GradientNode);
collected!(
    /// Every linked op that the build's selection leaves out, in no particular order.
    collected_excluded_ops: ExcludedOp, EXCLUDED_OPS, ExcludedOpNode);
collected!(
    /// Every linked kernel of an op that the build's selection leaves out, in no particular order.
    collected_excluded_kernels: ExcludedKernel, EXCLUDED_KERNELS, ExcludedKernelNode);
collected!(
    /// Every linked program that kernels launch themselves, in no particular order.
    collected_programs: &'static ProgramFunction, PROGRAMS, ProgramNode);
collected!(
    /// Every anchored crate.
    collected_anchors: &'static Anchor, ANCHORS, AnchorNode);
collected!(
    /// Every linked runtime.
    collected_hosts: HostFactory, HOSTS, HostNode);

/// Adds a descriptor to a collection: what expansions end in.
#[doc(hidden)]
#[macro_export]
#[cfg(not(any(feature = "inventory", feature = "explicit")))]
macro_rules! __collect {
    ($slice:ident, $node:ident, $ty:ty, $value:expr) => {
        const _: () = {
            #[$crate::__private::linkme::distributed_slice($crate::__private::$slice)]
            #[linkme(crate = $crate::__private::linkme)]
            static ELEMENT: $ty = $value;
        };
    };
}

/// Adds a descriptor to a collection: what expansions end in.
#[doc(hidden)]
#[macro_export]
#[cfg(all(feature = "inventory", not(feature = "explicit")))]
macro_rules! __collect {
    ($slice:ident, $node:ident, $ty:ty, $value:expr) => {
        $crate::__private::inventory::submit! { $crate::__private::$node($value) }
    };
}

/// Checks a descriptor and keeps nothing of it: what expansions end in.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "explicit")]
macro_rules! __collect {
    ($slice:ident, $node:ident, $ty:ty, $value:expr) => {
        const _: $ty = $value;
    };
}

/// Ops and kernels of a build: the sums of the families, `(name, ops, kernels)`, that are enabled. For
/// [`anchor!`](crate::anchor) in crates with a Cargo feature for each family.
#[doc(hidden)]
pub const fn declared(families: &[(&str, usize, usize)], enabled: &[bool]) -> (usize, usize) {
    let (mut ops, mut kernels, mut at) = (0, 0, 0);
    while at < families.len() {
        if enabled[at] {
            ops += families[at].1;
            kernels += families[at].2;
        }
        at += 1;
    }
    (ops, kernels)
}

/// Declares, once at a crate's root, how many ops, kernels and gradients the crate contributes, so that
/// [`link!`](crate::link) can tell when the linker dropped some.
///
/// `anchor!(ops = 3, kernels = 5, gradients = 2);` — the numbers are constant expressions. Gradients may be left out
/// where there are none; with `anchor!()` at least one op and one kernel are expected.
#[macro_export]
macro_rules! anchor {
    () => {
        $crate::anchor!(ops = 1, kernels = 1);
    };
    (ops = $ops:expr, kernels = $kernels:expr $(,)?) => {
        $crate::anchor!(ops = $ops, kernels = $kernels, gradients = 0);
    };
    (ops = $ops:expr, kernels = $kernels:expr, gradients = $gradients:expr $(,)?) => {
        #[doc(hidden)]
        pub static __OPLINK_ANCHOR: $crate::__private::Anchor = $crate::__private::Anchor {
            crate_name: ::core::env!("CARGO_PKG_NAME"),
            ops: $ops,
            kernels: $kernels,
            gradients: $gradients,
        };
    };
}

/// Names crates whose ops and kernels must be in this binary: keeps the linker from dropping a dependency that no
/// code names, and makes sealing the registry fail where less arrived than the crate's [`anchor!`](crate::anchor)
/// declares.
#[macro_export]
macro_rules! link {
    ($($krate:path),+ $(,)?) => {$(
        const _: () = {
            use $krate as linked;
            $crate::__collect!(ANCHORS, AnchorNode, &'static $crate::__private::Anchor, &linked::__OPLINK_ANCHOR);
        };
    )+};
}
