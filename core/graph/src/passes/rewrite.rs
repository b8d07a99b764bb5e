//! A graph that passes change.

use std::collections::HashMap;
use std::sync::Arc;

use oplink_api::{AttrValue, Cancellation, Output, Result, Tensor};
use oplink_core::PreparedKernel;

use super::PassOptions;
use super::inline::{InlinedNodes, InliningBudget};
use crate::Graph;
use crate::build::NewNode;
use crate::functions::calls_stateful_function;
use crate::graph::{Node, NodeMap, NodeSet, Provenance};
use crate::infer::known_value;
use crate::known_ops::KnownOp;
use crate::signature::{Signature, needed_nodes};

/// A copy of a graph on its way to a plan, with what the plan is for.
#[derive(Debug)]
pub(crate) struct Rewrite {
    pub(super) graph: Graph,
    pub(super) signature: Signature,
    fed: NodeSet,
    pub(super) options: PassOptions,
    /// The nodes that came in by inlining.
    pub(super) inlined: InlinedNodes,
    /// Stops the making of the plan.
    cancellation: Cancellation,
}

/// Outputs to be read in place of others.
#[derive(Debug, Default)]
pub(super) struct Replacements(HashMap<Output, Output>);

/// Who reads what.
#[derive(Debug)]
pub(super) struct Readers {
    /// By node: the nodes that read one of its outputs or wait for it, one entry an edge.
    pub(super) of: Vec<Vec<u32>>,
    /// By node: whether an output is fetched that is not the first.
    fetched: NodeMap<bool>,
    targets: NodeSet,
}

impl Rewrite {
    /// A copy of a graph. Making the plan stops when `cancellation` does.
    pub(super) fn new(
        graph: &Graph,
        signature: &Signature,
        options: &PassOptions,
        budget: &Arc<InliningBudget>,
        cancellation: &Cancellation,
    ) -> Self {
        let inlined = InlinedNodes::new(budget, options.max_inlined_nodes());
        Self::of(graph.copy_nodes(), signature.clone(), options.clone(), inlined, cancellation.clone())
    }

    fn of(
        mut graph: Graph,
        signature: Signature,
        options: PassOptions,
        inlined: InlinedNodes,
        cancellation: Cancellation,
    ) -> Self {
        let fed: NodeSet = signature.feeds.iter().map(|feed| feed.node).collect();
        signature.feeds.iter().for_each(|feed| graph.constants.forget(feed.node));
        Self { graph, signature, fed, options, inlined, cancellation }
    }

    /// The body of a function that this graph calls. Nothing is inlined into it.
    pub(super) fn of_body(&self, graph: Graph, signature: Signature) -> Self {
        let inlined = InlinedNodes::new(&InliningBudget::new(0), 0);
        Self::of(graph, signature, self.options.clone(), inlined, self.cancellation.clone())
    }

    pub(super) fn finish(self) -> (Graph, Signature, InlinedNodes) {
        (self.graph, self.signature, self.inlined)
    }

    /// Whether to go on making the plan.
    ///
    /// # Errors
    /// The step that the plan is for was cancelled, or its deadline is over.
    pub(super) fn check_time(&self) -> Result<()> {
        self.cancellation.check()
    }

    /// The nodes that a run needs, each behind those that it reads.
    ///
    /// # Errors
    /// Placeholders that are not fed.
    pub(super) fn needed(&self) -> Result<Vec<u32>> {
        needed_nodes(&self.graph, &self.signature)
    }

    pub(super) fn node(&self, position: u32) -> &Node {
        &self.graph.nodes[position as usize]
    }

    /// Whether some nodes decide which others run.
    pub(super) fn has_control_flow(&self) -> bool {
        self.graph.nodes.iter().any(|node| node.known().is_control_flow())
    }

    /// Whether an output of the node is fed, or the node is a placeholder: passes leave it as it is.
    pub(super) fn is_fed(&self, position: u32) -> bool {
        self.fed.contains(position) || self.node(position).known().is_placeholder()
    }

    /// Whether the node always computes the same from the same inputs, and does nothing else.
    pub(super) fn is_pure(&self, position: u32) -> bool {
        let node = self.node(position);
        let info = node.info();
        let refs = info.op.inputs.iter().chain(&info.op.outputs).any(|arg| arg.is_ref);
        node.num_outputs() > 0
            && !info.op.flags.stateful
            && !refs
            && !node.known().is_control_flow()
            && !self.is_fed(position)
            && !calls_stateful_function(&self.graph, info)
    }

    /// The value of a constant node.
    pub(super) fn constant(&self, output: Output) -> Option<&Tensor> {
        let node =
            self.graph.node(output.node).filter(|node| node.known() == KnownOp::Const && !self.is_fed(output.node))?;
        match node.info().attrs.get("value") {
            Some(AttrValue::Tensor(value)) => Some(value),
            _ => None,
        }
    }

    /// The value of an output, where it follows from constants and known shapes.
    pub(super) fn known(&mut self, output: Output) -> Option<Tensor> {
        known_value(&mut self.graph, output)
    }

    /// Adds a constant that is there when these nodes have run.
    ///
    /// # Errors
    /// The op `Const` is not declared.
    pub(super) fn add_constant(&mut self, name: &str, value: Tensor, control_inputs: &[u32]) -> Result<Output> {
        let attrs = [("value", AttrValue::Tensor(value.clone())), ("dtype", value.dtype().into())];
        let new = NewNode { op: KnownOp::Const.name(), name, device: "", inputs: &[], control_inputs, attrs: &attrs };
        self.add(new).map(|node| Output { node, index: 0 })
    }

    /// Adds a node; its name may get a suffix.
    ///
    /// # Errors
    /// As [`Graph::add`].
    pub(super) fn add(&mut self, new: NewNode<'_>) -> Result<u32> {
        let name = self.graph.names.make(new.name);
        self.graph.add(NewNode { name: &name, ..new })
    }

    /// Whether an op is declared, and in this build.
    pub(super) fn declares(&self, op: &str) -> bool {
        self.graph.registry().get_op(op).is_some_and(|op| !op.excluded)
    }

    /// Adds a node that stands for others; `None` where its op or its kernel on a type of device does not take it.
    pub(super) fn add_with_kernel(&mut self, new: NewNode<'_>, device_type: &str, nodes: &[u32]) -> Option<u32> {
        let added = self.add(new).ok()?;
        let info = Arc::clone(self.node(added).info());
        let kernel = PreparedKernel::new(self.graph.registry(), info, device_type);
        self.stands_for(added, nodes);
        kernel.is_ok().then_some(added)
    }

    /// Notes that a new node does the work of others.
    pub(super) fn stands_for(&mut self, new: u32, nodes: &[u32]) {
        let of_node = |&node: &u32| {
            let node = self.node(node);
            (node.name(), node.op_name(), &node.provenance)
        };
        let provenance = Provenance::of_nodes(nodes.iter().map(of_node));
        self.graph.nodes[new as usize].provenance = provenance;
    }

    /// Who reads what, among the needed nodes.
    ///
    /// # Errors
    /// As [`Rewrite::needed`].
    pub(super) fn readers(&self) -> Result<Readers> {
        let mut of = vec![Vec::new(); self.graph.nodes.len()];
        for reader in self.needed()? {
            self.node(reader).predecessors().for_each(|read| of[read as usize].push(reader));
        }
        let mut fetched: NodeMap<bool> = NodeMap::default();
        for fetch in &self.signature.fetches {
            let others = fetched.get(fetch.node).copied().unwrap_or(false) || fetch.index > 0;
            fetched.insert(fetch.node, others);
        }
        Ok(Readers { of, fetched, targets: self.signature.targets.iter().copied().collect() })
    }

    /// Makes everybody read others' outputs in place of the replaced ones.
    pub(super) fn replace(&mut self, replacements: &Replacements) {
        if replacements.0.is_empty() {
            return;
        }
        for node in &mut self.graph.nodes {
            node.inputs.iter_mut().for_each(|input| *input = replacements.resolve(*input));
        }
        self.signature.fetches.iter_mut().for_each(|fetch| *fetch = replacements.resolve(*fetch));
    }
}

impl Replacements {
    /// Has `new` read in place of `old`.
    pub(super) fn set(&mut self, old: Output, new: Output) {
        let new = self.resolve(new);
        if old != new {
            self.0.insert(old, new);
        }
    }

    /// What is read in place of an output: itself where nothing replaces it.
    pub(super) fn resolve(&self, output: Output) -> Output {
        let mut output = output;
        while let Some(&next) = self.0.get(&output) {
            output = next;
        }
        output
    }
}

impl Readers {
    /// Whether the only reader of a node's only read output is `reader`, once; nobody else waits for the node.
    pub(super) fn is_only(&self, node: u32, reader: u32) -> bool {
        self.of[node as usize] == [reader] && !self.targets.contains(node) && !self.fetched.contains(node)
    }

    /// Whether somebody reads an output.
    pub(super) fn reads_output(&self, rewrite: &Rewrite, output: Output) -> bool {
        let reads = |&reader: &u32| rewrite.node(reader).inputs().contains(&output);
        self.of[output.node as usize].iter().any(reads) || rewrite.signature.fetches.contains(&output)
    }

    /// Whether nobody but nodes of `group` reads a node, and nobody waits for it.
    pub(super) fn is_read_only_by(&self, rewrite: &Rewrite, node: u32, group: &[u32]) -> bool {
        let reads = |reader: &u32| group.contains(reader) && !rewrite.node(*reader).control_inputs().contains(&node);
        self.of[node as usize].iter().all(reads) && !self.targets.contains(node) && !self.fetched.contains(node)
    }

    /// Whether of a node's outputs only the first is read, and nobody waits for the node.
    pub(super) fn reads_only_first(&self, rewrite: &Rewrite, node: u32) -> bool {
        let first = |input: &Output| input.node != node || input.index == 0;
        let reads_first = |&reader: &u32| {
            let reader = rewrite.node(reader);
            reader.inputs().iter().all(first) && !reader.control_inputs().contains(&node)
        };
        let fetches_first = self.fetched.get(node).is_none_or(|others| !others);
        self.of[node as usize].iter().all(reads_first) && fetches_first && !self.targets.contains(node)
    }
}
