//! Gradients of plugins: functions of a plugin that add nodes to a graph of the host, and what they call.

mod call;
mod scope;

pub(crate) use call::PluginGradient;
pub use scope::{OPLINK_ScopeAddConstant, OPLINK_ScopeAddNode};
