//! Calls of ops at once: typed ones through [`EagerHost`](oplink_api::EagerHost), ones by name with attrs, and handles
//! that keep a call site's kernels.
//!
//! The module stands on the registry and prepared kernels alone; it knows nothing of graphs.

mod cache;
mod context;
mod env;
mod functions;
mod handle;
mod on_device;
mod place;
mod scope;
#[cfg(test)]
mod tests;

pub use context::EagerContext;
pub use functions::CallableFunctions;
pub use handle::OpHandle;
pub use place::{EagerCall, Placed};
pub use scope::on_device;
