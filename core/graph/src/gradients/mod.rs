//! Gradients: nodes that compute how the sum of some outputs changes with others.
//!
//! `reachability` finds the nodes between both and how many gradients each will get; `backprop` follows them from the
//! outputs back, sums what arrives at a node, and calls the gradient function of its op. What is added, in which order
//! and under which names, is as in TensorFlow's C API. `functions` differentiates through nodes that call functions,
//! and `raise` makes such nodes of loops of `Enter` and `Exit`.

mod backprop;
mod functions;
mod of_op;
mod raise;
mod reachability;

use std::collections::HashSet;

use oplink_api::call::{Arg, Call};
use oplink_api::{Error, ErrorKind, Output, Result, ResultExt, Scope, bail, ensure};

use crate::known_ops::KnownOp;
use crate::names::is_valid_node_name;
use crate::{Graph, GraphScope};
use backprop::Backprop;
use functions::Replaced;
pub use of_op::{GradientKind, gradient_kind, gradients_of_op};
use raise::{Raising, raise_loops};
use reachability::Reachability;

/// The name scope where no other is asked for.
const SCOPE: &str = "gradients";

impl Graph {
    /// Adds nodes that compute the gradient of a sum over `ys`, each weighted by one of `dys` (1 where there are none),
    /// by each of `xs`. Where no gradient arrives at an x, though it leads to a y, its answer is `None`. An x that is
    /// named twice gets its gradient at the first place.
    ///
    /// Nodes in between that call functions (`PartitionedCall`, `If`, `Case`, `While` and their kin) are differentiated
    /// through: they come to call functions that return more, behind the results that they have, and the functions
    /// that compute the gradients are added to the graph's library. Loops of `Enter` and `Exit` in between become
    /// `While`s.
    ///
    /// The names of the nodes start with `prefix`, which nothing in the graph may have; by default with `gradients`, or
    /// the first free one of `gradients_1`, `gradients_2`, ….
    ///
    /// # Errors
    /// An output does not exist, or is of the wrong dtype; no y depends on an x; an op in between has no gradient
    /// (`NotFound`); a function in between calls itself; a loop of `Enter` and `Exit` in between is malformed; `prefix`
    /// is malformed or taken. The graph is unchanged then.
    pub fn add_gradients(
        &mut self,
        prefix: Option<&str>,
        ys: &[Output],
        xs: &[Output],
        dys: Option<&[Output]>,
    ) -> Result<Vec<Option<Output>>> {
        self.or_unchanged(|graph| graph.try_add_gradients(prefix, ys, xs, dys))
    }

    /// Adds nodes that compute the gradient of one node that calls functions (`PartitionedCall`, `If`, `Case`, `While`
    /// and their kin), by those of its inputs that `wanted` tells: a gradient for each input that has one. `sums` are
    /// the gradients of the node's outputs. Outputs and inputs behind those that are named have no gradient. It is what
    /// a tape that records calls into a graph differentiates with, as [`Graph::add_gradients`] does between outputs.
    ///
    /// # Errors
    /// There is no such node, or it calls no function; it has fewer inputs or outputs; a sum does not exist; an op of a
    /// function has no gradient. The graph is unchanged then.
    pub fn add_gradients_of_call(
        &mut self,
        node: u32,
        sums: &[Option<Output>],
        wanted: &[bool],
    ) -> Result<Vec<Option<Output>>> {
        let called = self.node(node).filter(|node| functions::calls_function(self, node));
        let Some(called) = called else { bail!("the graph has no node at position {node} that calls functions") };
        let (inputs, outputs) = (called.inputs().len(), called.num_outputs());
        let (more_wanted, more_sums) = (inputs.checked_sub(wanted.len()), outputs.checked_sub(sums.len()));
        let (Some(more_wanted), Some(more_sums)) = (more_wanted, more_sums) else {
            bail!("a call of {inputs} inputs and {outputs} outputs has no {} and {}", wanted.len(), sums.len())
        };
        sums.iter().flatten().try_for_each(|&sum| self.check_output(sum))?;
        let wanted = [wanted, &vec![false; more_wanted]].concat();
        let sums = [sums, &vec![None; more_sums]].concat();
        let prefix = self.gradient_prefix(None)?;
        let mut replaced = Replaced::default();
        self.or_unchanged(|graph| {
            let (prefix, wanted) = (&prefix, &wanted);
            let through =
                functions::Through { graph: &mut *graph, prefix, replaced: &mut replaced, node, sums: &sums, wanted };
            let gradients = through.add();
            if gradients.is_err() {
                replaced.undo(graph);
            }
            gradients
        })
    }

    /// What `add` adds to the graph, which is as before where that fails.
    fn or_unchanged<R>(&mut self, add: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        let (count, names, functions) = (self.nodes.len(), self.names.clone(), self.functions.clone());
        let added = add(self);
        if added.is_err() {
            self.truncate(count);
            (self.names, self.functions) = (names, functions);
        }
        added
    }

    fn try_add_gradients(
        &mut self,
        prefix: Option<&str>,
        ys: &[Output],
        xs: &[Output],
        dys: Option<&[Output]>,
    ) -> Result<Vec<Option<Output>>> {
        for (what, outputs) in [("y", ys), ("x", xs), ("dy", dys.unwrap_or_default())] {
            for (at, &output) in outputs.iter().enumerate() {
                self.check_output(output).context_with(|| format!("{what} {at} of a gradient"))?;
            }
        }
        let prefix = self.gradient_prefix(prefix)?;
        let dys = match dys {
            Some(dys) => dys.to_vec(),
            None => ones(&mut self.scope().name_scope(&prefix), ys)?,
        };
        ensure!(dys.len() == ys.len(), "{} outputs need as many gradients, there are {}", ys.len(), dys.len());
        let mut replaced = Replaced::default();
        let (graph, moved) = (&mut *self, HashSet::new());
        let mut raising = Raising { graph, prefix: &prefix, replaced: &mut replaced, moved };
        let added = raise_loops(&mut raising, ys, xs).and_then(|()| {
            let reach = Reachability::of_all(self, ys, xs)?;
            Backprop::new(self, &prefix, reach).run(ys, xs, &dys)
        });
        if added.is_err() {
            replaced.undo(self);
        }
        added
    }

    /// What stands before the names of the nodes, with a slash at its end.
    fn gradient_prefix(&self, wanted: Option<&str>) -> Result<String> {
        let taken = |prefix: &str| {
            let is_inside = |name: &str| name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('/'));
            self.nodes.iter().map(crate::Node::name).find(|&name| name == prefix || is_inside(name))
        };
        let Some(wanted) = wanted else {
            let numbered = (1..).map(|number| format!("{SCOPE}_{number}"));
            let free = std::iter::once(SCOPE.to_owned()).chain(numbered).find(|name| taken(name).is_none());
            return Ok(format!("{}/", free.unwrap_or_else(|| SCOPE.to_owned())));
        };
        if !is_valid_node_name(wanted) || wanted.ends_with('/') {
            let message = format!("`{}` cannot stand before the names of nodes", wanted.escape_debug());
            return Err(Error::invalid_argument(message).with_kind(ErrorKind::InvalidGraph));
        }
        match taken(wanted) {
            None => Ok(format!("{wanted}/")),
            Some(name) => Err(Error::invalid_argument(format!(
                "prefix [{wanted}] conflicts with existing node in the graph named [{name}]"
            ))),
        }
    }
}

/// Outputs to differentiate by others, with the gradients of the former.
#[derive(Clone, Copy)]
struct Differentiation<'a> {
    ys: &'a [Output],
    xs: &'a [Output],
    dys: &'a [Output],
    /// What stands before the names of the nodes.
    prefix: &'a str,
}

impl Differentiation<'_> {
    /// Adds the nodes; `None` for an x that no gradient arrives at.
    fn add_to(self, graph: &mut Graph) -> Result<Vec<Option<Output>>> {
        let Self { ys, xs, dys, prefix } = self;
        let reach = Reachability::new(graph, ys, xs);
        Backprop::new(graph, prefix, reach).run(ys, xs, dys)
    }
}

/// Ones in the shape of each output.
fn ones(scope: &mut GraphScope<'_>, outputs: &[Output]) -> Result<Vec<Output>> {
    outputs.iter().map(|&output| one(scope, KnownOp::OnesLike.name(), Arg::One(output))).collect()
}

/// The first output of a node that is added.
fn one(scope: &mut dyn Scope, op: &'static str, input: Arg<Output>) -> Result<Output> {
    scope
        .add(Call { op, name: None, device: None, inputs: std::iter::once(input).collect(), attrs: Vec::new() })?
        .one(0)
}
