//! Collection of the hints that are linked.

use super::Hints;

#[cfg(not(feature = "inventory"))]
mod slices {
    use crate::registry::Hints;

    /// Every linked table of hints.
    #[linkme::distributed_slice]
    pub static HINTS: [&'static Hints];
}

#[cfg(not(feature = "inventory"))]
pub use slices::HINTS;

#[cfg(feature = "inventory")]
mod nodes {
    use crate::registry::Hints;

    /// An element of the collection.
    pub struct HintsNode(pub &'static Hints);
    inventory::collect!(HintsNode);
}

#[cfg(feature = "inventory")]
pub use nodes::HintsNode;

/// Every linked table of hints, in no particular order.
pub(super) fn collected_hints() -> Vec<&'static Hints> {
    #[cfg(not(feature = "inventory"))]
    let all = slices::HINTS.iter().copied().collect();
    #[cfg(feature = "inventory")]
    let all = inventory::iter::<nodes::HintsNode>.into_iter().map(|node| node.0).collect();
    all
}
