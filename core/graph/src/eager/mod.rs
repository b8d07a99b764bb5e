//! Calls of ops at once: typed ones through [`EagerHost`](oplink_api::call::EagerHost), ones by name with attrs, and
//! handles that keep a call site's kernels. Executors queue calls, and a cancellation manager ends them early.
//!
//! Calls stand on the registry and prepared kernels alone; what they know of graphs is in `context_functions`, the
//! functions that they may name.

mod cache;
mod call;
mod cancellation_manager;
mod context;
mod context_functions;
mod device_contexts;
mod env;
mod executor;
#[cfg(test)]
mod executor_tests;
mod executors;
mod functions;
mod handle;
mod infer;
mod node_call;
mod on_device;
mod pending;
mod place;
mod recent;
mod scope;
mod signature;
#[cfg(test)]
mod tests;

pub use call::{EagerCall, Placed};
pub use cancellation_manager::CancellationManager;
pub use context::EagerContext;
pub use context_functions::ContextFunctions;
pub use executor::{EagerExecutor, QueuedCall};
pub use executors::Executors;
pub use functions::CallableFunctions;
pub use handle::OpHandle;
pub use infer::KnownInputs;
pub use node_call::NodeCall;
pub use pending::PendingTensor;

pub use scope::{device_of_scope, on_device};
