//! Functions that eager calls may name in place of ops.

use std::sync::Arc;

use oplink_api::function::FunctionLibrary;
use oplink_api::spec::OpSpec;
use oplink_api::{NodeInfo, Result};
use oplink_core::OpEntry;

/// The functions of a context.
pub trait CallableFunctions: FunctionLibrary {
    /// The signature of a function; `None` where there is none of this name.
    fn spec(&self, name: &str) -> Option<Arc<OpSpec>>;

    /// The node that calls a function, made of what `node` makes of its signature; `None` where there is none of this
    /// name.
    fn call_node(&self, name: &str, node: &dyn Fn(&OpEntry) -> Result<NodeInfo>) -> Option<Result<NodeInfo>>;
}
