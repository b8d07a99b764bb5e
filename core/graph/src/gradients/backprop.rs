//! Gradients from the outputs back, node by node.

use std::collections::{HashMap, VecDeque};

use oplink_api::call::Arg;
use oplink_api::{OpForGradient, Output, PartialShape, Result, ResultExt};

use super::functions::{Replaced, Through, calls_function};
use super::of_op::gradients_of_op;
use super::one;
use super::reachability::Reachability;
use crate::known_ops::KnownOp;
use crate::{Graph, GraphScope};

/// Gradients on their way.
pub(super) struct Backprop<'g> {
    graph: &'g mut Graph,
    prefix: &'g str,
    reach: Reachability,
    /// What arrived at each output; `None` stands for no gradient.
    arrived: HashMap<Output, Vec<Option<Output>>>,
    /// Nodes at which all gradients have arrived.
    ready: VecDeque<u32>,
    /// Nodes that call functions, as they were before they came to return more.
    replaced: Replaced,
}

impl<'g> Backprop<'g> {
    pub(super) fn new(graph: &'g mut Graph, prefix: &'g str, reach: Reachability) -> Self {
        let (arrived, ready, replaced) = (HashMap::new(), VecDeque::new(), Replaced::default());
        Self { graph, prefix, reach, arrived, ready, replaced }
    }

    /// The gradient by each of `xs`. Nodes that call functions are as before where this fails.
    pub(super) fn run(mut self, ys: &[Output], xs: &[Output], dys: &[Output]) -> Result<Vec<Option<Output>>> {
        let gradients = self.try_run(ys, xs, dys);
        if gradients.is_err() {
            self.replaced.undo(self.graph);
        }
        gradients
    }

    fn try_run(&mut self, ys: &[Output], xs: &[Output], dys: &[Output]) -> Result<Vec<Option<Output>>> {
        for (&y, &dy) in ys.iter().zip(dys) {
            self.arrive(y, Some(dy));
        }
        let mut found: HashMap<Output, Option<Output>> = HashMap::new();
        while let Some(node) = self.ready.pop_front() {
            let count = self.graph.nodes()[node as usize].num_outputs() as u32;
            let outputs = (0..count).map(|index| Output { node, index });
            let sums: Vec<Option<Output>> = outputs.map(|output| self.sum(output)).collect::<Result<_>>()?;
            for (index, &sum) in sums.iter().enumerate() {
                found.insert(Output { node, index: index as u32 }, sum);
            }
            self.pass_through(node, &sums)?;
        }
        let mut gradients = Vec::with_capacity(xs.len());
        for (at, x) in xs.iter().enumerate() {
            // Of a node with several outputs some may get no gradient at all: then it never was ready.
            let known = found.get(x).copied();
            let sum = if xs[..at].contains(x) { None } else { known.map_or_else(|| self.sum(*x), Ok)? };
            gradients.push(sum);
        }
        Ok(gradients)
    }

    fn scope(&mut self) -> GraphScope<'_> {
        GraphScope::inside(self.graph, self.prefix)
    }

    /// A gradient of an output, where gradients are wanted there.
    fn arrive(&mut self, output: Output, gradient: Option<Output>) {
        let Some(&waiting) = self.reach.waiting.get(output.node) else { return };
        self.arrived.entry(output).or_default().push(gradient);
        if waiting == 1 {
            self.ready.push_back(output.node);
        }
        self.reach.waiting.insert(output.node, waiting.saturating_sub(1));
    }

    /// The sum of what arrived at an output.
    fn sum(&mut self, output: Output) -> Result<Option<Output>> {
        let arrived = self.arrived.get(&output).map_or(&[][..], Vec::as_slice);
        let gradients: Vec<Output> = arrived.iter().copied().flatten().collect();
        match gradients.as_slice() {
            [] => Ok(None),
            &[gradient] => Ok(Some(gradient)),
            _ => one(&mut self.scope(), KnownOp::AddN.name(), Arg::List(gradients)).map(Some),
        }
    }

    /// Passes a node's gradients on to its inputs.
    fn pass_through(&mut self, position: u32, sums: &[Option<Output>]) -> Result<()> {
        let node = &self.graph.nodes()[position as usize];
        let inputs = node.inputs().to_vec();
        if !inputs.iter().any(|input| self.reach.contains(input.node)) {
            return Ok(());
        }
        let registry = self.graph.registry();
        let constant = registry.get_op(node.op_name()).is_some_and(|op| op.no_gradient);
        let gradients = match constant || sums.iter().all(Option::is_none) {
            true => vec![None; inputs.len()],
            false => {
                let described = format!("gradient of node `{}` (op {})", node.name(), node.op_name());
                self.call(position, sums).context_with(|| described)?
            }
        };
        for (input, gradient) in inputs.into_iter().zip(gradients) {
            self.arrive(input, gradient);
        }
        Ok(())
    }

    /// The gradients that the op's function gives.
    fn call(&mut self, position: u32, sums: &[Option<Output>]) -> Result<Vec<Option<Output>>> {
        let node = &self.graph.nodes()[position as usize];
        if calls_function(self.graph, node) {
            let wanted: Vec<bool> = node.inputs().iter().map(|input| self.reach.contains(input.node)).collect();
            let Self { graph, prefix, replaced, .. } = self;
            return Through { graph, prefix, replaced, node: position, sums, wanted: &wanted }.add();
        }
        let registry = self.graph.registry().clone();
        let op = self.describe(position, sums);
        let made = gradients_of_op(&registry, &mut self.scope(), &op, sums)?;
        made.iter().flatten().try_for_each(|&output| self.graph.check_output(output))?;
        Ok(made)
    }

    fn describe(&self, position: u32, sums: &[Option<Output>]) -> OpForGradient {
        let node = &self.graph.nodes()[position as usize];
        let shapes: Vec<PartialShape> = node.inputs().iter().map(|&input| self.graph.shape(input)).collect();
        let has_gradient = sums.iter().map(Option::is_some).collect();
        let (info, inputs, outputs) = (node.info().clone(), node.inputs().to_vec(), node.output_shapes().to_vec());
        OpForGradient::new(position, info, inputs, shapes, outputs, has_gradient).with_source(self.prefix)
    }
}
