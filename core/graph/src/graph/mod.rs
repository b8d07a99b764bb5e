//! A graph: nodes checked against their ops, with inferred dtypes and shapes.
//!
//! Nodes are added and never removed, so that an [`Output`] stays valid for the graph's life. Inputs of a node that is
//! added exist already; imported nodes stand in the order of their message, which may be any. No graph has a cycle but
//! through a `Merge` whose input is a `NextIteration`.

mod constants;
mod edit;
mod feeds;
mod flow;
mod node;
mod node_map;
mod order;
mod provenance;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use oplink_api::{DType, Error, ErrorKind, NodeInfo, Output, PartialShape, Result};
use oplink_core::{OpEntry, Registry};
use oplink_proto::bytes::Bytes;
use oplink_proto::{FunctionDef, FunctionDefLibrary, VersionDef};
use oplink_spec::nearest;

pub(crate) use constants::ConstantCache;
pub(crate) use feeds::Feeds;
pub(crate) use flow::{constant_of, forwarded_input, is_reference};
pub use node::Node;
pub(crate) use node::Origin;
pub(crate) use node_map::{NodeMap, NodeSet};
pub(crate) use order::{Order, topological_order};
pub(crate) use provenance::Provenance;

use crate::known_ops::KnownOps;
use crate::library::{CallResults, Functions};
use crate::names::{TensorName, UniqueNames};

/// The version of GraphDef that this runtime writes and reads: TensorFlow 2.21's.
pub const GRAPH_DEF_VERSION: i32 = 2474;

/// Infers the shapes that a node which calls a function returns, from those of its inputs; `None` where the node calls
/// none. Bodies of functions are graphs that are imported, so what looks into them is above this layer and is given to
/// a graph when it is made.
pub(crate) type CallInference = fn(&Graph, &NodeInfo, &[PartialShape]) -> Option<CallResults>;

/// A dataflow graph over the ops of one registry.
pub struct Graph {
    pub(crate) registry: Arc<Registry>,
    pub(crate) known_ops: Arc<KnownOps>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) index: HashMap<String, u32>,
    pub(crate) names: UniqueNames,
    /// The first node of which the name is malformed, where there is one.
    pub(crate) malformed: Option<u32>,
    pub(crate) constants: ConstantCache,
    pub(crate) versions: Option<VersionDef>,
    pub(crate) legacy_version: i32,
    pub(crate) functions: Arc<Functions>,
    /// The functions whose body this graph is inside of, where shapes are inferred through calls.
    pub(crate) inside: Vec<Arc<str>>,
    /// Whether a call was not looked into while shapes were inferred: nested too deep, or one of itself.
    pub(crate) is_cut: bool,
    /// What calls of functions return; see [`CallInference`].
    pub(crate) call_inference: CallInference,
    pub(crate) debug_info: Option<Bytes>,
}

impl Graph {
    /// A graph without nodes over the ops of `registry`, which infers what calls return by `call_inference`.
    pub(crate) fn empty(registry: &Arc<Registry>, call_inference: CallInference) -> Self {
        Self {
            registry: registry.clone(),
            known_ops: KnownOps::of(registry),
            nodes: Vec::new(),
            index: HashMap::new(),
            names: UniqueNames::default(),
            malformed: None,
            constants: ConstantCache::default(),
            versions: Some(VersionDef { producer: GRAPH_DEF_VERSION, ..VersionDef::default() }),
            legacy_version: 0,
            functions: Arc::default(),
            inside: Vec::new(),
            is_cut: false,
            call_inference,
            debug_info: None,
        }
    }

    /// The same nodes at the same positions, not to be found by name.
    pub(crate) fn copy_nodes(&self) -> Self {
        Self {
            nodes: self.nodes.clone(),
            names: self.names.clone(),
            malformed: self.malformed,
            versions: self.versions.clone(),
            legacy_version: self.legacy_version,
            functions: self.functions.clone(),
            inside: self.inside.clone(),
            ..Self::empty(&self.registry, self.call_inference)
        }
    }

    /// The registry that the nodes' ops are from.
    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// Uses a registry that was made of the present one: it has all of its ops, and more.
    pub fn set_registry(&mut self, registry: &Arc<Registry>) {
        self.registry = registry.clone();
        self.known_ops = KnownOps::of(registry);
    }

    /// The versions that the graph is written for.
    pub fn versions(&self) -> VersionDef {
        self.versions.clone().unwrap_or(VersionDef { producer: self.legacy_version, ..VersionDef::default() })
    }

    /// All nodes; an [`Output::node`] is a position here.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node at a position.
    pub fn node(&self, position: u32) -> Option<&Node> {
        self.nodes.get(position as usize)
    }

    /// The position of the node `name`.
    pub fn position(&self, name: &str) -> Option<u32> {
        self.index.get(name).copied()
    }

    /// The node `name`.
    ///
    /// # Errors
    /// There is none; the message names the nearest one.
    pub fn node_named(&self, name: &str) -> Result<u32> {
        self.position(name).ok_or_else(|| self.no_node(name))
    }

    #[cold]
    fn no_node(&self, name: &str) -> Error {
        let guess = nearest(name, self.nodes.iter().map(Node::name));
        let guess = guess.map_or_else(String::new, |guess| format!("; did you mean `{guess}`?"));
        Error::not_found(format!("the graph has no node `{name}`{guess}"))
    }

    /// The output that `node` (its first output) or `node:index` names.
    ///
    /// # Errors
    /// No such node, no such output, or the name of a control input.
    pub fn output_named(&self, name: &str) -> Result<Output> {
        match TensorName::parse(name) {
            TensorName::Data(node, index) => {
                let output = Output { node: self.node_named(node)?, index };
                self.check_output(output).map(|()| output)
            }
            TensorName::Control(node) => Err(Error::invalid_argument(format!(
                "`{name}` is no tensor: write `{node}` or `{node}:0` for an output, or make `{node}` a target"
            ))),
        }
    }

    /// Whether the output exists.
    ///
    /// # Errors
    /// The graph has no such node, or the node no such output.
    pub fn check_output(&self, output: Output) -> Result<()> {
        let Some(node) = self.node(output.node) else {
            return Err(Error::invalid_argument(format!("the graph has no node at position {}", output.node)));
        };
        let count = node.num_outputs();
        if (output.index as usize) < count {
            return Ok(());
        }
        let (name, op) = (node.name(), node.op_name());
        let has = if count == 1 { "1 output".to_owned() } else { format!("{count} outputs") };
        let message = format!("node `{name}` (op {op}) has {has}, there is no `{name}:{}`", output.index);
        Err(Error::out_of_range(message).with_kind(ErrorKind::InvalidArgument))
    }

    /// The inferred shape of an output; unknown where there is no such output.
    pub fn shape(&self, output: Output) -> PartialShape {
        let node = self.node(output.node);
        node.and_then(|node| node.output_shapes().get(output.index as usize)).cloned().unwrap_or_default()
    }

    /// The dtype of an output.
    pub fn dtype(&self, output: Output) -> Option<DType> {
        self.node(output.node)?.info().output_dtypes.get(output.index as usize).copied()
    }

    /// `node` for a node's first output, `node:index` for the others.
    pub fn output_name(&self, output: Output) -> String {
        match (self.node(output.node), output.index) {
            (Some(node), 0) => node.name().to_owned(),
            (Some(node), index) => format!("{}:{index}", node.name()),
            (None, index) => format!("?{}:{index}", output.node),
        }
    }

    /// The version of the program that wrote the graph: decides which deprecated ops it may use.
    pub fn producer(&self) -> i32 {
        self.versions.as_ref().map_or(self.legacy_version, |versions| versions.producer)
    }

    /// The declaration of an op: one of the registry, or a function of the graph's library.
    ///
    /// # Errors
    /// There is neither.
    pub fn op(&self, name: &str) -> Result<&OpEntry> {
        match (self.registry.get_op(name), self.functions.get(name)) {
            (Some(op), _) => Ok(op),
            (None, Some(function)) => Ok(&function.op),
            (None, None) => self.registry.op(name),
        }
    }

    /// Adds a function, which nodes can then call: as an op of its name, or by an attr that names it.
    ///
    /// # Errors
    /// A malformed signature; a registered op or another function has its name.
    pub fn add_function(&mut self, function: &FunctionDef) -> Result<()> {
        let name = function.signature.as_ref().map_or("", |signature| &signature.name);
        if self.registry.get_op(name).is_some() {
            let message = format!("a function cannot be named `{name}`: there is an op of that name");
            return Err(Error::invalid_argument(message).with_kind(ErrorKind::InvalidGraph));
        }
        Arc::make_mut(&mut self.functions).add(function)
    }

    /// Adds a function and the function that computes its gradient.
    ///
    /// # Errors
    /// As [`Graph::add_function`], for each of them; the function has another gradient already. Nothing is added then.
    pub fn add_function_with_gradient(&mut self, function: &FunctionDef, gradient: &FunctionDef) -> Result<()> {
        let before = self.functions.clone();
        let added = self.add_function(function).and_then(|()| self.add_function(gradient));
        let added = added.and_then(|()| Arc::make_mut(&mut self.functions).add_gradient(function, gradient));
        if added.is_err() {
            self.functions = before;
        }
        added
    }

    /// The functions that came with the graph or were added to it.
    pub fn library(&self) -> Option<&FunctionDefLibrary> {
        self.functions.library()
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph").field("producer", &self.producer()).field("nodes", &self.nodes).finish_non_exhaustive()
    }
}
