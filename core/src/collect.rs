//! Collection of what only the runtime knows: device factories and hints. Ops and kernels are collected by the api crate.

#[cfg(feature = "inventory")]
pub use inventory;
#[cfg(not(feature = "inventory"))]
pub use linkme;

use crate::{DeviceFactory, Hints};

#[cfg(not(feature = "inventory"))]
mod slices {
    use crate::{DeviceFactory, Hints};

    /// Every linked device factory.
    #[linkme::distributed_slice]
    pub static DEVICES: [&'static DeviceFactory];
    /// Every linked table of hints.
    #[linkme::distributed_slice]
    pub static HINTS: [&'static Hints];
}

#[cfg(not(feature = "inventory"))]
pub use slices::{DEVICES, HINTS};

#[cfg(feature = "inventory")]
mod nodes {
    use crate::{DeviceFactory, Hints};

    /// An element of the device collection.
    pub struct DeviceNode(pub &'static DeviceFactory);
    /// An element of the hint collection.
    pub struct HintsNode(pub &'static Hints);
    inventory::collect!(DeviceNode);
    inventory::collect!(HintsNode);
}

#[cfg(feature = "inventory")]
pub use nodes::{DeviceNode, HintsNode};

/// Every linked device factory, in no particular order.
pub(crate) fn collected_devices() -> Vec<&'static DeviceFactory> {
    #[cfg(not(feature = "inventory"))]
    let all = slices::DEVICES.iter().copied().collect();
    #[cfg(feature = "inventory")]
    let all = inventory::iter::<nodes::DeviceNode>.into_iter().map(|node| node.0).collect();
    all
}

/// Every linked table of hints, in no particular order.
pub(crate) fn collected_hints() -> Vec<&'static Hints> {
    #[cfg(not(feature = "inventory"))]
    let all = slices::HINTS.iter().copied().collect();
    #[cfg(feature = "inventory")]
    let all = inventory::iter::<nodes::HintsNode>.into_iter().map(|node| node.0).collect();
    all
}

#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "inventory"))]
macro_rules! __collect_core {
    ($slice:ident, $node:ident, $ty:ty, $value:expr) => {
        const _: () = {
            #[$crate::collect::linkme::distributed_slice($crate::collect::$slice)]
            #[linkme(crate = $crate::collect::linkme)]
            static ELEMENT: $ty = $value;
        };
    };
}

#[doc(hidden)]
#[macro_export]
#[cfg(feature = "inventory")]
macro_rules! __collect_core {
    ($slice:ident, $node:ident, $ty:ty, $value:expr) => {
        $crate::collect::inventory::submit! { $crate::collect::$node($value) }
    };
}

/// Makes a static [`DeviceFactory`](crate::DeviceFactory) known to every binary that links the crate.
#[macro_export]
macro_rules! register_device {
    ($factory:path) => {
        $crate::__collect_core!(DEVICES, DeviceNode, &'static $crate::DeviceFactory, &$factory);
    };
}

/// Makes a static table of [`Hints`](crate::Hints) known to every binary that links the crate.
#[macro_export]
macro_rules! register_hints {
    ($hints:path) => {
        $crate::__collect_core!(HINTS, HintsNode, &'static $crate::Hints, &$hints);
    };
}
