//! `loop_shapes`: bodies of loops are made for the shapes that the loop's values have at every iteration.
//!
//! A function serves calls with any shapes, so its passes know little. A loop calls its body alone: where the shapes of
//! the first values lead the body to values of the same shapes, these hold for all iterations.

use std::sync::Arc;

use oplink_api::{AttrValue, FuncAttr, NodeInfo, PartialShape, Result};

use super::{HAS_FUSIONS, Pass, Rewrite};
use crate::functions::{ARGUMENT_SHAPES_ATTR, Body};
use crate::known_ops::KnownOp;
use crate::library::ARE_LINKED;

pub(super) const PASS: Pass = Pass {
    name: "loop_shapes",
    description: "makes bodies of loops for the shapes that the loop's values have at every iteration",
    run,
};

/// Each extent that changes is found changed once, so that few rounds are needed; a loop that needs more stays.
const MAX_ROUNDS: usize = 8;
/// The function of a loop that makes the next values.
const BODY: &str = "body";

fn run(rewrite: &mut Rewrite) -> Result<()> {
    if !HAS_FUSIONS || !ARE_LINKED || rewrite.graph.functions.library().is_none() {
        return Ok(());
    }
    for position in rewrite.needed()? {
        rewrite.check_time()?;
        let is_loop = matches!(rewrite.node(position).known(), KnownOp::While | KnownOp::StatelessWhile);
        if is_loop && !rewrite.is_fed(position) {
            specialize(rewrite, position);
        }
    }
    Ok(())
}

/// Tells the body of a loop the shapes of its arguments.
fn specialize(rewrite: &mut Rewrite, position: u32) {
    let node = rewrite.node(position);
    let info = Arc::clone(node.info());
    let first: Vec<PartialShape> = node.inputs().iter().map(|&input| rewrite.graph.shape(input)).collect();
    let Ok(function) = info.attr::<&FuncAttr>(BODY) else { return };
    if function.attrs.get(ARGUMENT_SHAPES_ATTR).is_some() {
        return;
    }
    let Some(shapes) = kept_shapes(rewrite, function, first) else { return };
    let mut function = function.clone();
    function.attrs.set(ARGUMENT_SHAPES_ATTR, AttrValue::Shapes(shapes));
    let mut info = NodeInfo::clone(&info);
    info.attrs.set(BODY, AttrValue::Func(function));
    rewrite.graph.nodes[position as usize].info = Arc::new(info);
}

/// What holds of the shapes of a loop's values at every iteration; `None` where that is nothing.
fn kept_shapes(rewrite: &Rewrite, body: &FuncAttr, first: Vec<PartialShape>) -> Option<Vec<PartialShape>> {
    let mut shapes = first;
    for _ in 0..MAX_ROUNDS {
        if shapes.iter().all(|shape| shape.rank().is_none()) {
            return None;
        }
        let body = Body::of_call(&rewrite.graph, &body.name, &body.attrs, &shapes)?;
        let next = shapes.iter().zip(&body.results).map(|(shape, &result)| common(shape, &body.graph.shape(result)));
        let next: Vec<PartialShape> = next.collect();
        if next == shapes {
            return Some(shapes);
        }
        shapes = next;
    }
    None
}

/// What is known of both shapes: the extents that are equal, where the rank is.
fn common(a: &PartialShape, b: &PartialShape) -> PartialShape {
    match (a.dims(), b.dims()) {
        (Some(a), Some(b)) if a.len() == b.len() => a.iter().zip(b).map(|(a, b)| a.filter(|_| a == b)).collect(),
        _ => PartialShape::unknown(),
    }
}
