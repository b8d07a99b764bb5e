//! Conditions: what a `Merge` takes from the two sides of `Switch`es by one predicate.
//!
//! They are raised inside functions only, whose gradients read values of the forward function: a value of the side that
//! is not taken is none that a function could return. Between nodes of a graph the gradients of `Switch` and `Merge`
//! serve.

use std::collections::HashSet;

use oplink_api::call::Arg;
use oplink_api::{Error, Output, Result, ResultExt, ensure};

use super::part::{Visit, part};
use super::{Raising, first_between};
use crate::functions::FunctionOptions;
use crate::gradients::functions::{add, add_functions, free_name, op_for};
use crate::gradients::reachability::{reached_from, source};
use crate::graph::Node;
use crate::known_ops::KnownOp;
use crate::{Graph, GraphScope};

/// Results of a condition by one predicate.
struct Condition {
    predicate: Output,
    /// The `Switch`es that values come in by.
    switches: Vec<u32>,
    merges: Vec<Side>,
}

/// A `Merge`, and which of its inputs is that of the true side.
struct Side {
    merge: u32,
    true_input: usize,
}

/// Raises the conditions between `xs` and `ys`.
///
/// # Errors
/// A `Merge` does not join the two sides of one predicate, or tells which of them it took; a node with effects is
/// needed by two conditions.
pub(in crate::gradients) fn raise_conditions(raising: &mut Raising<'_>, ys: &[Output], xs: &[Output]) -> Result<()> {
    while let Some(merge) = first_between(raising.graph, ys, xs, KnownOp::is_merge) {
        let of = format!("the condition that node `{}` ends", raising.graph.nodes()[merge as usize].name());
        let condition = innermost(raising.graph, merge).context_with(|| of.clone())?;
        raising.raise_condition(&condition).context_with(|| of)?;
    }
    Ok(())
}

/// The condition that ends in `merge`, or one inside of it, with all other results that it can give.
fn innermost(graph: &Graph, mut merge: u32) -> Result<Condition> {
    let mut seen = HashSet::new();
    loop {
        ensure!(seen.insert(merge), "it is part of a loop that is not made of Enter and Exit");
        match Condition::of(graph, merge)? {
            Found::Condition(condition) => return Ok(condition.with_others(graph)),
            Found::Around(inner) => merge = inner,
        }
    }
}

enum Found {
    Condition(Condition),
    /// Another `Merge` is inside.
    Around(u32),
}

impl Condition {
    fn of(graph: &Graph, merge: u32) -> Result<Found> {
        let node = &graph.nodes()[merge as usize];
        let unsupported = |what: &str| {
            Err(Error::unimplemented(format!(
                "{what}: gradients of such conditions inside functions are not supported"
            )))
        };
        let is_read = |node: &Node| node.inputs().contains(&Output { node: merge, index: 1 });
        if node.known() != KnownOp::Merge || node.inputs().len() != 2 || graph.nodes().iter().any(is_read) {
            return unsupported("it joins other than two sides, or tells which it took");
        }
        let (mut switches, mut inner, mut predicates, mut sides) = (Vec::new(), None, HashSet::new(), [None; 2]);
        for (at, &input) in node.inputs().iter().enumerate() {
            let mut indices = HashSet::new();
            part(graph, &[input], |position, index| {
                let node = &graph.nodes()[position as usize];
                match node.known() {
                    KnownOp::Switch => {
                        switches.push(position);
                        predicates.insert(source(graph, node.inputs()[1]));
                        indices.extend(index);
                        Visit::Border
                    }
                    known if known.is_merge() => {
                        inner.get_or_insert(position);
                        Visit::Border
                    }
                    _ => Visit::Inside,
                }
            });
            if let (1, Some(&index)) = (indices.len(), indices.iter().next()) {
                sides[at] = Some(index);
            }
        }
        if let Some(inner) = inner {
            return Ok(Found::Around(inner));
        }
        let true_input = match sides {
            [Some(0), Some(1) | None] | [None, Some(1)] => 1,
            [Some(1), Some(0) | None] | [None, Some(0)] => 0,
            _ => return unsupported("its inputs are not the two sides of one predicate"),
        };
        let (1, Some(&predicate)) = (predicates.len(), predicates.iter().next()) else {
            return unsupported("its inputs depend on more than one predicate");
        };
        switches.sort_unstable();
        switches.dedup();
        Ok(Found::Condition(Self { predicate, switches, merges: vec![Side { merge, true_input }] }))
    }

    /// With the other results by this predicate that need none of those that there are.
    fn with_others(mut self, graph: &Graph) -> Self {
        let merges = (0u32..).zip(graph.nodes()).filter(|(_, node)| node.known().is_merge()).map(|(at, _)| at);
        for merge in merges.filter(|&merge| merge != self.merges[0].merge).collect::<Vec<_>>() {
            let Ok(Found::Condition(other)) = Self::of(graph, merge) else { continue };
            if other.predicate != self.predicate {
                continue;
            }
            let all: Vec<u32> = self.switches.iter().chain(&other.switches).copied().collect();
            let data: Vec<Output> = all.iter().map(|&switch| graph.nodes()[switch as usize].inputs()[0]).collect();
            let needed = reached_from(graph, &data);
            if self.merges.iter().chain(&other.merges).any(|side| needed.contains(side.merge)) {
                continue;
            }
            self.switches = all;
            self.merges.extend(other.merges);
        }
        self.switches.sort_unstable();
        self.switches.dedup();
        self
    }
}

impl Raising<'_> {
    fn raise_condition(&mut self, condition: &Condition) -> Result<()> {
        let graph = &mut *self.graph;
        let Condition { predicate, switches, merges } = condition;
        let data: Vec<Output> = switches.iter().map(|&switch| graph.nodes()[switch as usize].inputs()[0]).collect();
        let (mut functions, mut moved) = (Vec::with_capacity(2), Vec::new());
        for (side, kind) in [(1, "then"), (0, "else")] {
            let inputs: Vec<Output> = switches.iter().map(|&node| Output { node, index: side }).collect();
            let result = |of: &Side| {
                let at = if side == 1 { of.true_input } else { 1 - of.true_input };
                graph.nodes()[of.merge as usize].inputs()[at]
            };
            let results: Vec<Output> = merges.iter().map(result).collect();
            let is_switch = |position: u32| switches.binary_search(&position).is_ok();
            let inside = part(graph, &results, |at, _| if is_switch(at) { Visit::Border } else { Visit::Inside });
            for &position in &inside {
                let node = &graph.nodes()[position as usize];
                let is_twice = node.info().op.flags.stateful && self.moved.contains(&position);
                ensure!(!is_twice, "`{}` has effects and is needed by two conditions", node.name());
            }
            moved.extend(inside);
            let name = free_name(graph, kind, "condition");
            functions.push(graph.to_function(&name, &inputs, &results, &FunctionOptions::default())?);
        }
        let op = op_for(&functions, KnownOp::If, KnownOp::StatelessIf);
        let Ok(functions) = <[_; 2]>::try_from(functions) else {
            return Err(Error::internal("a condition has two sides"));
        };
        let [on_true, on_false] = add_functions(graph, &functions)?;
        let dtypes = merges.iter().map(|side| graph.nodes()[side.merge as usize].info().output_dtypes[0]).collect();
        let attrs = vec![
            ("Tout", oplink_api::AttrValue::Types(dtypes)),
            ("then_branch", on_true.into()),
            ("else_branch", on_false.into()),
        ];
        let mut scope = GraphScope::inside(graph, self.prefix);
        let results = add(&mut scope, op, [Arg::One(*predicate), Arg::List(data)], attrs)?;
        self.moved.extend(moved);
        merges.iter().zip(results).try_for_each(|(side, result)| self.forward(side.merge, result))
    }
}
