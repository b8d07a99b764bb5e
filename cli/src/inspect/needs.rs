//! What lies behind nodes of a graph: the ops and the functions that a run of them may need.

use std::collections::{BTreeSet, HashMap};

use oplink_proto::attr_value::Value;
use oplink_proto::{FunctionDef, GraphDef, NameAttrList, NodeDef};

/// A part of a model, by the name that its users know.
pub(super) struct Part<'d> {
    pub(super) name: String,
    pub(super) needs: Needs<'d>,
}

/// Ops and functions, by name.
#[derive(Default)]
pub(super) struct Needs<'d> {
    pub(super) ops: BTreeSet<&'d str>,
    pub(super) functions: BTreeSet<&'d str>,
}

impl<'d> Needs<'d> {
    /// What a run of these nodes may need; tensors stand for their nodes.
    pub(super) fn of(def: &'d GraphDef, roots: &[&str]) -> Self {
        let nodes: HashMap<&str, &NodeDef> = def.node.iter().map(|node| (node.name.as_str(), node)).collect();
        let functions: HashMap<&str, &FunctionDef> = def
            .library
            .iter()
            .flat_map(|library| &library.function)
            .filter_map(|function| Some((function.signature.as_ref()?.name.as_str(), function)))
            .collect();
        let mut needs = Self::default();
        let mut seen = BTreeSet::new();
        let mut pending: Vec<&NodeDef> = roots.iter().filter_map(|root| nodes.get(node_of(root)).copied()).collect();
        while let Some(node) = pending.pop() {
            if seen.insert(node.name.as_str()) {
                pending.extend(node.input.iter().filter_map(|input| nodes.get(node_of(input)).copied()));
                needs.add(node, &functions);
            }
        }
        needs
    }

    fn add(&mut self, node: &'d NodeDef, functions: &HashMap<&'d str, &'d FunctionDef>) {
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            let called = node.attr.values().flat_map(|attr| callees(attr.value.as_ref())).map(|callee| &callee.name);
            for name in called.chain([&node.op]) {
                let function = functions.get_key_value(name.as_str());
                if let Some((_, function)) = function.filter(|(name, _)| self.functions.insert(**name)) {
                    pending.extend(&function.node_def);
                }
                if function.is_none() && name == &node.op {
                    self.ops.insert(&node.op);
                }
            }
        }
    }
}

fn callees(value: Option<&Value>) -> &[NameAttrList] {
    match value {
        Some(Value::Func(function)) => std::slice::from_ref(function),
        Some(Value::List(list)) => &list.func,
        _ => &[],
    }
}

/// The node of an input or a tensor: `^node`, `node:1`, `node`.
fn node_of(name: &str) -> &str {
    let name = name.trim_start_matches('^');
    name.split_once(':').map_or(name, |(node, _)| node)
}
