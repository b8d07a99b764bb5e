//! What a call returns, as far as it follows from the function's body and the shapes of the arguments.

use std::sync::Arc;

use oplink_api::{AttrMap, NodeInfo, PartialShape};
use oplink_core::Registry;

use super::body::{Around, Body};
use crate::Graph;
use crate::library::CallResults;

/// Calls inside one another that are looked into.
const MAX_DEPTH: usize = 8;

impl Graph {
    /// A graph without nodes over the ops of `registry`.
    pub fn new(registry: &Arc<Registry>) -> Self {
        Self::empty(registry, infer_call)
    }
}

/// What a call returns; `None` where the node calls no function. Nothing is known where it is not looked into: it is
/// being looked into already (recursion), calls are nested too deep, or the body is malformed, which a run reports.
pub(super) fn infer_call(graph: &Graph, info: &NodeInfo, shapes: &[PartialShape]) -> Option<CallResults> {
    let (name, attrs) = called(graph, info)?;
    graph.functions.get(name)?;
    let (depth, known) = (graph.inside.len(), &graph.functions.found().call_shapes);
    if let Some(results) = known.get(name, attrs, shapes, depth) {
        return Some(results);
    }
    if is_cut(graph, name) {
        return Some(CallResults { shapes: None, is_cut: true });
    }
    let body = Body::of_call(graph, name, attrs, shapes);
    let of_body = |body: &Body| body.results.iter().map(|&result| body.graph.shape(result)).collect();
    let is_cut = body.as_ref().is_some_and(|body| body.graph.is_cut);
    let results = CallResults { shapes: body.as_ref().map(of_body), is_cut };
    known.insert(name, attrs, shapes, depth, results.clone());
    Some(results)
}

/// Whether a call is not looked into from inside of this graph.
fn is_cut(graph: &Graph, name: &str) -> bool {
    graph.inside.len() >= MAX_DEPTH || graph.inside.iter().any(|outer| &**outer == name)
}

impl Body {
    /// The body of a function that is called with arguments of these shapes; `None` where it is not looked into, see
    /// [`infer_call`].
    pub(crate) fn of_call(graph: &Graph, name: &str, attrs: &AttrMap, shapes: &[PartialShape]) -> Option<Self> {
        let entry = graph.functions.get(name)?;
        if is_cut(graph, name) {
            return None;
        }
        let inside: Vec<Arc<str>> = graph.inside.iter().cloned().chain([Arc::from(name)]).collect();
        let around = Around {
            functions: &graph.functions,
            registry: &graph.registry,
            versions: graph.versions.as_ref(),
            inside: &inside,
            call_inference: graph.call_inference,
        };
        Self::new(&around, entry, attrs, Some(shapes)).ok()
    }
}

/// The function that a node does nothing but call, with its attrs.
pub(crate) fn called<'a>(graph: &Graph, info: &'a NodeInfo) -> Option<(&'a str, &'a AttrMap)> {
    if let Some(attr) = graph.known_ops.get(info.op_id()).call_attr() {
        let function: &oplink_api::FuncAttr = info.attr(attr).ok()?;
        return Some((&function.name, &function.attrs));
    }
    let is_function = graph.registry.get_op(&info.op.name).is_none();
    is_function.then_some((info.op.name.as_str(), &info.attrs))
}
