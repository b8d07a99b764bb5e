//! A call of a model as a graph by itself, with the values of its variables as constants.

use std::collections::{BTreeMap, BTreeSet};

use oplink_api::{AttrValue, DType, Error, Op, Output, Result, ResultExt, Tensor, ensure};
use oplink_graph::{Graph, Node, Optimized, PassOptions, attr_to_proto, is_valid_node_name};
use oplink_ops::{Const, Identity, NoOp, ReadVariableOp};
use oplink_proto::attr_value::Value;
use oplink_proto::{FunctionDef, GraphDef, NodeDef};

use crate::write::variables::{self, GraphVariable};
use crate::{Signature, TensorInfo};

impl Signature<'_> {
    /// The call as a graph that needs no variables: its inputs are placeholders and its outputs nodes, by the names
    /// that the signature has for them; calls of functions are inlined, and reading a variable is a constant with the
    /// value that it has now.
    ///
    /// # Errors
    /// `Unimplemented` where the call does more with a variable than reading it, such as changing it or giving it to a
    /// loop's body, and where it needs another resource, such as a table; `FailedPrecondition` where a variable has no
    /// value.
    pub fn freeze(&self) -> Result<Graph> {
        let freeze = || {
            let session = self.model().session();
            let graph = session.graph();
            let Optimized { graph: inlined, fetches } = self.inlined(&graph)?;
            let needed = Reads::of(&inlined)?;
            let known = variables::find(&graph);
            let known: Vec<GraphVariable> =
                known.into_iter().filter(|variable| needed.variables.contains(&variable.identity)).collect();
            let values = variables::read(session, &graph, &known)?;
            let values = known.iter().zip(values).map(|(variable, (_, value))| (&variable.identity, value)).collect();
            let mut def = inlined.to_def()?;
            needed.replace(&mut def, &values)?;
            remove_empty_barriers(&mut def);
            remove_unused_functions(&mut def);
            name(&mut def, self.inputs(), self.outputs(), &fetches)?;
            Graph::import(&def, graph.registry())
        };
        freeze()
            .context_with(|| format!("freezing the signature `{}` of {}", self.name(), self.model().dir().display()))
    }

    /// What the call needs of the graph, with its functions inlined: first the inputs, in their order.
    fn inlined(&self, graph: &Graph) -> Result<Optimized> {
        if let Some(effect) = self.outputs().iter().find(|output| output.dtype.is_none()) {
            return Err(Error::unimplemented(format!("{effect}: a graph by itself gives values only")));
        }
        let tensors = |infos: &'_ [TensorInfo]| infos.iter().map(|info| info.tensor.clone()).collect::<Vec<_>>();
        let (feeds, fetches) = (tensors(self.inputs()), tensors(self.outputs()));
        let feeds: Vec<&str> = feeds.iter().map(String::as_str).collect();
        let fetches: Vec<&str> = fetches.iter().map(String::as_str).collect();
        graph.optimized(&feeds, &fetches, &[], &PassOptions::none().with("function_inlining")?)
    }
}

/// Container, name and form of a variable: nodes that agree in these are one.
type VariableId = (String, String, bool);

/// Where a graph reads variables.
struct Reads {
    /// Nodes whose value is that of a variable, by name.
    reads: BTreeMap<String, VariableId>,
    /// The nodes that only lead to a variable.
    handles: BTreeSet<String>,
    variables: BTreeSet<VariableId>,
}

impl Reads {
    /// # Errors
    /// A node that does more with a variable than reading it, or another resource.
    fn of(graph: &Graph) -> Result<Self> {
        let by_node: BTreeMap<u32, GraphVariable> =
            graph_variables(graph).into_iter().map(|variable| (variable.node, variable)).collect();
        let mut found = Self { reads: BTreeMap::new(), handles: BTreeSet::new(), variables: BTreeSet::new() };
        for (at, node) in graph.nodes().iter().enumerate() {
            if let Some(variable) = by_node.get(&(at as u32)) {
                found.variables.insert(variable.identity.clone());
                if variable.is_resource {
                    found.handles.insert(node.name().to_owned());
                } else {
                    found.reads.insert(node.name().to_owned(), variable.identity.clone());
                }
                continue;
            }
            for (index, &input) in node.inputs().iter().enumerate() {
                let Some(variable) = by_node.get(&source(graph, input)) else { continue };
                match node.op_name() {
                    ReadVariableOp::NAME => {
                        found.reads.insert(node.name().to_owned(), variable.identity.clone());
                    }
                    Identity::NAME if variable.is_resource => {
                        found.handles.insert(node.name().to_owned());
                    }
                    _ if variable.is_resource || node.info().is_ref_input(index) => {
                        return Err(does_more(node, &variable.name));
                    }
                    _ => {}
                }
            }
            let is_resource = node.info().output_dtypes.contains(&DType::Resource);
            if is_resource && !found.handles.contains(node.name()) {
                return Err(Error::unimplemented(format!(
                    "it needs what `{}` ({}) holds, and a graph by itself has constants only",
                    node.name(),
                    node.op_name()
                )));
            }
        }
        Ok(found)
    }

    /// Puts constants in the place of what reads variables.
    fn replace(&self, def: &mut GraphDef, values: &BTreeMap<&VariableId, Tensor>) -> Result<()> {
        def.node.retain(|node| !self.handles.contains(&node.name));
        for node in &mut def.node {
            node.input.retain(|input| !self.handles.contains(source_name(input)));
            let Some(variable) = self.reads.get(&node.name) else { continue };
            let value = values.get(variable).ok_or_else(|| Error::internal(format!("no value of {variable:?}")))?;
            let attrs = [("dtype", AttrValue::Type(value.dtype())), ("value", AttrValue::Tensor(value.clone()))];
            let attrs = attrs.map(|(name, value)| Ok((name.to_owned(), attr_to_proto(&value)?)));
            *node = NodeDef {
                name: std::mem::take(&mut node.name),
                op: Const::NAME.to_owned(),
                device: std::mem::take(&mut node.device),
                attr: attrs.into_iter().collect::<Result<_>>()?,
                ..NodeDef::default()
            };
        }
        Ok(())
    }
}

/// Every node that is a variable; nodes of one variable are told by their identity.
fn graph_variables(graph: &Graph) -> Vec<GraphVariable> {
    (0..graph.nodes().len() as u32).filter_map(|node| variables::at(graph, node)).collect()
}

#[cold]
fn does_more(node: &Node, variable: &str) -> Error {
    Error::unimplemented(format!(
        "`{}` ({}) does more with the variable `{variable}` than reading it, and a graph by itself has constants only",
        node.name(),
        node.op_name()
    ))
}

/// The node that an input comes from, through nodes that forward it.
fn source(graph: &Graph, input: Output) -> u32 {
    let mut at = input.node;
    // A graph may have circles; a chain has no more links than there are nodes.
    for _ in 0..graph.nodes().len() {
        match graph.node(at) {
            Some(node)
                if node.op_name() == Identity::NAME
                    && graph.dtype(Output { node: at, index: 0 }) == Some(DType::Resource) =>
            {
                at = node.inputs()[0].node;
            }
            _ => break,
        }
    }
    at
}

/// The node of an input in a message: `node`, `node:index` or `^node`.
fn source_name(input: &str) -> &str {
    let name = input.strip_prefix('^').unwrap_or(input);
    name.split_once(':').map_or(name, |(name, _)| name)
}

/// Takes away the nodes that only wait, where nothing is left to wait for: constants need no waiting.
fn remove_empty_barriers(def: &mut GraphDef) {
    loop {
        let is_idle = |node: &&NodeDef| [NoOp::NAME, Const::NAME].contains(&node.op.as_str()) && node.input.is_empty();
        let idle: BTreeSet<String> = def.node.iter().filter(is_idle).map(|node| format!("^{}", node.name)).collect();
        let before: usize = def.node.iter().map(|node| node.input.len()).sum();
        def.node.iter_mut().for_each(|node| node.input.retain(|input| !idle.contains(input)));
        let after: usize = def.node.iter().map(|node| node.input.len()).sum();
        if before == after {
            break;
        }
    }
    def.node.retain(|node| node.op != NoOp::NAME || !node.input.is_empty());
}

/// Takes away the functions that no node calls, nor a function that one calls.
fn remove_unused_functions(def: &mut GraphDef) {
    let Some(mut library) = def.library.take() else { return };
    let mut used: BTreeSet<String> = def.node.iter().flat_map(functions_of).collect();
    loop {
        let name = |function: &FunctionDef| function.signature.as_ref().is_some_and(|s| used.contains(&s.name));
        let called = library.function.iter().filter(|function| name(function)).flat_map(|function| &function.node_def);
        let called: BTreeSet<String> = called.flat_map(functions_of).filter(|name| !used.contains(name)).collect();
        if called.is_empty() {
            break;
        }
        used.extend(called);
    }
    library.function.retain(|function| function.signature.as_ref().is_some_and(|s| used.contains(&s.name)));
    library.gradient.retain(|gradient| used.contains(&gradient.function_name));
    def.library = (!library.function.is_empty()).then_some(library);
}

/// The names by which a node may call functions: its op, and attrs that are functions.
fn functions_of(node: &NodeDef) -> impl Iterator<Item = String> {
    let named = node.attr.values().filter_map(|attr| attr.value.as_ref()).flat_map(|value| match value {
        Value::Func(function) => vec![function.name.clone()],
        Value::List(list) => list.func.iter().map(|function| function.name.clone()).collect(),
        _ => Vec::new(),
    });
    std::iter::once(node.op.clone()).chain(named)
}

/// Gives the first nodes the names of the inputs, and adds nodes with the names of the outputs. Other nodes make room.
fn name(def: &mut GraphDef, inputs: &[TensorInfo], outputs: &[TensorInfo], fetches: &[String]) -> Result<()> {
    let all: Vec<&str> = inputs.iter().chain(outputs).map(|info| info.name.as_str()).collect();
    for (at, name) in all.iter().enumerate() {
        ensure!(is_valid_node_name(name), "`{name}` cannot be the name of a node");
        ensure!(!all[..at].contains(name), "`{name}` is the name of an input and of an output");
    }
    let mut taken: BTreeSet<String> = def.node.iter().map(|node| node.name.clone()).collect();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for (at, node) in def.node.iter().enumerate() {
        let new = match inputs.get(at) {
            Some(input) => input.name.clone(),
            None if all.contains(&node.name.as_str()) => free(&node.name, &mut taken),
            None => continue,
        };
        names.insert(node.name.clone(), new);
    }
    let renamed = |input: &str| {
        let name = source_name(input);
        names.get(name).map_or_else(|| input.to_owned(), |new| input.replacen(name, new, 1))
    };
    for node in &mut def.node {
        node.name = renamed(&node.name);
        node.input.iter_mut().for_each(|input| *input = renamed(input));
    }
    for (output, fetch) in outputs.iter().zip(fetches) {
        let dtype = AttrValue::Type(output.dtype.unwrap_or(DType::Invalid));
        def.node.push(NodeDef {
            name: output.name.clone(),
            op: Identity::NAME.to_owned(),
            input: vec![renamed(fetch)],
            attr: BTreeMap::from([("T".to_owned(), attr_to_proto(&dtype)?)]),
            ..NodeDef::default()
        });
    }
    Ok(())
}

/// A name like this one that no node has.
fn free(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut names = (1..).map(|number| format!("{name}_{number}"));
    let free = names.find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(free.clone());
    free
}
