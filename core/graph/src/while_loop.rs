//! Loops: a condition and a body, built as graphs of their own, joined by `Enter`, `Merge`, `Switch`, `NextIteration`
//! and `Exit`.

use oplink_api::call::{Arg, Call};
use oplink_api::{AttrValue, Output, PartialShape, Result, ResultExt, Scope, ensure};
use oplink_core::AttrRules;

use crate::Graph;
use crate::graph::Node;
use crate::import::{ImportOptions, InputMapping, MergeOptions};
use crate::known_ops::KnownOp;

/// The attr by which the nodes of one loop know each other.
const FRAME_NAME: &str = "frame_name";
/// Iterations that may overlap.
const PARALLEL_ITERATIONS: i64 = 10;

/// A loop to add. Condition and body are graphs whose inputs are placeholders, one for each loop variable.
#[derive(Clone, Copy, Debug)]
pub struct WhileLoop<'a> {
    /// Names the loop, which no other of the graph may; stands before the names of all nodes, made unique.
    pub name: &'a str,
    /// The first values of the loop variables.
    pub inputs: &'a [Output],
    /// The condition.
    pub cond: &'a Graph,
    /// The loop variables in the condition.
    pub cond_inputs: &'a [Output],
    /// The scalar boolean that says whether to go on.
    pub cond_output: Output,
    /// The body.
    pub body: &'a Graph,
    /// The loop variables in the body.
    pub body_inputs: &'a [Output],
    /// Their next values.
    pub body_outputs: &'a [Output],
}

impl Graph {
    /// Adds a loop; the last values of its variables come back. The graph is unchanged where this fails.
    ///
    /// # Errors
    /// No variables; the name of another loop; numbers of inputs or outputs that are not theirs; a next value of
    /// another dtype; all that an import of condition and body refuses.
    pub fn add_while(&mut self, new: &WhileLoop<'_>) -> Result<Vec<Output>> {
        let (count, functions) = (self.nodes.len(), self.functions.clone());
        let added = new.check(self).and_then(|()| new.add(self));
        if added.is_err() {
            self.truncate(count);
            self.functions = functions;
        }
        added.context_with(|| format!("loop `{}`", new.name))
    }
}

impl WhileLoop<'_> {
    fn check(&self, graph: &Graph) -> Result<()> {
        let count = self.inputs.len();
        ensure!(count > 0, "a loop has at least one variable");
        let is_of_frame = |node: &Node| {
            matches!(node.known(), KnownOp::Enter | KnownOp::RefEnter)
                && matches!(node.info().attr::<&str>(FRAME_NAME), Ok(name) if name == self.name)
        };
        ensure!(!graph.nodes().iter().any(is_of_frame), "the graph has a loop of that name");
        let (cond, body, next) = (self.cond_inputs.len(), self.body_inputs.len(), self.body_outputs.len());
        ensure!(
            [cond, body, next] == [count; 3],
            "{count} variables need as many inputs of condition and body and as many next values, there are {cond}, {body} and {next}"
        );
        self.cond.check_output(self.cond_output).context_with(|| "the condition's output")?;
        for (at, (&first, &next)) in self.inputs.iter().zip(self.body_outputs).enumerate() {
            graph.check_output(first).context_with(|| format!("first value {at}"))?;
            self.body.check_output(next).context_with(|| format!("next value {at}"))?;
            let (first, next) = (graph.dtype(first), self.body.dtype(next));
            ensure!(first == next, "variable {at} is of {first:?}, its next value is of {next:?}");
        }
        Ok(())
    }

    fn add(&self, graph: &mut Graph) -> Result<Vec<Output>> {
        let prefix = graph.scope().name_scope(self.name).prefix().to_owned();
        let enters = each(graph, &prefix, self.inputs, |&input| enter(input, self.name))?;
        let merges = each(graph, &prefix, &enters, |&enter| call(KnownOp::Merge, [Arg::List(vec![enter, enter])]))?;
        for merge in &merges {
            // The next value may have another shape.
            graph.nodes[merge.node as usize].output_shapes[0] = PartialShape::unknown();
        }
        let part = Part { name: "cond", body: self.cond, inputs: self.cond_inputs, outputs: &[self.cond_output] };
        let cond = inline(graph, &prefix, &part, &merges)?;
        let cond = one(graph, &prefix, call(KnownOp::LoopCond, [Arg::One(cond[0])]))?;
        let switches =
            each(graph, &prefix, &merges, |&merge| call(KnownOp::Switch, [Arg::One(merge), Arg::One(cond)]))?;
        let goes_on = |switch: &Output| Output { index: 1, ..*switch };
        let variables = each(graph, &prefix, &switches, |switch| call(KnownOp::Identity, [Arg::One(goes_on(switch))]))?;
        let part = Part { name: "body", body: self.body, inputs: self.body_inputs, outputs: self.body_outputs };
        let next = inline(graph, &prefix, &part, &variables)?;
        let next = each(graph, &prefix, &next, |&next| call(KnownOp::NextIteration, [Arg::One(next)]))?;
        for (merge, &next) in merges.iter().zip(&next) {
            graph.set_input(merge.node, 1, next)?;
        }
        each(graph, &prefix, &switches, |&switch| call(KnownOp::Exit, [Arg::One(switch)]))
    }
}

/// Condition or body.
struct Part<'a> {
    name: &'a str,
    body: &'a Graph,
    inputs: &'a [Output],
    outputs: &'a [Output],
}

/// Adds a node for each value.
fn each(
    graph: &mut Graph,
    prefix: &str,
    values: &[Output],
    make: impl Fn(&Output) -> Call<Output>,
) -> Result<Vec<Output>> {
    values.iter().map(|value| one(graph, prefix, make(value))).collect()
}

/// Copies condition or body into the graph; the outputs asked for come back.
fn inline(graph: &mut Graph, prefix: &str, part: &Part<'_>, values: &[Output]) -> Result<Vec<Output>> {
    let Part { name: part, body, inputs, outputs } = *part;
    let name = |output: &Output| body.node(output.node).map_or("", |node| node.name()).to_owned();
    let mapping = |(input, &to): (&Output, &Output)| InputMapping::Data { node: name(input), index: input.index, to };
    let mut def = body.to_def()?;
    let placeholders: Vec<String> = inputs.iter().map(name).collect();
    let is_variable =
        |node: &oplink_proto::NodeDef| KnownOp::named(&node.op).is_placeholder() && placeholders.contains(&node.name);
    def.node.retain(|node| !is_variable(node));
    let options = MergeOptions {
        prefix: format!("{prefix}{part}"),
        uniquify_prefix: true,
        input_mappings: inputs.iter().zip(values).map(mapping).collect(),
        control_inputs: vec![values[0].node],
        return_outputs: outputs.iter().map(|output| (name(output), output.index)).collect(),
        limits: ImportOptions { attrs: AttrRules::Any, ..ImportOptions::default() },
        ..MergeOptions::default()
    };
    Ok(graph.import_into(def, &options).context_with(|| format!("the loop's {part}"))?.return_outputs)
}

fn call<const N: usize>(op: KnownOp, inputs: [Arg<Output>; N]) -> Call<Output> {
    Call { op: op.name(), name: None, device: None, inputs: inputs.into_iter().collect(), attrs: Vec::new() }
}

fn enter(input: Output, frame: &str) -> Call<Output> {
    let attrs = vec![
        (FRAME_NAME, AttrValue::String(frame.as_bytes().to_vec())),
        ("parallel_iterations", AttrValue::Int(PARALLEL_ITERATIONS)),
    ];
    Call { attrs, ..call(KnownOp::Enter, [Arg::One(input)]) }
}

/// Adds a node under the prefix; its first output.
fn one(graph: &mut Graph, prefix: &str, call: Call<Output>) -> Result<Output> {
    let mut root = graph.scope();
    let outputs = root.name_scope(prefix).add(call)?;
    Ok(Output { node: outputs.node, index: 0 })
}
