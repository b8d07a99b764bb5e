//! Falling sequences nearest to given ones.

use oplink::prelude::*;
use oplink_ops::{Add, Div, GatherV2, IsotonicRegression, Mul, OnesLike, Range, UnsortedSegmentSum};

use crate::Gradients;
use crate::nodes::Nodes;

/// Elements that were averaged get the mean of their gradients.
#[gradient(IsotonicRegression)]
fn isotonic_regression(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let runs = op.output(1);
    let extent = |at| n.add::<GatherV2>([n.shape(runs)?, n.int(at)?, n.int(0)?]);
    let (rows, length) = (extent(0)?, extent(1)?);
    // Runs are numbered row by row; no row has more of them than elements.
    let first = n.add::<Mul>([n.add::<Range>([n.int(0)?, rows, n.int(1)?])?, length])?;
    let numbers = n.add::<Add>([runs, n.reshape(first, n.ints(&[-1, 1])?)?])?;
    let count = n.add::<Mul>([rows, length])?;
    let sums = |values| n.add::<GatherV2>([n.add::<UnsortedSegmentSum>([values, numbers, count])?, numbers, n.int(0)?]);
    Ok(vec![Some(n.add::<Div>([sums(dy[0])?, sums(n.add::<OnesLike>([dy[0]])?)?])?)])
}
