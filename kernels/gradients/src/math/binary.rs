//! Sums, products, quotients and extrema of two values.

use oplink::prelude::*;
use oplink_ops::{
    Add, AddV2, Div, DivNoNan, FloorDiv, FloorMod, GreaterEqual, Identity, LessEqual, Maximum, Minimum, Mul, MulNoNan,
    Neg, NextAfter, RealDiv, SelectV2, SquaredDifference, Sub,
};

use crate::Gradients;
use crate::nodes::{Nodes, binary};

fn sum_gradient(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    binary(scope, op, dy, |n, _, _, dy| Ok([n.add::<Identity>([dy])?, n.add::<Identity>([dy])?]))
}

#[gradient(Add)]
fn add(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    sum_gradient(scope, op, dy)
}

#[gradient(AddV2)]
fn add_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    sum_gradient(scope, op, dy)
}

#[gradient(Sub)]
fn sub(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    binary(scope, op, dy, |n, _, _, dy| Ok([n.add::<Identity>([dy])?, n.add::<Neg>([dy])?]))
}

#[gradient(Mul)]
fn mul(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    binary(scope, op, dy, |n, [x, y], _, dy| Ok([n.mul(dy, n.conj(y)?)?, n.mul(dy, n.conj(x)?)?]))
}

#[gradient(MulNoNan)]
fn mul_no_nan(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    binary(scope, op, dy, |n, [x, y], _, dy| Ok([n.add::<MulNoNan>([dy, y])?, n.add::<MulNoNan>([x, dy])?]))
}

/// `dy / y` and `dy * (-x / y / y)`, divided by `D`.
fn quotient<D: Op>(n: &Nodes<'_>, [x, y]: [Output; 2], dy: Output) -> Result<[Output; 2]> {
    let (x, y) = (n.conj(x)?, n.conj(y)?);
    let twice = n.add::<D>([n.add::<D>([n.add::<Neg>([x])?, y])?, y])?;
    Ok([n.add::<D>([dy, y])?, n.mul(dy, twice)?])
}

#[gradient(Div)]
fn div(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    binary(scope, op, dy, |n, inputs, _, dy| quotient::<Div>(n, inputs, dy))
}

#[gradient(RealDiv)]
fn real_div(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    binary(scope, op, dy, |n, inputs, _, dy| quotient::<RealDiv>(n, inputs, dy))
}

#[gradient(DivNoNan)]
fn div_no_nan(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    binary(scope, op, dy, |n, inputs, _, dy| quotient::<DivNoNan>(n, inputs, dy))
}

/// The whole gradient goes to the first input.
#[gradient(NextAfter)]
fn next_after(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    binary(scope, op, dy, |n, _, _, dy| Ok([n.add::<Identity>([dy])?, n.zeros(dy)?]))
}

#[gradient(FloorMod)]
fn floor_mod(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    binary(scope, op, dy, |n, [x, y], _, dy| {
        let whole = n.add::<FloorDiv>([x, y])?;
        Ok([n.add::<Identity>([dy])?, n.mul(dy, n.add::<Neg>([whole])?)?])
    })
}

#[gradient(SquaredDifference)]
fn squared_difference(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    binary(scope, op, dy, |n, [x, y], _, dy| {
        let by_x = n.mul(n.mul(n.scalar(2.0)?, dy)?, n.sub(x, y)?)?;
        Ok([by_x, n.add::<Neg>([by_x])?])
    })
}

/// The gradient goes to `x` where `C` holds of `x` and `y`, else to `y`.
fn to_one<C: Op>(n: &Nodes<'_>, inputs: [Output; 2], dy: Output) -> Result<[Output; 2]> {
    let (holds, zeros) = (n.add::<C>(inputs)?, n.zeros(dy)?);
    Ok([n.add::<SelectV2>([holds, dy, zeros])?, n.add::<SelectV2>([holds, zeros, dy])?])
}

#[gradient(Maximum)]
fn maximum(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    binary(scope, op, dy, |n, inputs, _, dy| to_one::<GreaterEqual>(n, inputs, dy))
}

#[gradient(Minimum)]
fn minimum(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    binary(scope, op, dy, |n, inputs, _, dy| to_one::<LessEqual>(n, inputs, dy))
}
