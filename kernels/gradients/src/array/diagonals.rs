//! Diagonals and bands of matrices.

use oplink::prelude::*;
use oplink_ops::{Diag, DiagPart, MatrixBandPart, MatrixDiag, MatrixDiagPart, MatrixDiagPartV3, MatrixDiagV3};

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
    let sizes = op.input_shape(0);
    let size = |from_end: usize| {
        let dims = sizes.dims()?;
        dims.len().checked_sub(from_end).and_then(|at| dims[at]).and_then(|size| i32::try_from(size).ok())
    };
    let (Some(rows), Some(columns)) = (size(2), size(1)) else {
        return Err(oplink::Error::unimplemented(
            "gradients of diagonals of matrices of unknown sizes are not supported",
        ));
    };
    let inputs = [dy[0], op.input(1), n.int(rows)?, n.int(columns)?, n.scalar(0.0)?];
    Ok(vec![Some(n.like::<MatrixDiagV3>(op, inputs, &["align"])?[0]), None, None])
}
