//! The nodes of a message: ops and attrs first, then, in topological order, input dtypes and shapes.

use std::sync::Arc;

use oplink_api::{AttrValue, DType, Error, NodeInfo, OpSpec, PartialShape, Result, ensure};
use oplink_core::{AttrRules, check_inputs, node_from_attrs_under};
use oplink_proto::{GraphDef, NodeDef};

use super::edges::{self, Edges};
use super::problems::Problems;
use super::{names, origin};
use crate::build::{check_deprecation, check_refs};
use crate::convert::{Budget, Contents, read_attr};
use crate::graph::{Node, Order, Origin, Provenance, topological_order};
use crate::infer::infer_node;
use crate::known_ops::KnownOp;
use crate::{Graph, ImportOptions};

/// Versions of programs in whose graphs placeholders of any shape say that they are scalars.
const OLD_PLACEHOLDERS: std::ops::Range<i32> = 1..24;

/// Whether nodes keep how they were written.
const KEEPS_ORIGINS: bool = cfg!(feature = "round_trip");

/// Adds all nodes of the message, which was decoded without `contents`, to an empty graph. Where it reports problems,
/// the graph is of no use.
pub(super) fn build(
    graph: &mut Graph,
    def: &GraphDef,
    contents: Option<&Contents<'_>>,
    options: &ImportOptions,
    problems: &mut Problems,
) {
    let index = names::index(def, problems);
    let edges: Vec<Edges> = def.node.iter().map(|node| edges::read(node, &index, problems)).collect();
    let order = order(def, &edges, problems);
    let budget = Budget::new(options.max_constant_bytes).with_contents(contents);
    let mut num_outputs = 0;
    let mut sound = vec![false; def.node.len()];
    graph.nodes.reserve_exact(def.node.len());
    for (position, (node, edges)) in def.node.iter().zip(edges).enumerate() {
        let made = make(graph, node, options.attrs, &budget).and_then(|made| {
            num_outputs += made.0.output_dtypes.len();
            ensure!(
                num_outputs <= options.max_outputs,
                "the nodes up to this one have more than {} outputs",
                options.max_outputs
            );
            Ok(made)
        });
        sound[position] = made.is_ok() && edges.complete;
        let (info, origin) = made.unwrap_or_else(|error| {
            problems.add(&node.name, &node.op, error);
            (nothing(node), None)
        });
        graph.names.mark(&node.name);
        push(graph, info, origin, edges);
    }
    connect(graph, &order.sorted, &mut sound, problems);
}

/// Adds a node of which the shapes are not inferred yet.
pub(super) fn push(graph: &mut Graph, info: NodeInfo, origin: Option<Box<Origin>>, edges: Edges) {
    let position = graph.nodes.len() as u32;
    graph.index.entry(info.name.clone()).or_insert(position);
    graph.nodes.push(Node {
        known: graph.known_ops.get(info.op_id()),
        info: Arc::new(info),
        inputs: edges.inputs,
        control_inputs: edges.control_inputs,
        output_shapes: Vec::new(),
        handle_shapes: Vec::new(),
        provenance: origin
            .as_ref()
            .and_then(|origin| origin.debug_info.as_ref())
            .map(Provenance::of_debug_info)
            .unwrap_or_default(),
        origin,
    });
}

/// A node of a message, or what stands for it where it cannot be made.
pub(super) struct Made {
    pub(super) info: NodeInfo,
    pub(super) origin: Option<Box<Origin>>,
    pub(super) error: Option<Error>,
}

/// Makes a node of a message.
pub(super) fn make_or_report(graph: &Graph, node: &NodeDef, rules: AttrRules, budget: &Budget<'_>) -> Made {
    match make(graph, node, rules, budget) {
        Ok((info, origin)) => Made { info, origin, error: None },
        Err(error) => Made { info: nothing(node), origin: None, error: Some(error) },
    }
}

/// Checks and infers in topological order; a node behind an unsound one is left alone.
pub(super) fn connect(graph: &mut Graph, order: &[u32], sound: &mut [bool], problems: &mut Problems) {
    for &position in order {
        let node = &graph.nodes[position as usize];
        if !sound[position as usize] || node.inputs.iter().any(|input| !sound[input.node as usize]) {
            sound[position as usize] = false;
            continue;
        }
        if let Err(error) = connect_node(graph, position as usize) {
            sound[position as usize] = false;
            let node = &graph.nodes[position as usize];
            problems.add(node.name(), node.op_name(), error);
        }
    }
}

fn connect_node(graph: &mut Graph, position: usize) -> Result<()> {
    let (info, inputs) = (graph.nodes[position].info.clone(), graph.nodes[position].inputs.clone());
    let dtype = |&input| {
        graph.check_output(input).map_err(|error| Error::invalid_argument(error.to_string()))?;
        Ok(graph.dtype(input).unwrap_or(DType::Invalid))
    };
    let dtypes = inputs.iter().map(dtype).collect::<Result<Vec<_>>>()?;
    check_inputs(&info, &dtypes)?;
    check_refs(graph, &info, &inputs)?;
    let mut inferred = infer_node(graph, &info, &inputs)?;
    let means_any = |shape: &PartialShape| OLD_PLACEHOLDERS.contains(&graph.producer()) && shape.rank() == Some(0);
    if graph.nodes[position].known() == KnownOp::Placeholder && inferred.shapes.iter().any(means_any) {
        inferred.shapes.fill(PartialShape::unknown());
    }
    let node = &mut graph.nodes[position];
    node.output_shapes = inferred.shapes;
    node.handle_shapes = inferred.handles;
    Ok(())
}

fn order(def: &GraphDef, edges: &[Edges], problems: &mut Problems) -> Order {
    let waits_for = |(node, edges): (&NodeDef, &Edges)| {
        let merges = KnownOp::named(&node.op).is_merge();
        let goes_back = |source: &u32| merges && KnownOp::named(&def.node[*source as usize].op).is_next_iteration();
        let data = edges.inputs.iter().map(|input| input.node).filter(|source| !goes_back(source));
        data.chain(edges.control_inputs.iter().copied()).collect()
    };
    let predecessors: Vec<Vec<u32>> = def.node.iter().zip(edges).map(waits_for).collect();
    let order = topological_order(&predecessors);
    report_cycles(def, &order, problems);
    order
}

/// Adds the cycles of a message to the problems.
pub(super) fn report_cycles(def: &GraphDef, order: &Order, problems: &mut Problems) {
    for cycle in &order.cycles {
        const SHOWN: usize = 8;
        let names: Vec<&str> = cycle.iter().take(SHOWN).map(|&node| def.node[node as usize].name.as_str()).collect();
        let more = if cycle.len() > SHOWN { " -> …" } else { "" };
        let first = &def.node[cycle[0] as usize];
        problems.malformed(&first.name, &first.op, format!("it waits for itself: {}{more}", names.join(" -> ")));
    }
}

fn make(
    graph: &Graph,
    node: &NodeDef,
    rules: AttrRules,
    budget: &Budget<'_>,
) -> Result<(NodeInfo, Option<Box<Origin>>)> {
    ensure!(!node.op.is_empty(), "it names no op");
    let op = graph.op(&node.op)?;
    check_deprecation(op, graph.producer())?;
    let attrs = node.attr.iter().map(|(name, value)| {
        let value = read_attr(value, budget);
        Ok((name.as_str(), value.map_err(|error| of_attr(name, &error))?))
    });
    let attrs: Vec<(&str, AttrValue)> = attrs.collect::<Result<_>>()?;
    let info = node_from_attrs_under(rules, op, node.name.as_str(), node.device.as_str(), attrs)?;
    let origin = if KEEPS_ORIGINS { origin::of(node, &info, budget.contents())? } else { None };
    Ok((info, origin))
}

#[cold]
fn of_attr(name: &str, error: &Error) -> Error {
    Error::new(error.code(), error.kind(), format!("attr `{}`: {error}", name.escape_debug()))
}

/// Stands for a node that could not be made until the import fails.
fn nothing(node: &NodeDef) -> NodeInfo {
    NodeInfo {
        name: node.name.clone(),
        op: Arc::new(OpSpec { name: node.op.clone(), ..OpSpec::default() }),
        device: String::new(),
        attrs: oplink_api::AttrMap::new(),
        input_dtypes: Vec::new(),
        output_dtypes: Vec::new(),
        input_ranges: Vec::new(),
        output_ranges: Vec::new(),
        shape_fn: None,
    }
}
