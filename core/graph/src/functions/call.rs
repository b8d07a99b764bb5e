//! A node whose op is a function, as the node that calls it.

use oplink_api::descriptors::OpFact;
use oplink_api::{AttrValue, FuncAttr, NodeInfo, Result};
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
    names_function(graph, info)
        || graph.functions.get(&info.op.name).is_some() && graph.registry.get_op(&info.op.name).is_none()
}

/// Whether an attr names a function. Those of an elementwise op name the ops that it is made of.
pub(crate) fn names_function(graph: &Graph, info: &NodeInfo) -> bool {
    let is_name = |value: &AttrValue| matches!(value, AttrValue::Func(_) | AttrValue::Funcs(_));
    let is_elementwise = || graph.registry.get_op(&info.op.name).is_some_and(|op| op.is(OpFact::Elementwise));
    info.attrs.iter().any(|(_, value)| is_name(value)) && !is_elementwise()
}
