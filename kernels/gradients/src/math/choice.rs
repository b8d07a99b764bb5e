//! Values chosen by conditions and bounds.

use oplink::prelude::*;
use oplink_ops::{ClipByValue, Greater, Less, LogicalOr, Select, SelectV2};

use crate::Gradients;
use crate::nodes::Nodes;

#[gradient(Select)]
fn select(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (condition, zeros) = (op.input(0), n.zeros(op.input(1))?);
    let by_then = n.add::<Select>([condition, dy[0], zeros])?;
    Ok(vec![None, Some(by_then), Some(n.add::<Select>([condition, zeros, dy[0]])?)])
}

#[gradient(SelectV2)]
fn select_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (condition, zeros) = (op.input(0), n.zeros(dy[0])?);
    let by_then = n.add::<SelectV2>([condition, dy[0], zeros])?;
    let by_else = n.add::<SelectV2>([condition, zeros, dy[0]])?;
    Ok(vec![None, n.unbroadcast_one(op.input(1), by_then)?, n.unbroadcast_one(op.input(2), by_else)?])
}

/// The gradient goes to the value inside of the bounds, to the bound that is exceeded outside.
#[gradient(ClipByValue)]
fn clip_by_value(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (x, low, high, dy) = (op.input(0), op.input(1), op.input(2), dy[0]);
    let (below, above, zeros) = (n.add::<Less>([x, low])?, n.add::<Greater>([x, high])?, n.zeros(dy)?);
    let outside = n.add::<LogicalOr>([below, above])?;
    let inside = n.add::<SelectV2>([outside, zeros, dy])?;
    let reached = |mask, bound| n.unbroadcast_one(bound, n.add::<SelectV2>([mask, dy, zeros])?);
    Ok(vec![Some(inside), reached(below, low)?, reached(above, high)?])
}
