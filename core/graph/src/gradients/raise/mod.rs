//! Loops of `Enter` and `Exit` raised to `While`, conditions of `Switch` and `Merge` to `If`, so that they are
//! differentiated as those are.
//!
//! Parts of the graph become functions of its library (`frame` finds those of a loop, `condition` those of a
//! condition). The node that gave a value, `Exit` or `Merge`, comes to forward that of the new node; what the loop or
//! the condition was made of stays, without readers.

mod condition;
mod frame;
mod part;

use std::collections::HashSet;

use oplink_api::call::Arg;
use oplink_api::{AttrValue, DType, Output, Result, ResultExt};

use super::functions::{Replaced, add, add_functions, free_name, op_for};
use super::reachability::Reachability;
use crate::known_ops::KnownOp;
use crate::{Graph, GraphScope};

pub(super) use condition::raise_conditions;
use frame::Frame;

/// What is raised, and for which gradients.
pub(super) struct Raising<'a> {
    pub(super) graph: &'a mut Graph,
    /// What stands before the names of new nodes.
    pub(super) prefix: &'a str,
    pub(super) replaced: &'a mut Replaced,
    /// Nodes that the new functions have now.
    pub(super) moved: HashSet<u32>,
}

/// The first node between `xs` and `ys` that is one of these.
fn first_between(graph: &Graph, ys: &[Output], xs: &[Output], is_one: impl Fn(KnownOp) -> bool) -> Option<u32> {
    if !graph.nodes().iter().any(|node| is_one(node.known())) {
        return None;
    }
    let reach = Reachability::new(graph, ys, xs);
    (0..graph.nodes().len() as u32).find(|&at| is_one(graph.nodes()[at as usize].known()) && reach.contains(at))
}

/// Raises the loops of `Enter` and `Exit` between `xs` and `ys`.
///
/// # Errors
/// A loop is malformed, or its condition and body share more than the loop's variables.
pub(super) fn raise_loops(raising: &mut Raising<'_>, ys: &[Output], xs: &[Output]) -> Result<()> {
    while let Some(exit) = first_between(raising.graph, ys, xs, KnownOp::is_exit) {
        let of = format!("the loop that node `{}` ends", raising.graph.nodes()[exit as usize].name());
        let frame = Frame::of(raising.graph, exit).context_with(|| of.clone())?;
        raising.raise_loop(&frame).context_with(|| of)?;
    }
    Ok(())
}

impl Raising<'_> {
    /// Adds the `While`, and lets the loop's `Exit`s forward its results.
    fn raise_loop(&mut self, frame: &Frame) -> Result<()> {
        let Frame { name, variables, constants, .. } = frame;
        let graph = &mut *self.graph;
        let constants: Vec<Output> = constants.iter().map(|&node| Output { node, index: 0 }).collect();
        let outputs = |of: &dyn Fn(&frame::Variable) -> Output| variables.iter().map(of).collect::<Vec<Output>>();
        let merged = [outputs(&|variable| Output { node: variable.merge, index: 0 }), constants.clone()].concat();
        let inside = [outputs(&|variable| Output { node: variable.switch, index: 1 }), constants.clone()].concat();
        let next = [outputs(&|variable| variable.next), constants.clone()].concat();
        let first = |node: u32| graph.nodes()[node as usize].inputs()[0];
        let enters = variables.iter().map(|variable| variable.enter);
        let inputs: Vec<Output> = enters.chain(constants.iter().map(|enter| enter.node)).map(first).collect();
        let shapes = merged.iter().map(|&output| graph.shape(output)).collect();
        let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let options = crate::FunctionOptions::default();
        let cond = graph.to_function(&free_name(graph, "cond", &name), &merged, &[frame.condition], &options)?;
        let body = graph.to_function(&free_name(graph, "body", &name), &inside, &next, &options)?;
        let op = op_for(&[cond.clone(), body.clone()], KnownOp::While, KnownOp::StatelessWhile);
        let [cond, body] = add_functions(graph, &[cond, body])?;
        let attrs = vec![("cond", cond.into()), ("body", body.into()), ("output_shapes", AttrValue::Shapes(shapes))];
        let results = add(&mut GraphScope::inside(graph, self.prefix), op, [Arg::List(inputs)], attrs)?;
        self.moved.extend(&frame.inside);
        for (variable, &result) in variables.iter().zip(&results) {
            for &exit in &variable.exits {
                self.forward(exit, result)?;
            }
        }
        Ok(())
    }

    /// Lets a node forward a value in place of what it gave.
    fn forward(&mut self, node: u32, value: Output) -> Result<()> {
        let dtype = self.graph.dtype(value).unwrap_or(DType::Invalid);
        self.replaced.replace(self.graph, node, KnownOp::Identity, vec![value], &[("T", dtype.into())])
    }
}
