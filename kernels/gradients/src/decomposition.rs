//! Decompositions of matrices, determinants, and solutions of linear equations.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{
    Cholesky, ConcatV2, Einsum, GatherV2, LogMatrixDeterminant, MatrixDeterminant, MatrixInverse, MatrixSolve,
    MatrixSquareRoot, MatrixTriangularSolve, Mul, Neg, OnesLike, Pack, Size, Slice,
};

use crate::Gradients;
use crate::linalg::unbroadcast_batch;
use crate::matrices::Matrices;
use crate::nodes::{Attrs, Nodes, same};

/// Half of `L^-H (S + S^H) L^-1`, where `S` is the lower triangle of `L^H dy` with half its diagonal.
#[gradient(Cholesky)]
fn cholesky(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let m = Matrices { n: &n };
    let l = op.output(0);
    let identity = m.of_diagonal(n.add::<OnesLike>([m.diagonal(l)?])?)?;
    let inverse = n.add::<MatrixTriangularSolve>([l, identity])?;
    let middle = m.adjoint_product((l, true), (dy[0], false))?;
    let diagonal = n.mul(m.diagonal(middle)?, n.scalar(0.5)?)?;
    let middle = m.triangle(m.with_diagonal(middle, diagonal)?, true)?;
    let both = m.with_adjoint(middle)?;
    let turned = m.adjoint_product((inverse, true), (m.product(both, inverse)?, false))?;
    Ok(vec![Some(n.mul(turned, n.scalar(0.5)?)?)])
}

#[gradient(MatrixInverse)]
fn matrix_inverse(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let m = Matrices { n: &n };
    let (inverse, adjoint) = (op.output(0), op.attr::<bool>("adjoint")?);
    let right = m.adjoint_product((dy[0], adjoint), (inverse, !adjoint))?;
    let by_input = m.adjoint_product((inverse, !adjoint), (right, false))?;
    Ok(vec![Some(n.add::<Neg>([by_input])?)])
}

/// A number for each matrix times its inverse's conjugate transpose.
fn scaled_inverse(n: &Nodes<'_>, matrix: Output, scales: Output) -> Result<Output> {
    let inverse = n.with::<MatrixInverse>([matrix], vec![("adjoint", true.into())])?;
    let parts = vec![Arg::List(vec![n.shape(scales)?, n.ints(&[1, 1])?]), Arg::One(n.int(0)?)];
    let shape = n.call::<ConcatV2>(parts, Attrs::new())?[0];
    n.mul(n.reshape(scales, shape)?, inverse)
}

/// Of complex matrices TensorFlow takes the determinant itself, not its conjugate, and so does this.
#[gradient(MatrixDeterminant)]
fn matrix_determinant(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let scales = n.mul(dy[0], op.output(0))?;
    Ok(vec![Some(scaled_inverse(&n, op.input(0), scales)?)])
}

/// The sign stays where it is.
#[gradient(LogMatrixDeterminant)]
fn log_matrix_determinant(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    Ok(vec![Some(scaled_inverse(&n, op.input(0), dy[1])?)])
}

/// The gradients by the matrix and by the right sides, of which the latter solve `by_right`.
fn of_solution(n: &Nodes<'_>, op: &OpForGradient, by_right: Output) -> Result<[Output; 2]> {
    let (x, adjoint) = (op.output(0), op.attr::<bool>("adjoint")?);
    let (left, right) = if adjoint { (x, by_right) } else { (by_right, x) };
    let by_matrix = n.add::<Neg>([Matrices { n }.adjoint_product((left, false), (right, true))?])?;
    Ok([by_matrix, by_right])
}

#[gradient(MatrixSolve)]
fn matrix_solve(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let adjoint = op.attr::<bool>("adjoint")?;
    let by_right = n.with::<MatrixSolve>([op.input(0), dy[0]], vec![("adjoint", (!adjoint).into())])?;
    Ok(of_solution(&n, op, by_right)?.map(Some).to_vec())
}

#[gradient(MatrixTriangularSolve)]
fn matrix_triangular_solve(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let adjoint = op.attr::<bool>("adjoint")?;
    let mut attrs = same(op, &["lower"]);
    attrs.push(("adjoint", (!adjoint).into()));
    let by_right = n.with::<MatrixTriangularSolve>([op.input(0), dy[0]], attrs)?;
    let [by_matrix, by_right] = of_solution(&n, op, by_right)?;
    let by_matrix = Matrices { n: &n }.triangle(by_matrix, op.attr("lower")?)?;
    Ok(unbroadcast_batch(&n, op, [by_matrix, by_right])?.map(Some).to_vec())
}

/// `R` and its derivative are the solution of `R dR + dR R = dA`: linear equations whose matrix is made of Kronecker
/// products with the identity.
#[gradient(MatrixSquareRoot)]
fn matrix_square_root(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let m = Matrices { n: &n };
    let (root, shape) = (op.output(0), n.shape(op.output(0))?);
    let batch = n.sub(n.add::<Size>([shape])?, n.int(2)?)?;
    let order = n.add::<GatherV2>([shape, batch, n.int(0)?])?;
    let all = n.add::<Mul>([order, order])?;
    let batch = n.add::<Slice>([shape, n.ints(&[0])?, n.reshape(batch, n.ints(&[1])?)?])?;
    let reshaped = |value, extents: [Output; 2]| {
        let extents = n.join::<Pack>(&extents, Attrs::new())?;
        let parts = vec![Arg::List(vec![batch, extents]), Arg::One(n.int(0)?)];
        n.reshape(value, n.call::<ConcatV2>(parts, Attrs::new())?[0])
    };
    let identity = m.of_diagonal(n.add::<OnesLike>([m.diagonal(root)?])?)?;
    let kronecker = |a, b| {
        let products = n.join::<Einsum>(&[a, b], vec![("equation", "...ij,...kl->...ikjl".into())])?;
        reshaped(products, [all, all])
    };
    let equations = m.sum(kronecker(identity, m.transposed(root)?)?, kronecker(root, identity)?)?;
    let right = reshaped(m.transposed(dy[0])?, [all, n.int(1)?])?;
    let solution = n.add::<MatrixSolve>([equations, right])?;
    Ok(vec![Some(m.transposed(n.reshape(solution, shape)?)?)])
}
