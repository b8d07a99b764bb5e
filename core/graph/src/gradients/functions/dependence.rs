//! Which variables of a loop the gradient of its results passes through.

use oplink_api::Output;

use super::body::chosen;
use crate::functions::Body;
use crate::graph::NodeSet;

/// The edges of a loop's body.
pub(super) struct Dependence<'a> {
    body: &'a Body,
    readers: Vec<Vec<u32>>,
}

impl<'a> Dependence<'a> {
    pub(super) fn of(body: &'a Body) -> Self {
        let mut readers = vec![Vec::new(); body.graph.nodes().len()];
        for (node, position) in body.graph.nodes().iter().zip(0u32..) {
            node.inputs().iter().for_each(|input| readers[input.node as usize].push(position));
        }
        Self { body, readers }
    }

    /// The variables that depend on some of these, after any number of iterations, and these; `may` be passed through.
    pub(super) fn dependent_on(&self, variables: &[bool], may: &[bool]) -> Vec<bool> {
        closure(variables, may, |variables| {
            let sources = nodes(&self.body.arguments, variables);
            let reached = reach(sources, |node| self.readers[node as usize].clone());
            self.body.results.iter().map(|result| reached.contains(result.node)).collect()
        })
    }

    /// The variables that some of these depend on, after any number of iterations, and these.
    pub(super) fn needed_for(&self, variables: &[bool], may: &[bool]) -> Vec<bool> {
        closure(variables, may, |variables| {
            let sources = nodes(&self.body.results, variables);
            let inputs = |node: u32| self.body.graph.nodes()[node as usize].inputs().iter().map(|input| input.node);
            let reached = reach(sources, |node| inputs(node).collect());
            self.body.arguments.iter().map(|argument| reached.contains(argument.node)).collect()
        })
    }
}

/// The variables, and those that `step` adds to them until it adds none.
fn closure(variables: &[bool], may: &[bool], step: impl Fn(&[bool]) -> Vec<bool>) -> Vec<bool> {
    let mut all = variables.to_vec();
    loop {
        let more = step(&all);
        let mut grew = false;
        for ((known, more), may) in all.iter_mut().zip(more).zip(may) {
            grew |= more && *may && !*known;
            *known |= more && *may;
        }
        if !grew {
            return all;
        }
    }
}

fn nodes(outputs: &[Output], which: &[bool]) -> Vec<u32> {
    chosen(outputs, which).iter().map(|output| output.node).collect()
}

/// The nodes that are reached from these, and these.
fn reach(mut pending: Vec<u32>, next: impl Fn(u32) -> Vec<u32>) -> NodeSet {
    let mut reached = NodeSet::default();
    while let Some(node) = pending.pop() {
        if reached.insert(node, ()).is_none() {
            pending.extend(next(node));
        }
    }
    reached
}
