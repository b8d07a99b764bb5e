//! Ops whose outputs are known from their attrs or from the shapes of their inputs, by op name.

use oplink_api::shape_inference::int_values;
use oplink_api::{AttrValue, DType, Shape, Tensor};

use crate::Graph;
use crate::graph::Node;
use crate::known_ops::KnownOp;

/// What is known of a node's outputs before it runs.
pub(super) enum Known<'a> {
    /// Their values, as far as they are known.
    Values(Vec<Option<Tensor>>),
    /// They follow from the inputs.
    ByKernel(&'a Node),
    /// Nothing.
    Never,
}

type Rule = fn(&Graph, &Node) -> Option<Vec<Option<Tensor>>>;

const RULES: &[(KnownOp, Rule)] = &[
    (KnownOp::Const, constant),
    (KnownOp::Shape, shape),
    (KnownOp::ShapeN, shape),
    (KnownOp::Rank, rank),
    (KnownOp::Size, size),
    (KnownOp::StridedSlice, one_extent),
];

/// The outputs that a node's own attrs or the shapes of its inputs determine; `None` where there is no rule, or it says
/// nothing.
pub(super) fn values(graph: &Graph, node: &Node) -> Option<Vec<Option<Tensor>>> {
    let (_, rule) = RULES.iter().find(|(op, _)| *op == node.known())?;
    rule(graph, node)
}

/// Whether what the node outputs is given at each run.
pub(super) fn is_fed_from_outside(node: &Node) -> bool {
    node.known().is_placeholder() || node.known() == KnownOp::PlaceholderWithDefault
}

fn constant(_: &Graph, node: &Node) -> Option<Vec<Option<Tensor>>> {
    match node.info().attrs.get("value") {
        Some(AttrValue::Tensor(value)) => Some(vec![Some(value.clone())]),
        _ => None,
    }
}

fn shape(graph: &Graph, node: &Node) -> Option<Vec<Option<Tensor>>> {
    let extents = |(input, dtype): (&oplink_api::Output, &DType)| {
        let shape = graph.shape(*input).to_shape()?;
        integers(&shape.iter().map(|&d| d as i64).collect::<Vec<_>>(), *dtype)
    };
    let values: Vec<_> = node.inputs().iter().zip(&node.info().output_dtypes).map(extents).collect();
    values.iter().any(Option::is_some).then_some(values)
}

fn rank(graph: &Graph, node: &Node) -> Option<Vec<Option<Tensor>>> {
    let rank = graph.shape(*node.inputs().first()?).rank()?;
    scalar(rank as i64, node)
}

fn size(graph: &Graph, node: &Node) -> Option<Vec<Option<Tensor>>> {
    let size = graph.shape(*node.inputs().first()?).num_elements()?;
    scalar(size as i64, node)
}

/// One element of a shape that may be unknown elsewhere: `shape(x)[i]` with a constant `i`.
fn one_extent(graph: &Graph, node: &Node) -> Option<Vec<Option<Tensor>>> {
    let [source, begin, _, strides] = node.inputs() else { return None };
    let shape_node = graph.node(source.node).filter(|node| node.known() == KnownOp::Shape)?;
    let masks = ["begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"];
    let masks = masks.map(|name| node.info().attr::<i64>(name).unwrap_or(-1));
    if masks != [0, 0, 0, 0, 1] || constant_int(graph, strides.node)? != 1 {
        return None;
    }
    let shape = graph.shape(*shape_node.inputs().first()?);
    let index = oplink_api::shape_inference::normalize_axis(constant_int(graph, begin.node)?, shape.rank()?).ok()?;
    scalar(shape.dim(index)? as i64, node)
}

/// The only value of a constant node.
fn constant_int(graph: &Graph, node: u32) -> Option<i64> {
    let node = graph.node(node).filter(|node| node.known() == KnownOp::Const)?;
    let AttrValue::Tensor(value) = node.info().attrs.get("value")? else { return None };
    match int_values(value).ok()?[..] {
        [value] => Some(value),
        _ => None,
    }
}

fn scalar(value: i64, node: &Node) -> Option<Vec<Option<Tensor>>> {
    let vector = integers(&[value], *node.info().output_dtypes.first()?)?;
    Some(vec![Some(vector.with_shape(Shape::scalar()).ok()?)])
}

/// A vector of int32 or int64.
fn integers(values: &[i64], dtype: DType) -> Option<Tensor> {
    match dtype {
        DType::Int64 => Some(Tensor::from_slice(values)),
        DType::Int32 => {
            let narrow: Option<Vec<i32>> = values.iter().map(|&v| i32::try_from(v).ok()).collect();
            narrow.map(|values| Tensor::from_slice(&values))
        }
        _ => None,
    }
}
