//! A part of a graph made into a function, as TensorFlow writes it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use oplink_api::{Code, DType, Error, ErrorKind, Output, Result, ResultExt, bail, ensure};
use oplink_proto::attr_value::{ListValue, Value};
use oplink_proto::function_def::ArgAttrs;
use oplink_proto::op_def::{ArgDef, AttrDef};
use oplink_proto::{AttrValue as AttrMessage, FunctionDef, NodeDef, OpDef, TensorShapeProto};
use oplink_spec::sorting::sort;

use super::hash::hash_suffix;
use super::new_names::NewNames;
use crate::Graph;
use crate::graph::Node;
use crate::known_ops::KnownOp;

/// The attr of an argument that tells its shape.
const OUTPUT_SHAPES: &str = "_output_shapes";
/// The attr of an argument that tells arguments of one resource from those of others.
const RESOURCE_ID: &str = "_resource_arg_unique_id";

/// How a part of a graph becomes a function.
#[derive(Clone, Debug, Default)]
pub struct FunctionOptions<'a> {
    /// The nodes of the body.
    pub nodes: BodyNodes<'a>,
    /// Names of the results; made from the nodes' names where this is empty.
    pub output_names: &'a [&'a str],
    /// Nodes that run at each call, needed for a result or not.
    pub control_outputs: &'a [u32],
    /// What the signature calls those nodes; their names where this is empty.
    pub control_output_names: &'a [&'a str],
    /// What the function does.
    pub description: &'a str,
    /// Whether the function's name ends in a hash of all that it is, the one of TensorFlow.
    pub append_hash: bool,
}

/// The nodes of a function's body.
#[derive(Clone, Copy, Debug, Default)]
pub enum BodyNodes<'a> {
    /// All that the results and control outputs need, in the graph's order.
    #[default]
    Needed,
    /// All of the graph that are no inputs.
    All,
    /// These, in this order.
    These(&'a [u32]),
}

impl Graph {
    /// The function `name` that takes `inputs` and returns `outputs`; the body is what lies between.
    ///
    /// An input's own node is not part of the body; usually it is a placeholder. An input may be returned. Arguments
    /// and results are named after their nodes, in lower case; a name that is taken gets a suffix, where results choose
    /// first, then arguments, then nodes of the body.
    ///
    /// # Errors
    /// An output that the graph does not have; an input that is given twice; an input or output that is a reference;
    /// a name that is given twice; a node of the body that needs what is neither an input nor in the body; with all
    /// nodes, an input of a node that has other outputs; with the needed ones, a placeholder which is no input.
    pub fn to_function(
        &self,
        name: &str,
        inputs: &[Output],
        outputs: &[Output],
        options: &FunctionOptions<'_>,
    ) -> Result<FunctionDef> {
        let maker =
            Maker { graph: self, inputs, outputs, options, names: NewNames::default(), tensors: HashMap::new() };
        maker.make(name).context_with(|| format!("making the function `{}`", name.escape_debug()))
    }
}

struct Maker<'a> {
    graph: &'a Graph,
    inputs: &'a [Output],
    outputs: &'a [Output],
    options: &'a FunctionOptions<'a>,
    names: NewNames,
    /// How the body writes each tensor that is at hand in it.
    tensors: HashMap<Output, String>,
}

impl Maker<'_> {
    fn make(mut self, name: &str) -> Result<FunctionDef> {
        self.check()?;
        let body = self.body()?;
        let output_arg = self.results()?;
        let (input_arg, arg_attrs) = self.arguments()?;
        body.iter().for_each(|&node| self.name_node(node));
        let node_def = body.iter().map(|&node| self.node(node)).collect::<Result<_>>()?;
        let is_stateful = body.iter().any(|&node| self.graph.nodes()[node as usize].info().op.flags.stateful);
        let description = self.options.description.to_owned();
        let mut signature = OpDef { input_arg, output_arg, description, is_stateful, ..OpDef::default() };
        signature.attr = self.attrs(&body)?;
        let ret = self.ret(&signature)?;
        let id = |attrs: &ArgAttrs| match attrs.attr.get(RESOURCE_ID)?.value {
            Some(Value::I(id)) => u32::try_from(id).ok(),
            _ => None,
        };
        let resource_arg_unique_id = arg_attrs.iter().filter_map(|(&at, attrs)| Some((at, id(attrs)?))).collect();
        let arg_attr = arg_attrs.into_iter().filter(|(_, attrs)| !attrs.attr.is_empty()).collect();
        let mut function = FunctionDef {
            signature: Some(signature),
            node_def,
            ret,
            arg_attr,
            resource_arg_unique_id,
            ..FunctionDef::default()
        };
        let hash = if self.options.append_hash { format!("_{}", hash_suffix(&function)) } else { String::new() };
        function.control_ret = self.control_ret()?;
        if let Some(signature) = &mut function.signature {
            signature.name = format!("{name}{hash}");
            signature.control_output = function.control_ret.keys().cloned().collect();
        }
        Ok(function)
    }

    fn check(&self) -> Result<()> {
        let mut inputs = HashSet::new();
        for &output in self.inputs.iter().chain(self.outputs) {
            self.graph.check_output(output)?;
            let is_ref = self.graph.nodes()[output.node as usize].info().is_ref_output(output.index as usize);
            ensure!(!is_ref, "`{}` is a reference: read it into a value", self.graph.output_name(output));
        }
        for &input in self.inputs {
            ensure!(inputs.insert(input), "`{}` is given as an input twice", self.graph.output_name(input));
        }
        let count = |names: &[&str], of: usize, what: &str| {
            ensure!(names.is_empty() || names.len() == of, "{} names are given for {of} {what}", names.len());
            Ok(())
        };
        count(self.options.output_names, self.outputs.len(), "results")?;
        count(self.options.control_output_names, self.options.control_outputs.len(), "control outputs")
    }

    fn body(&self) -> Result<Vec<u32>> {
        let all = 0..self.graph.nodes().len() as u32;
        let nodes = match self.options.nodes {
            BodyNodes::Needed => return self.needed(),
            BodyNodes::These(nodes) => nodes.to_vec(),
            BodyNodes::All => {
                let mut nodes = self.inputs.iter().map(|input| &self.graph.nodes()[input.node as usize]);
                if let Some(node) = nodes.find(|node| node.num_outputs() > 1) {
                    let count = node.num_outputs();
                    bail!("`{}` has {count} outputs: to take one as an input, list the body's nodes", node.name());
                }
                all.filter(|&node| self.inputs.iter().all(|input| input.node != node)).collect()
            }
        };
        match nodes.iter().find(|&&node| self.graph.node(node).is_none()) {
            None => Ok(nodes),
            Some(position) => bail!("the graph has no node at position {position}"),
        }
    }

    /// What the results need, in the graph's order.
    fn needed(&self) -> Result<Vec<u32>> {
        let inputs: HashSet<Output> = self.inputs.iter().copied().collect();
        let of_results = self.outputs.iter().filter(|output| !inputs.contains(output)).map(|output| output.node);
        let mut pending: Vec<u32> = of_results.chain(self.options.control_outputs.iter().copied()).collect();
        let mut body = HashSet::new();
        while let Some(position) = pending.pop() {
            let Some(node) = self.graph.node(position) else { bail!("the graph has no node at position {position}") };
            if !body.insert(position) {
                continue;
            }
            if node.known().is_placeholder() {
                bail!("the placeholder `{}` is needed, but it is no input of the function", node.name());
            }
            pending.extend(node.inputs().iter().filter(|input| !inputs.contains(input)).map(|input| input.node));
            let outside = |control: &&u32| inputs.iter().any(|input| input.node == **control);
            pending.extend(node.control_inputs().iter().filter(|control| !outside(control)));
        }
        let mut body: Vec<u32> = body.into_iter().collect();
        sort(&mut body);
        Ok(body)
    }

    fn results(&mut self) -> Result<Vec<ArgDef>> {
        let mut args = Vec::with_capacity(self.outputs.len());
        for (at, &output) in self.outputs.iter().enumerate() {
            let name = match self.options.output_names.get(at) {
                None => self.names.result(self.graph.nodes()[output.node as usize].name()),
                Some(name) => {
                    self.names.given_result(name)?;
                    (*name).to_owned()
                }
            };
            args.push(self.arg(name, output));
        }
        Ok(args)
    }

    fn arguments(&mut self) -> Result<(Vec<ArgDef>, BTreeMap<u32, ArgAttrs>)> {
        let (mut args, mut attrs) = (Vec::with_capacity(self.inputs.len()), BTreeMap::new());
        for (at, &input) in (0..).zip(self.inputs) {
            let node = &self.graph.nodes()[input.node as usize];
            let name = self.names.argument(input.node, node.name());
            self.tensors.insert(input, name.clone());
            args.push(self.arg(name, input));
            let mut attr = arg_attrs(node, self.graph.node_def(node)?, self.dtype(input));
            attr.entry(OUTPUT_SHAPES.to_owned()).and_modify(|shapes| keep_one(shapes, input.index as usize));
            attrs.insert(at, ArgAttrs { attr });
        }
        Ok((args, attrs))
    }

    /// Names a node of the body and its outputs that are no inputs.
    fn name_node(&mut self, position: u32) {
        let node = &self.graph.nodes()[position as usize];
        let name = self.names.node(position, node.name());
        for (arg, range) in node.info().op.outputs.iter().zip(&node.info().output_ranges) {
            for (at, index) in range.clone().enumerate() {
                let output = Output { node: position, index: index as u32 };
                self.tensors.entry(output).or_insert_with(|| format!("{name}:{}:{at}", arg.name));
            }
        }
    }

    fn node(&self, position: u32) -> Result<NodeDef> {
        let node = &self.graph.nodes()[position as usize];
        let lacks = |what: &str, name: &str| {
            Error::invalid_argument(format!(
                "node `{}` needs the {what} `{name}`, which is neither an input of the function nor in its body",
                node.name()
            ))
        };
        let tensor = |&input: &Output| {
            self.tensors.get(&input).cloned().ok_or_else(|| lacks("tensor", &self.graph.output_name(input)))
        };
        let mut input = node.inputs().iter().map(tensor).collect::<Result<Vec<_>>>()?;
        let mut control: Vec<u32> = node.control_inputs().to_vec();
        control.sort_by_key(|&node| self.graph.nodes()[node as usize].name());
        for source in control {
            let name = self.names.of(source);
            let name = name.ok_or_else(|| lacks("node", self.graph.nodes()[source as usize].name()))?;
            input.push(format!("^{name}"));
        }
        let name = self.names.of(position).unwrap_or_default().to_owned();
        Ok(NodeDef { name, input, ..self.graph.node_def(node)? })
    }

    /// The function's attrs: those that stand for attrs of nodes.
    fn attrs(&self, body: &[u32]) -> Result<Vec<AttrDef>> {
        let mut attrs: Vec<AttrDef> = Vec::new();
        for &position in body {
            let node = &self.graph.nodes()[position as usize];
            for (name, value) in &self.graph.node_def(node)?.attr {
                let Some(Value::Placeholder(stands_for)) = &value.value else { continue };
                let Some(declared) = node.info().op.attrs.iter().find(|attr| attr.name == *name) else {
                    return Err(of_no_kind(node, name));
                };
                if !stands_for.is_empty() && attrs.iter().all(|attr| attr.name != *stands_for) {
                    let kind = declared.kind.to_string();
                    attrs.push(AttrDef { name: stands_for.clone(), r#type: kind, ..AttrDef::default() });
                }
            }
        }
        Ok(attrs)
    }

    fn ret(&self, signature: &OpDef) -> Result<BTreeMap<String, String>> {
        let written = |(arg, &output): (&ArgDef, &Output)| match self.tensors.get(&output) {
            Some(tensor) => Ok((arg.name.clone(), tensor.clone())),
            None => {
                bail!("the result `{}` is neither an input nor in the body", self.graph.output_name(output))
            }
        };
        signature.output_arg.iter().zip(self.outputs).map(written).collect()
    }

    fn control_ret(&self) -> Result<BTreeMap<String, String>> {
        let (mut control, mut taken) = (BTreeMap::new(), BTreeSet::new());
        for (at, &position) in self.options.control_outputs.iter().enumerate() {
            let Some(node) = self.graph.node(position) else { bail!("the graph has no node at position {position}") };
            let name = self.options.control_output_names.get(at).copied().unwrap_or_else(|| node.name());
            ensure!(!name.is_empty(), "the name of control output {at} is empty");
            ensure!(taken.insert(name), "two control outputs are named `{}`", name.escape_debug());
            let Some(inside) = self.names.of(position) else {
                bail!("the control output `{}` is neither an input nor in the body", node.name())
            };
            control.insert(name.to_owned(), inside.to_owned());
        }
        Ok(control)
    }

    fn arg(&self, name: String, output: Output) -> ArgDef {
        ArgDef { name, r#type: self.dtype(output).number(), ..ArgDef::default() }
    }

    fn dtype(&self, output: Output) -> DType {
        self.graph.dtype(output).unwrap_or(DType::Invalid)
    }
}

/// The attrs of an argument: those of its node whose names start with `_`, and the shape that the node tells.
fn arg_attrs(node: &Node, def: NodeDef, dtype: DType) -> BTreeMap<String, AttrMessage> {
    let mut attrs = BTreeMap::new();
    for (name, value) in def.attr {
        let shape = match value.value {
            Some(Value::Shape(shape)) if name == "shape" && dtype != DType::Resource => shape,
            Some(Value::Tensor(tensor)) if name == "value" && node.known() == KnownOp::Const => {
                tensor.tensor_shape.unwrap_or_default()
            }
            _ if name.starts_with('_') => {
                attrs.insert(name, value);
                continue;
            }
            _ => continue,
        };
        attrs.insert(OUTPUT_SHAPES.to_owned(), list_of(shape));
    }
    attrs
}

/// Keeps the shape of one output of several: an argument has one.
fn keep_one(shapes: &mut AttrMessage, index: usize) {
    if let Some(Value::List(list)) = &mut shapes.value
        && index < list.shape.len()
    {
        list.shape = vec![list.shape.swap_remove(index)];
    }
}

fn list_of(shape: TensorShapeProto) -> AttrMessage {
    AttrMessage { value: Some(Value::List(ListValue { shape: vec![shape], ..ListValue::default() })) }
}

#[cold]
fn of_no_kind(node: &Node, attr: &str) -> Error {
    let message = format!(
        "attr `{}` of node `{}` stands for an attr of the function, but op {} does not declare it",
        attr.escape_debug(),
        node.name(),
        node.op_name()
    );
    Error::new(Code::Unimplemented, ErrorKind::Unimplemented, message)
}
