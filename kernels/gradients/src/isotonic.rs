//! Falling sequences nearest to given ones.

use oplink::prelude::*;
use oplink_ops::{
    Add, Div, GatherV2, IsotonicRegression, Maximum, Mul, OnesLike, Pack, Range, Size, TruncateDiv, UnsortedSegmentSum,
};

use crate::Gradients;
use crate::nodes::Nodes;

/// Elements that were averaged get the mean of their gradients.
#[gradient(IsotonicRegression)]
fn isotonic_regression(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    // The last axis is averaged along, all others are rows.
    let runs = op.output(1);
    let shape = n.shape(runs)?;
    let last = n.sub(n.add::<Size>([shape])?, n.int(1)?)?;
    let length = n.add::<GatherV2>([shape, last, n.int(0)?])?;
    let rows = n.add::<TruncateDiv>([n.add::<Size>([runs])?, n.add::<Maximum>([length, n.int(1)?])?])?;
    let flat = n.join::<Pack>(&[rows, length], Vec::new())?;
    // Runs are numbered row by row; no row has more of them than elements.
    let first = n.add::<Mul>([n.add::<Range>([n.int(0)?, rows, n.int(1)?])?, length])?;
    let numbers = n.add::<Add>([n.reshape(runs, flat)?, n.reshape(first, n.ints(&[-1, 1])?)?])?;
    let (count, dy) = (n.add::<Mul>([rows, length])?, n.reshape(dy[0], flat)?);
    let sums = |values| n.add::<GatherV2>([n.add::<UnsortedSegmentSum>([values, numbers, count])?, numbers, n.int(0)?]);
    let mean = n.add::<Div>([sums(dy)?, sums(n.add::<OnesLike>([dy])?)?])?;
    Ok(vec![Some(n.reshape_like(mean, runs)?)])
}
