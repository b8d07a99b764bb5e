//! Diagonals and bands of matrices.

use oplink::prelude::*;
use oplink_ops::{
    Diag, DiagPart, MatrixBandPart, MatrixDiag, MatrixDiagPart, MatrixDiagPartV2, MatrixDiagPartV3, MatrixDiagV2,
    MatrixDiagV3, MatrixSetDiag, MatrixSetDiagV2, MatrixSetDiagV3,
};

use crate::Gradients;
use crate::nodes::{Nodes, unary};

#[gradient(Diag)]
fn diag(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, _, dy| n.add::<DiagPart>([dy]))
}

#[gradient(DiagPart)]
fn diag_part(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, _, dy| n.add::<Diag>([dy]))
}

#[gradient(MatrixDiag)]
fn matrix_diag(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, _, dy| n.add::<MatrixDiagPart>([dy]))
}

#[gradient(MatrixBandPart)]
fn matrix_band_part(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(n.add::<MatrixBandPart>([dy[0], op.input(1), op.input(2)])?), None, None])
}

#[gradient(MatrixDiagV3)]
fn matrix_diag_v3(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let inputs = [dy[0], op.input(1), n.scalar(0.0)?];
    let diagonals = n.like::<MatrixDiagPartV3>(op, inputs, &["align"])?[0];
    Ok(vec![Some(diagonals), None, None, None, None])
}

#[gradient(MatrixDiagPartV3)]
fn matrix_diag_part_v3(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let inputs = [n.zeros(op.input(0))?, dy[0], op.input(1)];
    Ok(vec![Some(n.like::<MatrixSetDiagV3>(op, inputs, &["align"])?[0]), None, None])
}

#[gradient(MatrixDiagV2)]
fn matrix_diag_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let diagonals = n.add::<MatrixDiagPartV2>([dy[0], op.input(1), n.scalar(0.0)?])?;
    Ok(vec![Some(diagonals), None, None, None, None])
}

#[gradient(MatrixDiagPart)]
fn matrix_diag_part(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, x, _, dy| n.add::<MatrixSetDiag>([n.zeros(x)?, dy]))
}

#[gradient(MatrixDiagPartV2)]
fn matrix_diag_part_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let by_input = n.add::<MatrixSetDiagV2>([n.zeros(op.input(0))?, dy[0], op.input(1)])?;
    Ok(vec![Some(by_input), None, None])
}

#[gradient(MatrixSetDiag)]
fn matrix_set_diag(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let by_input = n.add::<MatrixSetDiag>([dy[0], n.zeros(op.input(1))?])?;
    Ok(vec![Some(by_input), Some(n.add::<MatrixDiagPart>([dy[0]])?)])
}

#[gradient(MatrixSetDiagV2)]
fn matrix_set_diag_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (diagonal, k) = (op.input(1), op.input(2));
    let by_input = n.add::<MatrixSetDiagV2>([dy[0], n.zeros(diagonal)?, k])?;
    let by_diagonal = n.add::<MatrixDiagPartV2>([dy[0], k, n.scalar(0.0)?])?;
    Ok(vec![Some(by_input), Some(by_diagonal), None])
}

#[gradient(MatrixSetDiagV3)]
fn matrix_set_diag_v3(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (diagonal, k) = (op.input(1), op.input(2));
    let by_input = n.like::<MatrixSetDiagV3>(op, [dy[0], n.zeros(diagonal)?, k], &["align"])?[0];
    let by_diagonal = n.like::<MatrixDiagPartV3>(op, [dy[0], k, n.scalar(0.0)?], &["align"])?[0];
    Ok(vec![Some(by_input), Some(by_diagonal), None])
}
