//! A body copied into the graph of its call.

use std::sync::Arc;

use oplink_api::{NodeInfo, Output, Result};
use oplink_spec::sorting::sort;

use super::template::{Part, Read, Template, Wait};
use crate::graph::Node;
use crate::passes::Rewrite;

/// What became of a call.
pub(super) struct Copied {
    /// The position of the body's first node.
    pub(super) first: u32,
    pub(super) results: Vec<Output>,
    pub(super) effects: Vec<u32>,
}

/// Adds the nodes of a body. `may_be_dead` tells whether the call may stand in a loop or a branch.
///
/// # Errors
/// Those of adding a node.
pub(super) fn copy(
    rewrite: &mut Rewrite,
    call: &Node,
    template: &Template,
    function: &Arc<str>,
    may_be_dead: bool,
) -> Result<Copied> {
    let starts = Starts::new(rewrite, call, template, may_be_dead)?;
    let copy = Copy { call, function, starts, first: rewrite.graph.nodes.len() as u32 };
    rewrite.graph.nodes.extend(template.parts.iter().map(|part| copy.node(part)));
    Ok(Copied {
        first: copy.first,
        results: template.results.iter().map(|&result| copy.output(result)).collect(),
        effects: template.effects.iter().map(|&effect| copy.position(effect)).collect(),
    })
}

struct Copy<'a> {
    call: &'a Node,
    function: &'a Arc<str>,
    starts: Starts,
    first: u32,
}

impl Copy<'_> {
    fn output(&self, read: Read) -> Output {
        match read {
            Read::Argument(at) => self.call.inputs()[at],
            Read::Inner(output) => Output { node: self.first + output.node, ..output },
        }
    }

    fn position(&self, wait: Wait) -> u32 {
        match wait {
            Wait::Argument(at) => self.call.inputs()[at].node,
            Wait::Inner(node) => self.first + node,
        }
    }

    fn node(&self, part: &Part) -> Node {
        let of_body = part.node.info();
        let device = if of_body.device.is_empty() { self.call.device() } else { &of_body.device };
        let info = NodeInfo {
            name: [self.call.name(), "/", &of_body.name].concat(),
            op: of_body.op.clone(),
            device: device.to_owned(),
            attrs: of_body.attrs.clone(),
            input_dtypes: of_body.input_dtypes.clone(),
            output_dtypes: of_body.output_dtypes.clone(),
            input_ranges: of_body.input_ranges.clone(),
            output_ranges: of_body.output_ranges.clone(),
            shape_fn: of_body.shape_fn,
        };
        Node {
            info: Arc::new(info),
            known: part.node.known(),
            inputs: part.inputs.iter().map(|&read| self.output(read)).collect(),
            control_inputs: self.control(part),
            output_shapes: part.node.output_shapes.clone(),
            handle_shapes: part.node.handle_shapes.clone(),
            provenance: part.node.provenance.inlined_from(self.function),
            origin: None,
        }
    }

    fn control(&self, part: &Part) -> Vec<u32> {
        let starts = if part.starts() { self.starts.of(part) } else { &[] };
        let mut control: Vec<u32> =
            part.control.iter().map(|&wait| self.position(wait)).chain(starts.iter().copied()).collect();
        sort(&mut control);
        control.dedup();
        control
    }
}

/// What nodes that wait for nothing in the body wait for outside.
struct Starts {
    /// What the call waited for, for a node with arguments that must not run without the call: one with effects, or in
    /// a loop or a branch.
    of_readers: Vec<u32>,
    /// The same for a node that reads nothing; inside of a loop or a branch, also the call's inputs.
    of_sources: Vec<u32>,
    /// Of one that reads nothing and has effects: always also the call's inputs.
    of_stateful_sources: Vec<u32>,
    may_be_dead: bool,
}

impl Starts {
    fn new(rewrite: &mut Rewrite, call: &Node, template: &Template, may_be_dead: bool) -> Result<Self> {
        let starting = || template.parts.iter().filter(|part| part.starts());
        let before = call.control_inputs().to_vec();
        let with_inputs = || before.iter().copied().chain(call.inputs().iter().map(|input| input.node)).collect();
        let has_effects = starting().any(|part| part.is_source() && part.is_stateful());
        let mut starts = Self {
            of_sources: if may_be_dead { with_inputs() } else { before.clone() },
            of_stateful_sources: if has_effects { with_inputs() } else { Vec::new() },
            of_readers: before,
            may_be_dead,
        };
        let is_shared = starting().nth(1).is_some();
        for list in [&mut starts.of_readers, &mut starts.of_sources, &mut starts.of_stateful_sources] {
            sort(list);
            list.dedup();
            if is_shared {
                rewrite.gather(list, call, "start")?;
            }
        }
        Ok(starts)
    }

    fn of(&self, part: &Part) -> &[u32] {
        match (part.is_source(), part.is_stateful()) {
            (true, true) => &self.of_stateful_sources,
            (true, false) => &self.of_sources,
            (false, is_stateful) if is_stateful || self.may_be_dead => &self.of_readers,
            _ => &[],
        }
    }
}
