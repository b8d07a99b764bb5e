//! `function_inlining`: the body of a function takes the place of its call.
//!
//! A function that calls itself is inlined once along each way; what is left calls it as before.

use std::sync::Arc;

use oplink_api::{AttrMap, FuncAttr, NodeInfo, Output, PartialShape, Result};
use oplink_spec::sorting::sort;

use super::rewrite::Replacements;
use super::{Pass, Rewrite};
use crate::functions::Body;
use crate::graph::{Node, NodeMap};
use crate::library::ARE_LINKED;

pub(super) const PASS: Pass =
    Pass { name: "function_inlining", description: "puts the bodies of functions in the place of their calls", run };

/// Nodes that inlining may add.
const MAX_NODES: usize = 50_000;
/// A function with this attr set is called, not inlined.
const NO_INLINE: &str = "_noinline";

/// The functions inside which a node stands.
type Inside = Arc<[String]>;

fn run(rewrite: &mut Rewrite) -> Result<()> {
    if !ARE_LINKED || rewrite.graph.functions.library().is_none() {
        return Ok(());
    }
    let limit = rewrite.graph.nodes.len() + MAX_NODES;
    let mut inside: NodeMap<Inside> = NodeMap::default();
    loop {
        let calls: Vec<u32> =
            rewrite.needed()?.into_iter().filter(|&node| may_inline(rewrite, node, &inside)).collect();
        if calls.is_empty() {
            return Ok(());
        }
        let mut replacements = Replacements::default();
        for call in calls {
            if rewrite.graph.nodes.len() > limit || !inline(rewrite, call, &mut inside, &mut replacements) {
                inside.insert(call, Arc::new([]));
            }
        }
        rewrite.replace(&replacements);
        if rewrite.graph.nodes.len() > limit {
            return Ok(());
        }
    }
}

/// The function that a node does nothing but call.
fn called(rewrite: &Rewrite, info: &NodeInfo) -> Option<(String, AttrMap)> {
    if let Some(attr) = rewrite.graph.known_ops.get(info.op_id()).call_attr() {
        let function: &FuncAttr = info.attr(attr).ok()?;
        return Some((function.name.clone(), function.attrs.clone()));
    }
    let is_function = rewrite.graph.registry.get_op(&info.op.name).is_none();
    is_function.then(|| (info.op.name.clone(), info.attrs.clone()))
}

fn may_inline(rewrite: &Rewrite, position: u32, inside: &NodeMap<Inside>) -> bool {
    let Some((name, _)) = called(rewrite, rewrite.node(position).info()) else { return false };
    let Some(entry) = rewrite.graph.functions.get(&name) else { return false };
    let no_inline = entry.def.attr.get(NO_INLINE).and_then(|attr| attr.value.as_ref());
    let outer = inside.get(position);
    let tried = outer.is_some_and(|outer| outer.is_empty());
    !rewrite.is_fed(position)
        && !tried
        && !matches!(no_inline, Some(oplink_proto::attr_value::Value::B(true)))
        && !outer.is_some_and(|outer| outer.contains(&name))
}

/// Whether the call was inlined: not where the body cannot be made, which a run reports.
fn inline(rewrite: &mut Rewrite, position: u32, inside: &mut NodeMap<Inside>, replacements: &mut Replacements) -> bool {
    let call = rewrite.node(position).clone();
    let Some((name, attrs)) = called(rewrite, call.info()) else { return false };
    let shapes: Vec<PartialShape> = call.inputs().iter().map(|&input| rewrite.graph.shape(input)).collect();
    let Some(body) = Body::of_call(&rewrite.graph, &name, &attrs, &shapes) else { return false };
    if body.input_dtypes != call.info().input_dtypes || body.output_dtypes != call.info().output_dtypes {
        return false;
    }
    let outer = inside.get(position).cloned().unwrap_or_default();
    let chain: Inside = outer.iter().cloned().chain([name]).collect();
    let first = rewrite.graph.nodes.len() as u32;
    let copy = Copy { call: &call, body: &body, first, may_be_dead: rewrite.has_control_flow() };
    for node in copy.nodes() {
        let position = rewrite.push(node);
        inside.insert(position, chain.clone());
    }
    for (index, &result) in body.results.iter().enumerate() {
        replacements.set(Output { node: position, index: index as u32 }, copy.output(result));
    }
    let ends = copy.ends();
    for node in &mut rewrite.graph.nodes {
        if let Some(at) = node.control_inputs.iter().position(|&before| before == position) {
            node.control_inputs.swap_remove(at);
            node.control_inputs.extend(&ends);
        }
    }
    let targets = &mut rewrite.signature.targets;
    let was_target = targets.contains(&position);
    targets.retain(|target| *target != position);
    targets.extend(body.effects.iter().map(|&effect| copy.node(effect)));
    if was_target {
        targets.extend(ends);
    }
    sort(targets);
    targets.dedup();
    true
}

/// A body on its way into the caller's graph.
struct Copy<'a> {
    call: &'a Node,
    body: &'a Body,
    first: u32,
    /// Whether the call may stand in a loop or a branch.
    may_be_dead: bool,
}

impl Copy<'_> {
    fn node(&self, inner: u32) -> u32 {
        self.first + inner
    }

    /// Where an output of the body is found in the caller's graph.
    fn output(&self, inner: Output) -> Output {
        match self.body.arguments.iter().position(|argument| *argument == inner) {
            Some(argument) => self.call.inputs()[argument],
            None => Output { node: self.node(inner.node), ..inner },
        }
    }

    fn is_argument(&self, inner: u32) -> bool {
        self.body.arguments.iter().any(|argument| argument.node == inner)
    }

    /// All nodes of the body. Those of arguments come along, read by nobody.
    fn nodes(&self) -> Vec<Node> {
        let nodes = self.body.graph.nodes().iter().enumerate();
        nodes.map(|(inner, node)| self.copy(inner as u32, node)).collect()
    }

    fn copy(&self, inner: u32, node: &Node) -> Node {
        let mut copy = node.clone();
        let info = NodeInfo { name: format!("{}/{}", self.call.name(), node.name()), ..NodeInfo::clone(node.info()) };
        let device = if info.device.is_empty() { self.call.device().to_owned() } else { info.device.clone() };
        copy.info = Arc::new(NodeInfo { device, ..info });
        copy.inputs = node.inputs().iter().map(|&input| self.output(input)).collect();
        let mut control: Vec<u32> = Vec::new();
        for &before in node.control_inputs() {
            let argument = self.body.arguments.iter().position(|argument| argument.node == before);
            control.push(argument.map_or_else(|| self.node(before), |at| self.call.inputs()[at].node));
        }
        if node.inputs().is_empty() && node.control_inputs().is_empty() && !self.is_argument(inner) {
            control.extend(self.starts(node));
        }
        sort(&mut control);
        control.dedup();
        copy.control_inputs = control;
        copy
    }

    /// What a node that waits for nothing in the body waits for outside: what the call waited for; with effects, or
    /// inside of a loop or a branch, also the call's inputs.
    fn starts(&self, node: &Node) -> Vec<u32> {
        let mut control: Vec<u32> = self.call.control_inputs().to_vec();
        if self.may_be_dead || node.info().op.flags.stateful && !node.known().is_placeholder() {
            control.extend(self.call.inputs().iter().map(|input| input.node));
        }
        control
    }

    /// The nodes after which the call is over.
    fn ends(&self) -> Vec<u32> {
        let results = self.body.results.iter().map(|&result| self.output(result).node);
        let effects = self.body.effects.iter().map(|&effect| self.node(effect));
        let mut ends: Vec<u32> = results.chain(effects).collect();
        sort(&mut ends);
        ends.dedup();
        ends
    }
}
