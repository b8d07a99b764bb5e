//! Collection of what only the runtime knows: device factories and hints. Ops and kernels are collected by the api
//! crate.

#[cfg(feature = "inventory")]
pub use inventory;
#[cfg(not(feature = "inventory"))]
pub use linkme;

#[cfg(not(feature = "inventory"))]
pub use crate::{device::collected::DEVICES, registry::collected::HINTS};
#[cfg(feature = "inventory")]
pub use crate::{device::collected::DeviceNode, registry::collected::HintsNode};

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
