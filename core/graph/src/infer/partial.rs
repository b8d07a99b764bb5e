//! The shape that a vector of extents stands for, some of them unknown: how `Reshape` to `[shape(x)[0], 10]` is
//! inferred.

use oplink_api::shape::MAX_RANK;
use oplink_api::shape_inference::int_values;
use oplink_api::{DType, Output, PartialShape, Tensor};

use super::evaluate::Evaluator;
use crate::graph::Node;
use crate::known_ops::KnownOp;

/// Vectors made of vectors are followed this deep.
const MAX_DEPTH: usize = 64;

type Rule = fn(&Evaluator<'_>, &Node, Output, usize) -> Option<PartialShape>;

const RULES: &[(KnownOp, Rule)] = &[
    (KnownOp::Cast, cast),
    (KnownOp::Shape, shape),
    (KnownOp::ShapeN, shape),
    (KnownOp::Pack, pack),
    (KnownOp::Concat, concat),
    (KnownOp::ConcatV2, concat_v2),
    (KnownOp::StridedSlice, strided_slice),
    (KnownOp::VariableShape, variable_shape),
];

/// The shape whose extents the vector `output` holds, as far as it is known; `None` where nothing is.
pub(super) fn shape_of_extents(evaluator: &Evaluator<'_>, output: Output) -> Option<PartialShape> {
    follow(evaluator, output, 0)
}

fn follow(evaluator: &Evaluator<'_>, output: Output, depth: usize) -> Option<PartialShape> {
    let graph = evaluator.graph();
    let length = graph.shape(output);
    if depth > MAX_DEPTH || length.rank().is_some_and(|rank| rank != 1) {
        return None;
    }
    if length.dim(0) == Some(0) {
        return Some(PartialShape::scalar());
    }
    let node = graph.node(output.node)?;
    match RULES.iter().find(|(op, _)| *op == node.known()) {
        Some((_, rule)) => rule(evaluator, node, output, depth + 1),
        None => from_value(evaluator, output),
    }
}

/// The shape in a vector whose elements are all known, or one of unknown extents as long as the vector.
fn from_value(evaluator: &Evaluator<'_>, output: Output) -> Option<PartialShape> {
    match evaluator.value(output) {
        Some(value) => extents(&value),
        None => evaluator.graph().shape(output).dim(0).map(PartialShape::unknown_of_rank),
    }
}

fn extents(value: &Tensor) -> Option<PartialShape> {
    PartialShape::from_i64(Some(&int_values(value).ok()?)).ok()
}

fn cast(evaluator: &Evaluator<'_>, node: &Node, output: Output, depth: usize) -> Option<PartialShape> {
    if let Some(shape) = evaluator.value(output).as_ref().and_then(extents) {
        return Some(shape);
    }
    let source = *node.inputs().first()?;
    let Some(before) = follow(evaluator, source, depth) else { return from_value(evaluator, output) };
    match node.info().output_dtypes.first()? {
        DType::Int32 | DType::Int64 => Some(before),
        _ => before.rank().map(PartialShape::unknown_of_rank),
    }
}

fn shape(evaluator: &Evaluator<'_>, node: &Node, output: Output, _: usize) -> Option<PartialShape> {
    Some(evaluator.graph().shape(*node.inputs().get(output.index as usize)?))
}

#[allow(clippy::unnecessary_wraps, reason = "a rule")]
fn pack(evaluator: &Evaluator<'_>, node: &Node, _: Output, _: usize) -> Option<PartialShape> {
    let extent = |input: &Output| {
        let value = scalar(evaluator, *input)?;
        usize::try_from(value).ok()
    };
    Some(node.inputs().iter().map(extent).collect())
}

fn concat(evaluator: &Evaluator<'_>, node: &Node, _: Output, depth: usize) -> Option<PartialShape> {
    join(evaluator, node.inputs().split_first()?.1, depth)
}

fn concat_v2(evaluator: &Evaluator<'_>, node: &Node, _: Output, depth: usize) -> Option<PartialShape> {
    join(evaluator, node.inputs().split_last()?.1, depth)
}

fn join(evaluator: &Evaluator<'_>, parts: &[Output], depth: usize) -> Option<PartialShape> {
    let mut joined = PartialShape::scalar();
    for &part in parts {
        follow(evaluator, part, depth)?.dims()?.iter().for_each(|&dim| joined.push(dim));
        if joined.rank() > Some(MAX_RANK) {
            return None;
        }
    }
    Some(joined)
}

/// A contiguous or strided part of a vector, where only the masks of an open begin or end are set.
fn strided_slice(evaluator: &Evaluator<'_>, node: &Node, _: Output, depth: usize) -> Option<PartialShape> {
    let [source, begin, end, stride] = node.inputs() else { return None };
    let mask = |name: &str| node.info().attr::<i64>(name).unwrap_or(-1);
    let plain = ["ellipsis_mask", "new_axis_mask", "shrink_axis_mask"].into_iter().all(|name| mask(name) == 0);
    let (open_begin, open_end) = (mask("begin_mask"), mask("end_mask"));
    let one = |input: &Output| evaluator.graph().shape(*input).dim(0) == Some(1);
    if !plain
        || !(0..=1).contains(&open_begin)
        || !(0..=1).contains(&open_end)
        || ![begin, end, stride].into_iter().all(one)
    {
        return None;
    }
    let begin = if open_begin == 1 { None } else { Some(element(evaluator, *begin)?) };
    let end = if open_end == 1 { None } else { Some(element(evaluator, *end)?) };
    let stride = element(evaluator, *stride)?;
    let source = follow(evaluator, *source, depth)?;
    sliced(source.dims()?, begin, end, stride)
}

/// Every `stride`-th extent of `begin..end`; negative positions count from the end, those outside are cut off.
fn sliced(dims: &[Option<usize>], begin: Option<i64>, end: Option<i64>, stride: i64) -> Option<PartialShape> {
    let rank = dims.len() as i64;
    let at = |position: i64| if position < 0 { position.saturating_add(rank) } else { position };
    if stride > 0 {
        let begin = begin.map_or(0, at).clamp(0, rank) as usize;
        let end = end.map_or(rank, at).clamp(0, rank) as usize;
        return Some(dims.get(begin..end).unwrap_or_default().iter().step_by(stride as usize).copied().collect());
    }
    if stride == 0 {
        return None;
    }
    let begin = begin.map_or(rank - 1, at).clamp(-1, rank - 1);
    let end = end.map_or(-1, at).clamp(-1, rank - 1);
    let part = dims.get((end + 1) as usize..(begin + 1) as usize).unwrap_or_default();
    Some(part.iter().rev().step_by(usize::try_from(stride.unsigned_abs()).ok()?).copied().collect())
}

fn variable_shape(evaluator: &Evaluator<'_>, node: &Node, _: Output, _: usize) -> Option<PartialShape> {
    let handle = *node.inputs().first()?;
    let shapes = evaluator.graph().node(handle.node)?.handle_shapes(handle.index as usize);
    shapes.first().map(|(_, shape)| shape.clone())
}

/// The integer in a scalar.
fn scalar(evaluator: &Evaluator<'_>, output: Output) -> Option<i64> {
    let value = evaluator.value(output).filter(|value| value.rank() == 0)?;
    int_values(&value).ok()?.first().copied()
}

/// The only integer in a vector or scalar.
fn element(evaluator: &Evaluator<'_>, output: Output) -> Option<i64> {
    match int_values(&evaluator.value(output)?).ok()?[..] {
        [value] => Some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::sliced;
    use oplink_api::PartialShape;

    #[test]
    fn slices_as_python_does() {
        let dims = [Some(1), None, Some(3), Some(4)];
        let cut = |begin, end, stride| sliced(&dims, begin, end, stride).as_ref().map(ToString::to_string);
        assert_eq!(cut(None, None, 1).as_deref(), Some("[1,?,3,4]"));
        assert_eq!(cut(Some(1), Some(-1), 1).as_deref(), Some("[?,3]"));
        assert_eq!(cut(Some(-9), Some(9), 2).as_deref(), Some("[1,3]"));
        assert_eq!(cut(None, None, -1).as_deref(), Some("[4,3,?,1]"));
        assert_eq!(cut(Some(2), Some(0), -1).as_deref(), Some("[3,?]"));
        assert_eq!(cut(Some(3), Some(1), 1), Some(PartialShape::scalar().to_string()));
        assert_eq!(cut(Some(i64::MIN), Some(i64::MAX), i64::MAX).as_deref(), Some("[1]"));
        assert_eq!(cut(None, None, i64::MIN).as_deref(), Some("[4]"));
        assert_eq!(cut(None, None, 0), None);
    }
}
