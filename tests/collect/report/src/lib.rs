//! Says in one line what the default registry of this process holds.

use oplink_core::Registry;

/// `ops=… kernels=…`, the sealing error, or the error of a miss where nothing arrived.
pub fn report() -> String {
    match Registry::global() {
        Ok(registry) => match registry.op("CollectFirst") {
            Ok(_) => format!("ops={} kernels={}", registry.ops().count(), registry.kernels().count()),
            Err(miss) => format!("miss {:?}: {}", miss.kind(), miss.message()),
        },
        Err(error) => format!("error {:?}: {}", error.kind(), error.message()),
    }
}
