//! Ops that hand values on.

use oplink::prelude::*;
use oplink_ops::{
    CheckNumerics, CheckNumericsV2, DebugGradientIdentity, DebugGradientRefIdentity, DebugIdentityV2, EnsureShape,
    Identity, IdentityN, PlaceholderWithDefault, PreventGradient, Print, RefIdentity, Snapshot,
};

use crate::Gradients;
use crate::nodes::{Nodes, unary};

/// What is printed beside the input has no gradient.
#[gradient(Print)]
fn print(_: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let mut gradients = vec![Some(dy[0])];
    gradients.resize(op.inputs().len(), None);
    Ok(gradients)
}

#[gradient(Identity)]
fn identity(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, _, dy| n.add::<Identity>([dy]))
}

#[gradient(IdentityN)]
fn identity_n(_: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Gradients {
    Ok(dy.iter().copied().map(Some).collect())
}

#[gradient(DebugGradientIdentity)]
fn debug_gradient_identity(_: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Gradients {
    Ok(vec![Some(dy[0])])
}

#[gradient(DebugGradientRefIdentity)]
fn debug_gradient_ref_identity(_: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Gradients {
    Ok(vec![Some(dy[0])])
}

#[gradient(DebugIdentityV2)]
fn debug_identity(_: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Gradients {
    Ok(vec![Some(dy[0])])
}

#[gradient(RefIdentity)]
fn ref_identity(_: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Gradients {
    Ok(vec![Some(dy[0])])
}

#[gradient(Snapshot)]
fn snapshot(_: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Gradients {
    Ok(vec![Some(dy[0])])
}

#[gradient(PlaceholderWithDefault)]
fn placeholder_with_default(_: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Gradients {
    Ok(vec![Some(dy[0])])
}

#[gradient(EnsureShape)]
fn ensure_shape(_: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Gradients {
    Ok(vec![Some(dy[0])])
}

#[gradient(PreventGradient)]
fn prevent_gradient(_: &mut dyn Scope, op: &OpForGradient, _: &[Output]) -> Gradients {
    bail!("the gradient is prevented: {}", op.attr::<&str>("message")?)
}

#[gradient(CheckNumerics)]
fn check_numerics(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let message = "Not a number (NaN) or infinity (Inf) values detected in gradient.";
    let n = Nodes::new(scope, op);
    Ok(vec![Some(n.with::<CheckNumerics>([dy[0]], vec![("message", message.into())])?)])
}

#[gradient(CheckNumericsV2)]
fn check_numerics_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let told = op.attr::<&str>("message")?;
    let message = format!("Not a number (NaN) or infinity (Inf) values detected in gradient. {told}");
    let n = Nodes::new(scope, op);
    Ok(vec![Some(n.with::<CheckNumericsV2>([dy[0]], vec![("message", message.as_str().into())])?)])
}
