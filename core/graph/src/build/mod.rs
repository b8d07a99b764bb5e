//! Adding nodes to a graph: one by one (`add`), or by typed op functions under a name prefix (`scope`).

mod add;
mod scope;

pub use add::NewNode;
pub(crate) use add::{check_deprecation, check_refs};
pub use scope::GraphScope;
