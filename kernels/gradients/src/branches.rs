//! Values that go one of several ways, and come back from whichever was taken.
//!
//! A gradient that comes from a side that was not taken is dead, as the values of that side are.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{Equal, Merge, RefMerge, RefSwitch, Switch};

use crate::Gradients;
use crate::nodes::{Attrs, Nodes};

/// Whichever gradient there is. That of an output which nothing reads is zeros on its side.
fn of_switch(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    Ok(vec![Some(Nodes::new(scope, op).join::<Merge>(dy, Attrs::new())?), None])
}

/// The gradient goes to the input that was taken.
fn of_merge(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (taken, count) = (op.output(1), op.inputs().len());
    let sides = |at: usize| {
        let is_taken = n.add::<Equal>([taken, n.int(at as i32)?])?;
        n.call::<Switch>(vec![Arg::One(dy[0]), Arg::One(is_taken)], Attrs::new())
    };
    if count == 2 {
        return Ok(sides(1)?.into_iter().map(Some).collect());
    }
    (0..count).map(|at| Ok(sides(at)?.get(1).copied())).collect()
}

#[gradient(Switch)]
fn switch(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    of_switch(scope, op, dy)
}

#[gradient(RefSwitch)]
fn ref_switch(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    of_switch(scope, op, dy)
}

#[gradient(Merge)]
fn merge(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    of_merge(scope, op, dy)
}

#[gradient(RefMerge)]
fn ref_merge(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    of_merge(scope, op, dy)
}
