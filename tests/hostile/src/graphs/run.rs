//! Importing and running a graph that may be anything.

use std::time::Instant;

use oplink::graph::{Graph, ImportOptions, RunOptions, Session, SessionOptions, shape_from_proto};
use oplink::runtime::Registry;
use oplink::{DType, Result, Tensor};
use oplink_proto::{GraphDef, NodeDef};

use crate::drawn::{Answer, judge, refused};
use crate::random::Random;

/// Bytes that one constant may have: a child's memory is limited.
const MAX_CONSTANT_BYTES: usize = 1 << 28;

/// Imports a graph, runs parts of it that end in some of the nodes that may be fetched, and judges the answers.
///
/// # Errors
/// What is wrong with an answer.
pub(crate) fn import_and_run(
    def: &GraphDef,
    may_be_fetched: impl Fn(&NodeDef) -> bool,
    random: &mut Random,
    deadline: Instant,
) -> Answer {
    let options = ImportOptions { max_constant_bytes: MAX_CONSTANT_BYTES, ..ImportOptions::default() };
    let graph = match Registry::global().and_then(|registry| Graph::import_with(def, registry, options)) {
        Ok(graph) => graph,
        Err(error) => return refused(&error),
    };
    reads_again(&graph, options)?;
    let fetchable: Vec<&str> =
        def.node.iter().filter(|node| may_be_fetched(node)).map(|node| node.name.as_str()).collect();
    judge(run(def, graph, &fetchable, random, deadline))
}

/// A graph that was taken is written, and what was written is taken.
fn reads_again(graph: &Graph, options: ImportOptions) -> std::result::Result<(), String> {
    let written = graph.to_bytes().map_err(|error| format!("an imported graph cannot be written: {error}"))?;
    let read = oplink_proto::from_bytes::<GraphDef>(written).map_err(|error| format!("what was written: {error}"))?;
    let again = Registry::global().and_then(|registry| Graph::import_with(&read, registry, options));
    again.map(|_| ()).map_err(|error| format!("a written graph is refused: {error}"))
}

fn run(def: &GraphDef, graph: Graph, fetchable: &[&str], random: &mut Random, deadline: Instant) -> Result<()> {
    let feeds: Vec<(&str, Tensor)> =
        def.node.iter().filter_map(|node| Some((node.name.as_str(), feed(node, random)?))).collect();
    let (mut fetches, mut targets) = (Vec::new(), Vec::new());
    for _ in 0..=random.below(3) {
        if fetchable.is_empty() {
            break;
        }
        let name = random.pick(fetchable);
        let has_output = graph.output_named(name).is_ok();
        if has_output { fetches.push(*name) } else { targets.push(*name) }
    }
    if let Some(last) = fetchable.last() {
        targets.push(last);
    }
    let session = Session::new(graph, SessionOptions::default())?;
    let options =
        RunOptions { timeout: Some(deadline.saturating_duration_since(Instant::now())), ..RunOptions::default() };
    session.run_with(&options, &feeds, &fetches, &targets).map(|_| ())
}

/// A value for a placeholder; `None` for other nodes, for dtypes that cannot be fed and for large shapes.
fn feed(node: &NodeDef, random: &mut Random) -> Option<Tensor> {
    use oplink_proto::attr_value::Value;
    if node.op != "Placeholder" || random.percent(3) {
        return None;
    }
    let Some(Value::Type(number)) = node.attr.get("dtype")?.value.as_ref() else { return None };
    let dtype = DType::from_number(*number)?;
    let extents = match node.attr.get("shape").and_then(|attr| attr.value.as_ref()) {
        Some(Value::Shape(shape)) => shape_from_proto(shape).ok()?,
        _ => return None,
    };
    let extents: Vec<usize> =
        extents.dims().map_or_else(Vec::new, |dims| dims.iter().map(|dim| dim.unwrap_or(2)).collect());
    let elements = extents.iter().try_fold(1_usize, |product, extent| product.checked_mul(*extent))?;
    if elements > 1 << 20 {
        return None;
    }
    Tensor::zeros(dtype, extents).ok()
}
