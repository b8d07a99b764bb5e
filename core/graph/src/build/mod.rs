//! Adding nodes to a graph: one by one (`add`), or by typed op functions under a name prefix (`scope`); changing the
//! attrs of one that stands (`attrs`).

mod add;
mod attrs;
mod scope;

pub use add::NewNode;
pub(crate) use add::{check_deprecation, check_refs};
pub use scope::GraphScope;
