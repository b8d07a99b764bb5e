//! A GraphDef added to a graph that has nodes: names put under a prefix or made unique, inputs mapped to nodes that are
//! there.

use std::collections::{HashMap, HashSet};

use oplink_api::{Error, ErrorKind, Output, Result, ResultExt, bail, ensure};
use oplink_proto::attr_value::Value;
use oplink_proto::{GraphDef, NodeDef, VersionDef};

use super::edges::Edges;
use super::merge_options::{InputMapping, MergeOptions, Merged};
use super::new_names::NewNames;
use super::nodes::{self, Made};
use super::origin;
use super::problems::Problems;
use super::versions::refusal;
use crate::Graph;
use crate::convert::{Budget, Contents};
use crate::graph::topological_order;
use crate::known_ops::KnownOp;
use crate::names::TensorName;

/// The shapes that a program wrote beside its nodes; this graph infers its own.
const OUTPUT_SHAPES: &str = "_output_shapes";
/// The nodes that a node runs on one device with, each written `loc:@` and its name.
const CLASS: &str = "_class";

impl Graph {
    /// Adds the nodes and functions of a message, each node after those that it waits for. The graph is unchanged where
    /// this fails.
    ///
    /// # Errors
    /// As [`Graph::import_with`]; and names that are taken, mappings to what the graph does not have, outputs or nodes
    /// asked for that the message does not have.
    pub fn import_into(&mut self, def: GraphDef, options: &MergeOptions) -> Result<Merged> {
        self.import_without(None, def, options)
    }

    /// As [`import_into`](Self::import_into), from the wire format. Constants are copied once, from there to their
    /// tensors.
    ///
    /// # Errors
    /// As [`import_into`](Self::import_into), and where the bytes are no message.
    pub fn import_bytes(&mut self, bytes: &[u8], options: &MergeOptions) -> Result<Merged> {
        let malformed = |e: oplink_proto::WireError| Error::invalid_argument(e.to_string()).with_source(e);
        match Contents::of_bytes(bytes)? {
            Some(contents) => {
                let def = oplink_proto::from_bytes(contents.message()).map_err(malformed)?;
                self.import_without(Some(&contents), def, options)
            }
            None => self.import_into(oplink_proto::from_bytes(bytes.to_vec()).map_err(malformed)?, options),
        }
    }

    fn import_without(
        &mut self,
        contents: Option<&Contents<'_>>,
        def: GraphDef,
        options: &MergeOptions,
    ) -> Result<Merged> {
        let (count, functions, versions) = (self.nodes.len(), self.functions.clone(), self.versions.clone());
        let merged = Merge::new(self, options, contents).and_then(|merge| merge.run(def));
        match &merged {
            Ok(_) => {
                for node in &self.nodes[count..] {
                    self.names.mark(node.info.name.as_str());
                }
            }
            Err(_) => {
                self.truncate(count);
                (self.functions, self.versions) = (functions, versions);
            }
        }
        merged
    }
}

struct Merge<'g> {
    graph: &'g mut Graph,
    options: &'g MergeOptions,
    /// What the message was decoded without.
    contents: Option<&'g Contents<'g>>,
    data: HashMap<(&'g str, u32), (usize, Output)>,
    control: HashMap<&'g str, (usize, u32)>,
    used: HashSet<usize>,
}

impl<'g> Merge<'g> {
    fn new(graph: &'g mut Graph, options: &'g MergeOptions, contents: Option<&'g Contents<'g>>) -> Result<Self> {
        let (mut data, mut control) = (HashMap::new(), HashMap::new());
        for (at, mapping) in options.input_mappings.iter().enumerate() {
            match mapping {
                InputMapping::Data { node, index, to } => {
                    graph.check_output(*to)?;
                    data.insert((node.as_str(), *index), (at, *to));
                }
                InputMapping::Control { node, to } => {
                    ensure!(graph.node(*to).is_some(), "`{node}` is mapped to a node that the graph does not have");
                    control.insert(node.as_str(), (at, *to));
                }
            }
        }
        let known = options.control_inputs.iter().all(|&node| graph.node(node).is_some());
        ensure!(known, "a control input is no node of the graph");
        Ok(Self { graph, options, contents, data, control, used: HashSet::new() })
    }

    fn run(mut self, def: GraphDef) -> Result<Merged> {
        self.adopt(&def)?;
        let names = NewNames::new(self.graph, &def, self.options)?;
        let mut problems = Problems::new(self.options.limits.max_problems);
        let index = super::names::index(&def, &mut problems);
        check_colocation(&def, &index, &mut problems);
        let order = self.order(&def, &index, &mut problems);
        if order.len() < def.node.len() {
            return problems.into_result().map(|()| Merged::default());
        }
        let base = self.graph.nodes.len() as u32;
        let mut positions = vec![u32::MAX; def.node.len()];
        order.iter().zip(base..).for_each(|(&node, position)| positions[node as usize] = position);
        let edges: Vec<Edges> =
            order.iter().map(|&node| self.edges(&def.node[node as usize], &index, &positions, &mut problems)).collect();
        let index: HashMap<String, u32> =
            index.into_iter().map(|(name, node)| (name.to_owned(), positions[node as usize])).collect();
        self.add(def, &order, edges, &names, &mut problems);
        problems.into_result()?;
        self.merged(&index)
    }

    fn adopt(&mut self, def: &GraphDef) -> Result<()> {
        #[allow(deprecated, reason = "graphs from before `versions` have only this")]
        let legacy = VersionDef { producer: def.version, ..VersionDef::default() };
        let theirs = def.versions.clone().unwrap_or(legacy);
        if let Some(reason) = refusal(&theirs) {
            return Err(Error::invalid_argument(reason).with_kind(ErrorKind::InvalidGraph));
        }
        for function in def.library.iter().flat_map(|library| &library.function) {
            self.graph.add_function(function)?;
        }
        let fresh = self.graph.nodes.is_empty();
        let ours = self.graph.versions.get_or_insert_default();
        ours.producer = ours.producer.min(theirs.producer);
        ours.min_consumer = if fresh { theirs.min_consumer } else { ours.min_consumer.max(theirs.min_consumer) };
        ours.bad_consumers.extend(theirs.bad_consumers);
        ours.bad_consumers.sort_unstable();
        ours.bad_consumers.dedup();
        Ok(())
    }

    /// The nodes in the order in which they are added.
    fn order(&self, def: &GraphDef, index: &HashMap<&str, u32>, problems: &mut Problems) -> Vec<u32> {
        let waits_for = |node: &NodeDef| {
            let internal = node.input.iter().filter_map(|input| match TensorName::parse(input) {
                TensorName::Data(source, at) if !self.data.contains_key(&(source, at)) => index.get(source),
                TensorName::Control(source) if !self.control.contains_key(source) => index.get(source),
                _ => None,
            });
            let goes_back = |source: &&u32| {
                KnownOp::named(&node.op).is_merge()
                    && KnownOp::named(&def.node[**source as usize].op).is_next_iteration()
            };
            internal.filter(|source| !goes_back(source)).copied().collect::<Vec<u32>>()
        };
        let predecessors: Vec<Vec<u32>> = def.node.iter().map(waits_for).collect();
        let order = topological_order(&predecessors);
        nodes::report_cycles(def, &order, problems);
        order.sorted
    }

    fn edges(
        &mut self,
        node: &NodeDef,
        index: &HashMap<&str, u32>,
        positions: &[u32],
        problems: &mut Problems,
    ) -> Edges {
        let mut edges = Edges { complete: true, ..Edges::default() };
        let mut inherits = false;
        for text in &node.input {
            let name = TensorName::parse(text);
            let found = match name {
                TensorName::Data(source, at) => match self.data.get(&(source, at)) {
                    Some(&(mapping, to)) => {
                        self.used.insert(mapping);
                        Some(to)
                    }
                    None => index.get(source).map(|&source| {
                        inherits = true;
                        Output { node: positions[source as usize], index: at }
                    }),
                },
                TensorName::Control(source) => match self.control.get(source) {
                    Some(&(mapping, to)) => {
                        self.used.insert(mapping);
                        Some(Output { node: to, index: 0 })
                    }
                    None => index.get(source).map(|&source| {
                        inherits = true;
                        Output { node: positions[source as usize], index: 0 }
                    }),
                },
            };
            match (found, name) {
                (Some(to), TensorName::Control(_)) => edges.control_inputs.push(to.node),
                (Some(to), TensorName::Data(..)) if edges.control_inputs.is_empty() => edges.inputs.push(to),
                (found, _) => {
                    edges.complete = false;
                    let reason = super::edges::bad_input(text, found.is_some(), index, problems);
                    problems.malformed(&node.name, &node.op, reason);
                }
            }
        }
        if !inherits {
            let new = self.options.control_inputs.iter().filter(|node| !edges.control_inputs.contains(node));
            let new: Vec<u32> = new.copied().collect();
            edges.control_inputs.extend(new);
        }
        edges
    }

    fn add(&mut self, mut def: GraphDef, order: &[u32], edges: Vec<Edges>, names: &NewNames, problems: &mut Problems) {
        let budget = Budget::new(self.options.limits.max_constant_bytes).with_contents(self.contents);
        let base = self.graph.nodes.len();
        let mut sound = Vec::with_capacity(base + order.len());
        sound.resize(base, true);
        for (&node, edges) in order.iter().zip(edges) {
            let mut node = std::mem::take(&mut def.node[node as usize]);
            let inputs = self.rewritten_inputs(&node, &edges, names);
            self.rename(&mut node, names);
            let Made { info, origin, error } =
                nodes::make_or_report(self.graph, &node, self.options.limits.attrs, &budget);
            sound.push(error.is_none() && edges.complete);
            if let Some(error) = error {
                problems.add(&node.name, &node.op, error);
            }
            nodes::push(self.graph, info, origin::of_merged(origin, inputs), edges);
        }
        let new: Vec<u32> = (base as u32..self.graph.nodes.len() as u32).collect();
        nodes::connect(self.graph, &new, &mut sound, problems);
    }

    /// The node's inputs as TensorFlow writes them where names change.
    fn rewritten_inputs(&self, node: &NodeDef, edges: &Edges, names: &NewNames) -> Vec<String> {
        let name_of = |node: u32| self.graph.node(node).map_or("", |node| node.name());
        let rewritten = node.input.iter().map(|text| match TensorName::parse(text) {
            TensorName::Data(source, at) => match self.data.get(&(source, at)) {
                Some((_, to)) => format!("{}:{}", name_of(to.node), to.index),
                None => names.input(text, source, at),
            },
            TensorName::Control(source) => match self.control.get(source) {
                Some(&(_, to)) => format!("^{}", name_of(to)),
                None => format!("^{}", names.of(source)),
            },
        });
        let written = node.input.iter().filter(|text| text.starts_with('^')).count();
        let added = edges.control_inputs.iter().skip(written).map(|&node| format!("^{}", name_of(node)));
        rewritten.chain(added).collect()
    }

    fn rename(&self, node: &mut NodeDef, names: &NewNames) {
        node.name = names.of(&node.name);
        node.input.clear();
        node.attr.remove(OUTPUT_SHAPES);
        if node.device.is_empty() {
            node.device.clone_from(&self.options.default_device);
        }
        let class = node.attr.get_mut(CLASS).and_then(|value| value.value.as_mut());
        if let Some(Value::List(list)) = class {
            for group in &mut list.s {
                if let Some(name) = colocated_with(group).map(|name| names.of(name)) {
                    *group = format!("loc:@{name}").into();
                }
            }
        }
    }

    fn merged(self, index: &HashMap<String, u32>) -> Result<Merged> {
        let mut merged = Merged::default();
        let mut used = self.used;
        for (name, at) in &self.options.return_outputs {
            if let Some(&(mapping, to)) = self.data.get(&(name.as_str(), *at)) {
                used.insert(mapping);
                merged.return_outputs.push(to);
                continue;
            }
            let Some(&node) = index.get(name) else {
                bail!("the output `{name}:{at}` is asked for, but the message has no node `{name}`")
            };
            let output = Output { node, index: *at };
            self.graph
                .check_output(output)
                .map_err(|error| Error::invalid_argument(error.to_string()))
                .context_with(|| "an output asked for")?;
            merged.return_outputs.push(output);
        }
        for name in &self.options.return_nodes {
            let Some(&node) = index.get(name) else {
                bail!("the node `{name}` is asked for, but the message has none")
            };
            merged.return_nodes.push(node);
        }
        let present = |mapping: &InputMapping| match mapping {
            InputMapping::Data { node, index: at, .. } => {
                index.get(node).is_some_and(|&node| self.graph.check_output(Output { node, index: *at }).is_ok())
            }
            InputMapping::Control { node, .. } => index.contains_key(node),
        };
        let unused = self.options.input_mappings.iter().enumerate();
        let unused = unused.filter(|(at, mapping)| !used.contains(at) && !present(mapping));
        merged.unused_mappings = unused.map(|(at, _)| at).collect();
        Ok(merged)
    }
}

/// The node that an element of `_class` names.
fn colocated_with(group: &[u8]) -> Option<&str> {
    std::str::from_utf8(group).ok()?.strip_prefix("loc:@")
}

/// Adds nodes that are to run beside ones that the message does not have to the problems.
fn check_colocation(def: &GraphDef, index: &HashMap<&str, u32>, problems: &mut Problems) {
    for node in &def.node {
        let Some(Value::List(list)) = node.attr.get(CLASS).and_then(|value| value.value.as_ref()) else { continue };
        for name in list.s.iter().filter_map(|group| colocated_with(group)).filter(|name| !index.contains_key(name)) {
            let reason = format!("it is to run beside `{}`, which is no node of the message", name.escape_debug());
            problems.malformed(&node.name, &node.op, reason);
        }
    }
}
