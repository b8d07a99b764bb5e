//! Which functions have effects: those with a stateful node, or that call one that has them.

use std::collections::{HashMap, HashSet};

use oplink_api::NodeInfo;
use oplink_api::{AttrValue, FuncAttr};
use oplink_core::OpEntry;
use oplink_proto::NodeDef;
use oplink_proto::attr_value::Value;

use super::shapes::called;
use crate::Graph;
use crate::library::ARE_LINKED;

/// Whether the node calls a function of the graph's library that has effects, as its op or by an attr.
pub(crate) fn calls_stateful_function(graph: &Graph, info: &NodeInfo) -> bool {
    if !ARE_LINKED || graph.functions.library().is_none() {
        return false;
    }
    calls_one_of(graph, info, graph.functions.found().stateful.get_or_init(|| find(graph)))
}

/// Whether the node calls one of these functions, as its op or by an attr.
pub(super) fn calls_one_of(graph: &Graph, info: &NodeInfo, functions: &HashSet<String>) -> bool {
    let is_found = |function: &FuncAttr| functions.contains(&function.name);
    called(graph, info).is_some_and(|(name, _)| functions.contains(name))
        || info.attrs.iter().any(|(_, value)| match value {
            AttrValue::Func(function) => is_found(function),
            AttrValue::Funcs(functions) => functions.iter().any(is_found),
            _ => false,
        })
}

/// The names of all functions with effects.
fn find(graph: &Graph) -> HashSet<String> {
    find_with_callers(graph, |op| op.spec.flags.stateful)
}

/// The names of all functions that are so themselves, have a node of an op that is, or call one that is found. An op
/// that is not known counts as one.
pub(super) fn find_with_callers(graph: &Graph, is_found: impl Fn(&OpEntry) -> bool) -> HashSet<String> {
    let mut callers: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut pending: Vec<&str> = Vec::new();
    for entry in graph.functions.entries() {
        let name = entry.op.name();
        for node in &entry.def.node_def {
            match (graph.registry.get_op(&node.op), graph.functions.get(&node.op)) {
                (Some(op), _) if is_found(op) => pending.push(name),
                (None, Some(_)) => callers.entry(&node.op).or_default().push(name),
                (None, None) => pending.push(name),
                _ => {}
            }
            named(node).for_each(|called| callers.entry(called).or_default().push(name));
        }
        if is_found(&entry.op) {
            pending.push(name);
        }
    }
    let mut found = HashSet::new();
    while let Some(name) = pending.pop() {
        if found.insert(name.to_owned()) {
            pending.extend(callers.get(name).into_iter().flatten());
        }
    }
    found
}

/// The functions that the attrs of a node name.
pub(super) fn named(node: &NodeDef) -> impl Iterator<Item = &str> {
    node.attr
        .values()
        .flat_map(|attr| match &attr.value {
            Some(Value::Func(function)) => std::slice::from_ref(function),
            Some(Value::List(list)) => list.func.as_slice(),
            _ => &[],
        })
        .map(|function| function.name.as_str())
}
