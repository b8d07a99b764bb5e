//! A function's body as a graph, for given values of its attrs.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use oplink_api::{AttrMap, AttrValue, DType, NodeInfo, Output, PartialShape, Result, ResultExt, bail};
use oplink_core::{OpEntry, Registry, node_from_attrs};
use oplink_proto::attr_value::Value;
use oplink_proto::{AttrValue as AttrMessage, FunctionDef, GraphDef, NodeDef, VersionDef};
use oplink_spec::sorting::sort;
use oplink_spec::{ArgSpec, ArgType};

use super::names::BodyNames;
use super::products_from_list::take_from_list;
use crate::convert::attr_to_proto;
use crate::graph::{CallInference, Graph};
use crate::known_ops::KnownOp;
use crate::library::{Entry, Functions};

/// The attr of a function, where an attr of a node names it, that has the shapes of its arguments in all calls.
pub(crate) const ARGUMENT_SHAPES_ATTR: &str = "_argument_shapes";

/// A body with its arguments and results.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) graph: Graph,
    pub(crate) arguments: Vec<Output>,
    pub(crate) results: Vec<Output>,
    /// Nodes that run whether or not a result needs them: those with effects.
    pub(crate) effects: Vec<u32>,
    pub(crate) input_dtypes: Vec<DType>,
    pub(crate) output_dtypes: Vec<DType>,
}

/// What the body of a function is made within.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    /// The functions that the body may call.
    pub(crate) functions: &'a Arc<Functions>,
    pub(crate) registry: &'a Arc<Registry>,
    pub(crate) versions: Option<&'a VersionDef>,
    /// The functions whose bodies are being looked into already.
    pub(crate) inside: &'a [Arc<str>],
    pub(crate) call_inference: CallInference,
}

impl Body {
    /// The body of a function; `shapes` are those of the arguments, where they are known. Where they are not given, the
    /// attr [`ARGUMENT_SHAPES_ATTR`] has those that hold for all calls.
    ///
    /// # Errors
    /// An attr without a value, an input that the body does not have, and all that an import refuses; each names the
    /// function.
    pub(crate) fn new(
        around: &Around<'_>,
        entry: &Entry,
        attrs: &AttrMap,
        shapes: Option<&[PartialShape]>,
    ) -> Result<Self> {
        let name = entry.op.name();
        Builder::new(around, entry, attrs)
            .and_then(|builder| builder.build(shapes))
            .context_with(|| format!("in function `{}`", name.escape_debug()))
    }
}

/// A function's body to look at.
#[derive(Debug)]
pub struct FunctionGraph {
    /// The nodes, with a placeholder for each argument.
    pub graph: Graph,
    /// Names of the arguments.
    pub arguments: Vec<String>,
    /// Names of the outputs that are the results.
    pub results: Vec<String>,
    /// Names of the nodes that run whether or not a result needs them.
    pub effects: Vec<String>,
}

impl Graph {
    /// Names of the functions of the graph's library.
    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        let functions = self.library().into_iter().flat_map(|library| &library.function);
        functions.filter_map(|function| Some(function.signature.as_ref()?.name.as_str()))
    }

    /// The body of a function of the graph's library, for these values of its attrs.
    ///
    /// # Errors
    /// There is no such function; an attr has neither value nor default; the body is malformed.
    pub fn function_graph(&self, name: &str, attrs: &AttrMap) -> Result<FunctionGraph> {
        let entry = self.functions.find(name)?;
        let around = Around {
            functions: &self.functions,
            registry: &self.registry,
            versions: self.versions.as_ref(),
            inside: &[],
            call_inference: self.call_inference,
        };
        let body = Body::new(&around, entry, attrs, None)?;
        let names = |outputs: &[Output]| outputs.iter().map(|&output| body.graph.output_name(output)).collect();
        let (arguments, results) = (names(&body.arguments), names(&body.results));
        let effects = body.effects.iter().map(|&node| body.graph.nodes()[node as usize].name().to_owned()).collect();
        Ok(FunctionGraph { arguments, results, effects, graph: body.graph })
    }
}

struct Builder<'a> {
    around: &'a Around<'a>,
    def: &'a FunctionDef,
    /// The call as a node: dtypes of arguments and results.
    call: NodeInfo,
    /// All attrs of the call, those that the function does not declare too.
    given: &'a AttrMap,
    attrs: BTreeMap<String, AttrMessage>,
    names: BodyNames,
    nodes: Vec<NodeDef>,
}

impl<'a> Builder<'a> {
    fn new(around: &'a Around<'a>, entry: &'a Entry, given: &'a AttrMap) -> Result<Self> {
        let declared: HashSet<&str> = entry.op.spec.attrs.iter().map(|attr| attr.name.as_str()).collect();
        let declared_here =
            given.iter().filter(|(name, _)| declared.contains(name)).map(|(name, value)| (name, value.clone()));
        let call = node_from_attrs(&entry.op, entry.op.name(), "", declared_here)?;
        let attrs = call.attrs.iter().map(|(name, value)| Ok((name.to_owned(), attr_to_proto(value)?)));
        let attrs = attrs.collect::<Result<_>>()?;
        let (names, nodes) = (BodyNames::default(), Vec::new());
        Ok(Self { around, def: &entry.def, call, given, attrs, names, nodes })
    }

    fn build(mut self, shapes: Option<&[PartialShape]>) -> Result<Body> {
        let arguments = self.add_arguments(shapes)?;
        let nodes = self.def.node_def.iter().map(|node| self.with_attrs(node)).collect::<Result<Vec<_>>>()?;
        for node in &nodes {
            self.name_outputs(node).context_with(|| of_node(node))?;
        }
        for mut node in nodes {
            let inputs = node.input.iter().map(|input| self.names.resolve(input));
            let inputs: Vec<Vec<String>> = inputs.collect::<Result<_>>().context_with(|| of_node(&node))?;
            node.input = inputs.concat();
            self.nodes.push(node);
        }
        let mut results = self.results()?;
        take_from_list(self.given, &mut self.nodes, &mut results)?;
        let Around { functions, registry, versions, inside, call_inference } = *self.around;
        let def =
            GraphDef { node: std::mem::take(&mut self.nodes), versions: versions.cloned(), ..GraphDef::default() };
        let graph = Graph::empty(registry, call_inference).filled_as_body(&def, functions, inside)?;
        let outputs = |names: &[String]| names.iter().map(|name| graph.output_named(name)).collect::<Result<Vec<_>>>();
        let (arguments, results) = (outputs(&arguments)?, outputs(&results)?);
        let effects = self.effects(&graph)?;
        let NodeInfo { input_dtypes, output_dtypes, .. } = self.call;
        Ok(Body { graph, arguments, results, effects, input_dtypes, output_dtypes })
    }

    /// Adds a placeholder for each tensor of the arguments; returns their names in order.
    fn add_arguments(&mut self, shapes: Option<&[PartialShape]>) -> Result<Vec<String>> {
        let mut taken: HashSet<String> = self.def.node_def.iter().map(|node| node.name.clone()).collect();
        let ranges = self.call.input_ranges.clone();
        let of_all_calls = match self.given.get(ARGUMENT_SHAPES_ATTR) {
            Some(AttrValue::Shapes(shapes)) => Some(&shapes[..]),
            _ => None,
        };
        let shapes = shapes.or(of_all_calls);
        let mut all = Vec::new();
        let args = self.call.op.inputs.clone();
        for (arg, range) in args.iter().zip(ranges) {
            let mut nodes = Vec::new();
            for (number, index) in range.enumerate() {
                let wanted = if arg.is_sequence() { format!("{}_{number}", arg.name) } else { arg.name.clone() };
                let name = unique(wanted, &mut taken);
                let dtype = self.call.input_dtypes[index];
                // What is inferred of a handle is not its shape: that of a TensorArray is a vector, as in TensorFlow.
                let known = shapes.filter(|_| dtype != DType::Resource);
                let shape = known.and_then(|shapes| shapes.get(index)).cloned();
                self.nodes.push(argument(&name, dtype, shape)?);
                nodes.push(name);
            }
            all.extend(nodes.iter().cloned());
            self.names.argument(&arg.name, nodes);
        }
        Ok(all)
    }

    /// The node with the call's attrs in place of placeholders.
    fn with_attrs(&self, node: &NodeDef) -> Result<NodeDef> {
        let mut node = node.clone();
        for (name, value) in &mut node.attr {
            self.fill(value)
                .context_with(|| format!("attr `{}`", name.escape_debug()))
                .context_with(|| format!("node `{}` (op {})", node.name.escape_debug(), node.op.escape_debug()))?;
        }
        Ok(node)
    }

    fn fill(&self, value: &mut AttrMessage) -> Result<()> {
        match &mut value.value {
            Some(Value::Placeholder(name)) => match self.attrs.get(name) {
                Some(given) => *value = given.clone(),
                None => bail!("it stands for the function's attr `{}`, which there is not", name.escape_debug()),
            },
            Some(Value::Func(function)) => {
                function.attr.values_mut().try_for_each(|value| self.fill(value))?;
            }
            Some(Value::List(list)) => {
                let values = list.func.iter_mut().flat_map(|function| function.attr.values_mut());
                values.into_iter().try_for_each(|value| self.fill(value))?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Makes the outputs of a node known under their names.
    fn name_outputs(&mut self, node: &NodeDef) -> Result<()> {
        let function;
        let op = match (self.around.registry.get_op(&node.op), self.around.functions.get(&node.op)) {
            (Some(op), _) => op,
            (None, Some(entry)) => {
                function = entry.clone();
                &function.op
            }
            (None, None) => return self.around.registry.op(&node.op).map(|_| ()),
        };
        let mut first = 0;
        for arg in &op.spec.outputs {
            let count = count_of(op, arg, node)?;
            self.names.output(&node.name, &arg.name, first, count);
            first += count;
        }
        Ok(())
    }

    fn results(&self) -> Result<Vec<String>> {
        let mut results = Vec::new();
        for (arg, range) in self.call.op.outputs.iter().zip(&self.call.output_ranges) {
            let Some(source) = self.def.ret.get(&arg.name) else {
                bail!("nothing is said to be the result `{}`", arg.name.escape_debug())
            };
            let tensors =
                self.names.resolve(source).context_with(|| format!("result `{}`", arg.name.escape_debug()))?;
            if tensors.len() != range.len() {
                bail!("result `{}` has {} tensors, `{source}` is {}", arg.name, range.len(), tensors.len());
            }
            results.extend(tensors);
        }
        Ok(results)
    }

    /// Nodes named as control results, and all with state; no arguments, which run before the call.
    fn effects(&self, graph: &Graph) -> Result<Vec<u32>> {
        let named = self.def.control_ret.values().map(|name| graph.node_named(name));
        let mut effects: Vec<u32> = named.collect::<Result<_>>()?;
        let stateful = |position: &u32| graph.nodes()[*position as usize].info().op.flags.stateful;
        effects.extend((0..graph.nodes().len() as u32).filter(stateful));
        let arguments = self.call.input_dtypes.len() as u32;
        effects.retain(|&position| position >= arguments);
        sort(&mut effects);
        effects.dedup();
        Ok(effects)
    }
}

/// The tensors of a declared output.
fn count_of(op: &OpEntry, arg: &ArgSpec, node: &NodeDef) -> Result<usize> {
    let number = match &arg.number_attr {
        None => 1,
        Some(attr) => match (node.attr.get(attr).and_then(|value| value.value.as_ref()), op.default_of(attr)?) {
            (Some(Value::I(number)), _) | (None, Some(AttrValue::Int(number))) => usize::try_from(*number).unwrap_or(0),
            _ => bail!("attr `{attr}` is missing or no int"),
        },
    };
    let types = match &arg.ty {
        ArgType::ListAttr(attr) => {
            match (node.attr.get(attr).and_then(|value| value.value.as_ref()), op.default_of(attr)?) {
                (Some(Value::List(list)), _) => list.r#type.len(),
                (None, Some(AttrValue::Types(types))) => types.len(),
                (None, Some(AttrValue::EmptyList)) => 0,
                _ => bail!("attr `{attr}` is missing or no list of types"),
            }
        }
        _ => 1,
    };
    Ok(number.saturating_mul(types).min(1 << 20))
}

fn of_node(node: &NodeDef) -> String {
    format!("node `{}` (op {})", node.name.escape_debug(), node.op.escape_debug())
}

fn unique(wanted: String, taken: &mut HashSet<String>) -> String {
    let mut name = wanted.clone();
    let mut number = 1;
    while !taken.insert(name.clone()) {
        name = format!("{wanted}_{number}");
        number += 1;
    }
    name
}

fn argument(name: &str, dtype: DType, shape: Option<PartialShape>) -> Result<NodeDef> {
    let attrs = [
        ("dtype".to_owned(), attr_to_proto(&AttrValue::Type(dtype))?),
        ("shape".to_owned(), attr_to_proto(&AttrValue::Shape(shape.unwrap_or_default()))?),
    ];
    Ok(NodeDef {
        name: name.to_owned(),
        op: KnownOp::Placeholder.name().to_owned(),
        attr: attrs.into(),
        ..NodeDef::default()
    })
}
