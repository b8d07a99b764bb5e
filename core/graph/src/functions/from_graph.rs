//! A part of a graph made into a function.

use std::collections::{BTreeMap, HashMap, HashSet};

use oplink_api::{DType, Output, Result, ResultExt, bail, ensure};
use oplink_proto::op_def::ArgDef;
use oplink_proto::{FunctionDef, NodeDef, OpDef};
use oplink_spec::sorting::sort;

use crate::Graph;
use crate::graph::Node;

/// How a part of a graph becomes a function.
#[derive(Clone, Debug, Default)]
pub struct FunctionOptions<'a> {
    /// The nodes of the body; `None` takes all that the results need.
    pub nodes: Option<&'a [u32]>,
    /// Names of the results; made from the nodes' names where this is empty.
    pub output_names: &'a [&'a str],
    /// Nodes that run at each call, needed for a result or not.
    pub control_outputs: &'a [u32],
    /// What the function does.
    pub description: &'a str,
}

impl Graph {
    /// The function `name` that takes `inputs` and returns `outputs`; the body is what lies between.
    ///
    /// An input's own node is not part of the body; usually it is a placeholder. An input may be returned.
    ///
    /// # Errors
    /// An output that the graph does not have; an input that is given twice or is a reference; a body that needs a
    /// placeholder which is no input, or a node outside of `options.nodes`.
    pub fn to_function(
        &self,
        name: &str,
        inputs: &[Output],
        outputs: &[Output],
        options: &FunctionOptions<'_>,
    ) -> Result<FunctionDef> {
        let function = Maker::new(self, inputs, outputs, options).and_then(|mut maker| maker.make(name));
        function.context_with(|| format!("making the function `{name}`"))
    }
}

struct Maker<'a> {
    graph: &'a Graph,
    inputs: &'a [Output],
    outputs: &'a [Output],
    options: &'a FunctionOptions<'a>,
    names: HashSet<String>,
    /// How the body writes each input.
    arguments: HashMap<Output, String>,
}

impl<'a> Maker<'a> {
    fn new(
        graph: &'a Graph,
        inputs: &'a [Output],
        outputs: &'a [Output],
        options: &'a FunctionOptions<'a>,
    ) -> Result<Self> {
        inputs.iter().chain(outputs).try_for_each(|&output| graph.check_output(output))?;
        let named = options.output_names.len();
        ensure!(named == 0 || named == outputs.len(), "{named} names are given for {} results", outputs.len());
        Ok(Self { graph, inputs, outputs, options, names: HashSet::new(), arguments: HashMap::new() })
    }

    fn make(&mut self, name: &str) -> Result<FunctionDef> {
        let body = self.body()?;
        self.names.extend(body.iter().map(|&node| self.graph.nodes()[node as usize].name().to_owned()));
        let input_arg = self.inputs.iter().map(|&input| self.argument(input)).collect::<Result<_>>()?;
        let node_def = body.iter().map(|&node| self.node(node)).collect::<Result<_>>()?;
        let (mut ret, mut output_arg) = (BTreeMap::new(), Vec::new());
        let mut taken = HashSet::new();
        for (at, &output) in self.outputs.iter().enumerate() {
            let source = self.graph.nodes()[output.node as usize].name();
            let wanted = self.options.output_names.get(at).map_or_else(|| argument_name(source), |n| (*n).to_owned());
            ensure!(
                self.options.output_names.is_empty() || !taken.contains(&wanted),
                "two results are named `{wanted}`"
            );
            let name = unique(&wanted, &mut taken);
            output_arg.push(arg(&name, self.dtype(output)));
            ret.insert(name, self.written(output));
        }
        let control = |&node: &u32| {
            let node = self.graph.nodes()[node as usize].name().to_owned();
            (node.clone(), node)
        };
        let control_ret: BTreeMap<String, String> = self.options.control_outputs.iter().map(control).collect();
        let is_stateful = body.iter().any(|&node| self.graph.nodes()[node as usize].info().op.flags.stateful);
        let signature = OpDef {
            name: name.to_owned(),
            input_arg,
            output_arg,
            control_output: control_ret.keys().cloned().collect(),
            description: self.options.description.to_owned(),
            is_stateful,
            ..OpDef::default()
        };
        Ok(FunctionDef { signature: Some(signature), node_def, ret, control_ret, ..FunctionDef::default() })
    }

    /// The nodes of the body, in the graph's order.
    fn body(&self) -> Result<Vec<u32>> {
        let inputs: HashSet<Output> = self.inputs.iter().copied().collect();
        let given: Option<HashSet<u32>> = self.options.nodes.map(|nodes| nodes.iter().copied().collect());
        let mut body: HashSet<u32> = given.clone().unwrap_or_default();
        let of_results = self.outputs.iter().filter(|output| !inputs.contains(output)).map(|output| output.node);
        let mut pending: Vec<u32> = of_results.chain(self.options.control_outputs.iter().copied()).collect();
        pending.extend(body.iter().copied());
        let mut seen = HashSet::new();
        while let Some(position) = pending.pop() {
            let Some(node) = self.graph.node(position) else { bail!("the graph has no node at position {position}") };
            if !seen.insert(position) {
                continue;
            }
            if given.as_ref().is_some_and(|given| !given.contains(&position)) {
                bail!("node `{}` is needed, but it is neither an input nor among the body's nodes", node.name());
            }
            if node.known().is_placeholder() {
                bail!("the placeholder `{}` is needed, but it is no input of the function", node.name());
            }
            body.insert(position);
            pending.extend(node.inputs().iter().filter(|input| !inputs.contains(input)).map(|input| input.node));
            let outside = |control: &&u32| inputs.iter().any(|input| input.node == **control);
            pending.extend(node.control_inputs().iter().filter(|control| !outside(control)));
        }
        let mut body: Vec<u32> = body.into_iter().collect();
        sort(&mut body);
        Ok(body)
    }

    fn argument(&mut self, input: Output) -> Result<ArgDef> {
        let node = &self.graph.nodes()[input.node as usize];
        ensure!(!node.info().is_ref_output(input.index as usize), "input `{}` is a reference", node.name());
        let name = unique(&argument_name(node.name()), &mut self.names);
        if self.arguments.insert(input, name.clone()).is_some() {
            bail!("`{}` is given as an input twice", self.graph.output_name(input));
        }
        Ok(arg(&name, self.dtype(input)))
    }

    fn node(&self, position: u32) -> Result<NodeDef> {
        let node = &self.graph.nodes()[position as usize];
        let inside = |control: &&u32| self.inputs.iter().all(|input| input.node != **control);
        let control = node.control_inputs().iter().filter(inside);
        let control = control.map(|&node| format!("^{}", self.graph.nodes()[node as usize].name()));
        let data = node.inputs().iter().map(|&input| self.written(input));
        Ok(NodeDef { input: data.chain(control).collect(), ..self.graph.node_def(node)? })
    }

    /// How the body writes a tensor.
    fn written(&self, output: Output) -> String {
        if let Some(argument) = self.arguments.get(&output) {
            return argument.clone();
        }
        let node = &self.graph.nodes()[output.node as usize];
        let (arg, index) = position_in_args(node, output.index as usize);
        format!("{}:{arg}:{index}", node.name())
    }

    fn dtype(&self, output: Output) -> DType {
        self.graph.dtype(output).unwrap_or(DType::Invalid)
    }
}

/// The declared output that a flat one belongs to, and its place there.
fn position_in_args(node: &Node, index: usize) -> (&str, usize) {
    let info = node.info();
    let at = info.output_ranges.iter().position(|range| range.contains(&index)).unwrap_or(0);
    (&info.op.outputs[at].name, index - info.output_ranges[at].start)
}

/// A node's name as an argument's: lower case, no `/`.
fn argument_name(node: &str) -> String {
    let legal = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let name: String = node.chars().map(legal).collect();
    if name.starts_with(|c: char| c.is_ascii_lowercase()) { name } else { format!("arg_{name}") }
}

fn unique(wanted: &str, taken: &mut HashSet<String>) -> String {
    let mut name = wanted.to_owned();
    let mut number = 1;
    while !taken.insert(name.clone()) {
        name = format!("{wanted}_{number}");
        number += 1;
    }
    name
}

fn arg(name: &str, dtype: DType) -> ArgDef {
    ArgDef { name: name.to_owned(), r#type: dtype.number(), ..ArgDef::default() }
}
