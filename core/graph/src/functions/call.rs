//! A node whose op is a function, as the node that calls it.

use oplink_api::{AttrMap, AttrValue, FuncAttr, NodeInfo, Result};
use oplink_core::node_from_attrs;

use crate::Graph;
use crate::known_ops::KnownOp;

/// The node that runs in place of one whose op is a function of the graph's library; `None` for any other node.
///
/// # Errors
/// The op that calls functions is not declared.
pub(crate) fn as_call(graph: &Graph, info: &NodeInfo) -> Result<Option<NodeInfo>> {
    if graph.registry.get_op(&info.op.name).is_some() || graph.functions.get(&info.op.name).is_none() {
        return Ok(None);
    }
    let function = FuncAttr { name: info.op.name.clone(), attrs: info.attrs.clone() };
    let attrs = [
        ("Tin", AttrValue::Types(info.input_dtypes.clone())),
        ("Tout", AttrValue::Types(info.output_dtypes.clone())),
        ("f", AttrValue::Func(function)),
    ];
    node_from_attrs(graph.registry.op(KnownOp::StatefulPartitionedCall.name())?, &*info.name, &*info.device, attrs)
        .map(Some)
}

/// Whether a run of the node calls a function: one that an attr names, or one of the graph's library that is its op.
pub(crate) fn calls_function(graph: &Graph, info: &NodeInfo) -> bool {
    names_function(&info.attrs)
        || graph.functions.get(&info.op.name).is_some() && graph.registry.get_op(&info.op.name).is_none()
}

/// Whether an attr names a function.
pub(crate) fn names_function(attrs: &AttrMap) -> bool {
    attrs.iter().any(|(_, value)| matches!(value, AttrValue::Func(_) | AttrValue::Funcs(_)))
}
