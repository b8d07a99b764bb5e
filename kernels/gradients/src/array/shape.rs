//! Ops that change the shape or the order of elements.

use oplink::prelude::*;
use oplink_ops::{
    BroadcastTo, ConjugateTranspose, ExpandDims, Fill, InvertPermutation, Neg, Pack, Range, Rank, Reshape, Reverse,
    ReverseSequence, ReverseV2, Roll, Size, Squeeze, Tile, Transpose,
};

use crate::Gradients;
use crate::nodes::{Nodes, unary};

/// `dy` in the shape of the first input; nothing for the others.
fn shaped(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let mut gradients = unary(scope, op, dy, |n, x, _, dy| n.reshape_like(dy, x))?;
    gradients.resize(op.inputs().len(), None);
    Ok(gradients)
}

#[gradient(Reshape)]
fn reshape(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    shaped(scope, op, dy)
}

#[gradient(ExpandDims)]
fn expand_dims(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    shaped(scope, op, dy)
}

#[gradient(Squeeze)]
fn squeeze(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    shaped(scope, op, dy)
}

#[gradient(Transpose)]
fn transpose(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let back = n.add::<InvertPermutation>([op.input(1)])?;
    Ok(vec![Some(n.add::<Transpose>([dy[0], back])?), None])
}

#[gradient(ConjugateTranspose)]
fn conjugate_transpose(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let back = n.add::<InvertPermutation>([op.input(1)])?;
    Ok(vec![Some(n.add::<ConjugateTranspose>([dy[0], back])?), None])
}

#[gradient(Reverse)]
fn reverse(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(n.add::<Reverse>([dy[0], op.input(1)])?), None])
}

#[gradient(ReverseV2)]
fn reverse_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(n.add::<ReverseV2>([dy[0], op.input(1)])?), None])
}

#[gradient(ReverseSequence)]
fn reverse_sequence(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let reversed = n.like::<ReverseSequence>(op, [dy[0], op.input(1)], &["seq_dim", "batch_dim"])?;
    Ok(vec![Some(reversed[0]), None])
}

#[gradient(Roll)]
fn roll(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let back = n.add::<Neg>([op.input(1)])?;
    Ok(vec![Some(n.add::<Roll>([dy[0], back, op.input(2)])?), None, None])
}

/// The sum over the copies: along each dimension the gradient has the copies apart from the elements.
#[gradient(Tile)]
fn tile(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let multiples = n.cast(op.input(1), op.input_dtype(1), DType::Int32)?;
    let shape = n.shape(op.input(0))?;
    let pairs = n.join::<Pack>(&[multiples, shape], vec![("axis", 1i64.into())])?;
    let apart = n.reshape(pairs, n.ints(&[-1])?)?;
    let axes = n.add::<Range>([n.int(0)?, n.add::<Size>([apart])?, n.int(2)?])?;
    Ok(vec![Some(n.reshape(n.sum(n.reshape(dy[0], apart)?, axes)?, shape)?), None])
}

#[gradient(BroadcastTo)]
fn broadcast_to(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![n.unbroadcast_one(op.input(0), dy[0])?, None])
}

#[gradient(Fill)]
fn fill(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let axes = n.add::<Range>([n.int(0)?, n.add::<Rank>([dy[0]])?, n.int(1)?])?;
    Ok(vec![None, Some(n.sum(dy[0], axes)?)])
}
