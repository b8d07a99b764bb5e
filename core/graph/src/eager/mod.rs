//! Calls of ops at once: typed ones through [`EagerHost`](oplink_api::call::EagerHost), ones by name with attrs, and
//! handles that keep a call site's kernels.
//!
//! Calls stand on the registry and prepared kernels alone; what they know of graphs is in `context_functions`, the
//! functions that they may name.

mod cache;
mod call;
mod context;
mod context_functions;
mod device_contexts;
mod env;
mod functions;
mod handle;
mod on_device;
mod place;
mod scope;
#[cfg(test)]
mod tests;

pub use call::{EagerCall, Placed};
pub use context::EagerContext;
pub use context_functions::ContextFunctions;
pub use functions::CallableFunctions;
pub use handle::OpHandle;

pub use scope::on_device;
