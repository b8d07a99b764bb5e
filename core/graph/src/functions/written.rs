//! Graphs that kernels write and read: datasets as graphs, for example.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use oplink_api::function::{WriteOptions, WrittenNode};
use oplink_api::{AttrValue, Code, DType, Error, ErrorKind, Output, Result, ResultExt, bail};
use oplink_core::Registry;
use oplink_proto::attr_value::Value;
use oplink_proto::{AttrValue as AttrMessage, FunctionDef, FunctionDefLibrary, GraphDef, NodeDef};
use oplink_spec::ArgType;

use super::stateful::named;
use super::{BodyNodes, FunctionOptions};
use crate::build::NewNode;
use crate::convert::attr_to_proto;
use crate::graph::CallInference;
use crate::known_ops::KnownOp;
use crate::library::Functions;
use crate::{Graph, load};

/// The op of the nodes whose inputs are a graph's results. No kernel runs it.
const RESULT_OP: &str = "_Retval";
/// The attr of such a node that has the result's number.
const RESULT_INDEX: &str = "index";
/// The name of the node with the result of a graph that is written.
const RESULT_NAME: &str = "dataset";

/// What the graph is made within.
pub(crate) struct Library<'a> {
    pub(crate) functions: &'a Arc<Functions>,
    pub(crate) registry: &'a Arc<Registry>,
    pub(crate) call_inference: CallInference,
}

impl Library<'_> {
    fn graph(&self) -> Graph {
        let mut graph = Graph::empty(self.registry, self.call_inference);
        graph.functions = self.functions.clone();
        graph
    }

    /// The message of these nodes and the functions that they need. The last node's first output is the result.
    pub(crate) fn write(&self, nodes: &[WrittenNode<'_>], options: WriteOptions) -> Result<Vec<u8>> {
        let mut graph = self.graph();
        for (position, node) in nodes.iter().enumerate() {
            let inputs: Vec<Output> =
                node.inputs.iter().map(|&input| Output { node: input as u32, index: 0 }).collect();
            let attrs: Vec<(&str, AttrValue)> = node.attrs.iter().map(|(name, value)| (name, value.clone())).collect();
            let name = format!("{}/_{position}", node.op);
            let new = NewNode { op: node.op, name: &name, device: "", inputs: &[], control_inputs: &[], attrs: &attrs };
            graph.add_flat(new, &inputs)?;
        }
        let mut def = graph.to_def()?;
        let Some(last) = nodes.len().checked_sub(1) else { bail!("a graph of no nodes has no result") };
        let result = Output { node: last as u32, index: 0 };
        let Some(dtype) = graph.dtype(result) else { bail!("the last node has no output") };
        let attrs = [("T", AttrValue::Type(dtype)), (RESULT_INDEX, AttrValue::Int(0))];
        let attrs = attrs.into_iter().map(|(name, value)| Ok((name.to_owned(), attr_to_proto(&value)?)));
        def.node.push(NodeDef {
            name: RESULT_NAME.to_owned(),
            op: RESULT_OP.to_owned(),
            input: vec![graph.output_name(result)],
            attr: attrs.collect::<Result<_>>()?,
            ..NodeDef::default()
        });
        def.library = self.needed(&def.node)?;
        if options.numbers_functions {
            number_functions(&mut def);
        }
        if options.strips_devices {
            let functions = def.library.iter_mut().flat_map(|library| &mut library.function);
            functions.flat_map(|function| &mut function.node_def).for_each(|node| node.device.clear());
        }
        Ok(oplink_proto::to_bytes(&def))
    }

    /// The functions that the nodes name, and those that these name, in the order in which they are found.
    fn needed(&self, nodes: &[NodeDef]) -> Result<Option<FunctionDefLibrary>> {
        let mut found: Vec<&FunctionDef> = Vec::new();
        let mut known: HashSet<&str> = HashSet::new();
        let mut pending: VecDeque<&str> = nodes.iter().flat_map(|node| self.called(node)).collect();
        while let Some(name) = pending.pop_front() {
            if known.insert(name) {
                let entry = self.functions.find(name)?;
                pending.extend(entry.def.node_def.iter().flat_map(|node| self.called(node)));
                found.push(&entry.def);
            }
        }
        let function = found.into_iter().cloned().collect::<Vec<_>>();
        Ok((!function.is_empty()).then(|| FunctionDefLibrary { function, ..FunctionDefLibrary::default() }))
    }

    /// The functions that a node calls, as its op or by attrs.
    fn called<'n>(&'n self, node: &'n NodeDef) -> impl Iterator<Item = &'n str> {
        let as_op = (self.registry.get_op(&node.op).is_none()).then_some(node.op.as_str());
        as_op.filter(|op| self.functions.get(op).is_some()).into_iter().chain(named(node))
    }

    /// The ops with effects in a function and in those that it calls, of those that are marked as stateful. A call has
    /// those of what it calls.
    pub(crate) fn stateful_ops(&self, function: &str) -> Result<Vec<String>> {
        let root = self.functions.find(function)?;
        let called = self.needed(&root.def.node_def)?.unwrap_or_default();
        let mut ops: Vec<String> = Vec::new();
        let is_marked = |def: &&FunctionDef| def.signature.as_ref().is_some_and(|signature| signature.is_stateful);
        let marked = std::iter::once(&root.def).chain(&called.function).filter(is_marked);
        for node in marked.flat_map(|def| &def.node_def) {
            let has_effects = self.registry.get_op(&node.op).is_some_and(|op| op.spec.flags.stateful)
                && !is_call(KnownOp::named(&node.op))
                && !self.makes_a_variant(&node.op);
            if has_effects && !ops.contains(&node.op) {
                ops.push(node.op.clone());
            }
        }
        Ok(ops)
    }

    /// Whether a variant is all that an op gives: it makes a dataset, for example.
    fn makes_a_variant(&self, op: &str) -> bool {
        let spec = self.registry.get_op(op).map(|op| &op.spec);
        spec.is_some_and(|spec| {
            matches!(&spec.outputs[..], [only] if only.ty == ArgType::Type(DType::Variant) && !only.is_sequence())
        })
    }

    /// The graph with a function for the nodes of a message, and the function's name.
    pub(crate) fn read(&self, bytes: &[u8]) -> Result<(Graph, String)> {
        let mut def = load::decode(bytes.to_vec().into())?;
        let results: Vec<NodeDef> = def.node.extract_if(.., |node| node.op == RESULT_OP).collect();
        let mut graph = Graph::import(&def, self.registry)?;
        let mut outputs = results
            .iter()
            .map(|node| Ok((index_of(node), graph.output_named(node.input.first().map_or("", String::as_str))?)))
            .collect::<Result<Vec<_>>>()
            .context_with(|| "the results of the graph".to_owned())?;
        if outputs.is_empty() {
            let message = format!("the graph has no node of the op {RESULT_OP}, whose input is its result");
            return Err(Error::new(Code::NotFound, ErrorKind::InvalidGraph, message));
        }
        outputs.sort_by_key(|&(index, _)| index);
        let outputs: Vec<Output> = outputs.into_iter().map(|(_, output)| output).collect();
        let taken = |name: &str| graph.functions.get(name).is_some() || self.registry.get_op(name).is_some();
        let mut name = "graph".to_owned();
        while taken(&name) {
            name.push('_');
        }
        let options = FunctionOptions { nodes: BodyNodes::Needed, ..FunctionOptions::default() };
        let function = graph.to_function(&name, &[], &outputs, &options)?;
        graph.add_function(&function)?;
        Ok((graph, name))
    }
}

/// Whether the op does no more than to call functions.
fn is_call(op: KnownOp) -> bool {
    matches!(op, KnownOp::StatefulPartitionedCall | KnownOp::If | KnownOp::Case | KnownOp::While)
}

fn index_of(node: &NodeDef) -> i64 {
    match node.attr.get(RESULT_INDEX).and_then(|attr| attr.value.as_ref()) {
        Some(Value::I(index)) => *index,
        _ => 0,
    }
}

/// Names the functions of a graph after their places in its library.
fn number_functions(def: &mut GraphDef) {
    let Some(library) = &mut def.library else { return };
    let names = library.function.iter().zip(0..).filter_map(|(function, number)| {
        Some((function.signature.as_ref()?.name.clone(), format!("function_{number}")))
    });
    let names: HashMap<String, String> = names.collect();
    let rename = |name: &mut String| {
        if let Some(new) = names.get(name.as_str()) {
            name.clone_from(new);
        }
    };
    let bodies = library.function.iter_mut().flat_map(|function| {
        function.signature.iter_mut().for_each(|signature| rename(&mut signature.name));
        &mut function.node_def
    });
    for node in def.node.iter_mut().chain(bodies) {
        rename(&mut node.op);
        node.attr.values_mut().for_each(|attr| rename_in(attr, &rename));
    }
}

fn rename_in(attr: &mut AttrMessage, rename: &impl Fn(&mut String)) {
    match &mut attr.value {
        Some(Value::Func(function)) => rename(&mut function.name),
        Some(Value::List(list)) => list.func.iter_mut().for_each(|function| rename(&mut function.name)),
        _ => {}
    }
}
