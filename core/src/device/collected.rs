//! Collection of the device factories that are linked.

use super::DeviceFactory;

#[cfg(not(feature = "inventory"))]
mod slices {
    use crate::device::DeviceFactory;

    /// Every linked device factory.
    #[linkme::distributed_slice]
    pub static DEVICES: [&'static DeviceFactory];
}

#[cfg(not(feature = "inventory"))]
pub use slices::DEVICES;

#[cfg(feature = "inventory")]
mod nodes {
    use crate::device::DeviceFactory;

    /// An element of the collection.
    pub struct DeviceNode(pub &'static DeviceFactory);
    inventory::collect!(DeviceNode);
}

#[cfg(feature = "inventory")]
pub use nodes::DeviceNode;

/// Every linked device factory, in no particular order.
pub(super) fn collected_devices() -> Vec<&'static DeviceFactory> {
    #[cfg(not(feature = "inventory"))]
    let all = slices::DEVICES.iter().copied().collect();
    #[cfg(feature = "inventory")]
    let all = inventory::iter::<nodes::DeviceNode>.into_iter().map(|node| node.0).collect();
    all
}
