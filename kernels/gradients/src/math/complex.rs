//! Complex numbers and their parts.

use oplink::prelude::*;
use oplink_ops::{Angle, Complex as ComplexOp, Conj, Cross, Imag, Neg, Real as RealOp, Reciprocal};

use crate::Gradients;
use crate::nodes::{Nodes, unary};

#[gradient(Conj)]
fn conj(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, _, dy| n.add::<Conj>([dy]))
}

#[gradient(RealOp)]
fn real(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let dtype = op.input_dtype(0);
    unary(scope, op, dy, |n, _, _, dy| n.with::<ComplexOp>([dy, n.zeros(dy)?], vec![("Tout", dtype.into())]))
}

#[gradient(Imag)]
fn imag(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let dtype = op.input_dtype(0);
    unary(scope, op, dy, |n, _, _, dy| n.with::<ComplexOp>([n.zeros(dy)?, dy], vec![("Tout", dtype.into())]))
}

/// `-dy / (Im(x) + i Re(x))`.
#[gradient(Angle)]
fn angle(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let (dtype, part) = (op.input_dtype(0), op.attr::<DType>("Tout")?);
    unary(scope, op, dy, |n, x, _, dy| {
        let parts = || vec![("Tout", part.into())];
        let whole = |re, im| n.with::<ComplexOp>([re, im], vec![("Tout", dtype.into())]);
        let turned = whole(n.with::<Imag>([x], parts())?, n.with::<RealOp>([x], parts())?)?;
        let dy = whole(dy, n.zeros(dy)?)?;
        n.mul(n.add::<Neg>([dy])?, n.add::<Reciprocal>([turned])?)
    })
}

#[gradient(ComplexOp)]
fn complex(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let part = || vec![("Tout", op.input_dtype(0).into())];
    let parts = [n.with::<RealOp>([dy[0]], part())?, n.with::<Imag>([dy[0]], part())?];
    Ok(n.unbroadcast([op.input(0), op.input(1)], parts)?.map(Some).to_vec())
}

#[gradient(Cross)]
fn cross(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (a, b) = (op.input(0), op.input(1));
    Ok(vec![Some(n.add::<Cross>([b, dy[0]])?), Some(n.add::<Cross>([dy[0], a])?)])
}
