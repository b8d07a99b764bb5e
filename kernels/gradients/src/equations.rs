//! Least squares, and equations whose matrices are given by their diagonals.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{
    BandedTriangularSolve, Cholesky, ConcatV2, ExpandDims, Gather, MatrixDiagPartV3, MatrixSolveLs,
    MatrixTriangularSolve, Neg, OnesLike, Pack, Size, StridedSlice, TridiagonalMatMul, TridiagonalSolve,
};

use crate::Gradients;
use crate::linalg::unbroadcast_batch;
use crate::matrices::{Matrices, extents};
use crate::nodes::{Attrs, Nodes, same};

/// The gradient by the diagonals is that by the whole matrix, of which they are taken.
#[gradient(BandedTriangularSolve)]
fn banded_triangular_solve(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (adjoint, lower) = (op.attr::<bool>("adjoint")?, op.attr::<bool>("lower")?);
    let (bands, x) = (op.input(0), op.output(0));
    let mut attrs = same(op, &["lower"]);
    attrs.push(("adjoint", (!adjoint).into()));
    let by_right = n.with::<BandedTriangularSolve>([bands, dy[0]], attrs)?;
    let (left, right) = if adjoint { (x, by_right) } else { (by_right, x) };
    let by_matrix = n.add::<Neg>([Matrices { n: &n }.adjoint_product((left, false), (right, true))?])?;
    let shape = n.shape(bands)?;
    let count = n.add::<Gather>([shape, n.sub(n.add::<Size>([shape])?, n.int(2)?)?])?;
    let range = match lower {
        true => [n.sub(n.int(1)?, count)?, n.int(0)?],
        false => [n.int(0)?, n.sub(count, n.int(1)?)?],
    };
    let range = n.join::<Pack>(&range, Attrs::new())?;
    let align = vec![("align", "LEFT_RIGHT".into())];
    let by_bands = n.with::<MatrixDiagPartV3>([by_matrix, range, n.scalar(0.0)?], align)?;
    Ok(unbroadcast_batch(&n, op, [by_bands, by_right])?.map(Some).to_vec())
}

/// By the normal equations of the first kind where there are at least as many rows as columns, else of the second.
#[gradient(MatrixSolveLs)]
fn matrix_solve_ls(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    if !op.attr::<bool>("fast")? {
        return Err(oplink::Error::unimplemented("MatrixSolveLs has a gradient only where `fast` is true"));
    }
    let Some((rows, columns)) = extents(&op.input_shape(0)) else {
        return Err(oplink::Error::unimplemented("the gradient of MatrixSolveLs needs the extents of its matrices"));
    };
    let n = Nodes::new(scope, op);
    let m = Matrices { n: &n };
    let (a, b, x) = (op.input(0), op.input(1), op.output(0));
    let is_tall = rows >= columns;
    let gramian = m.adjoint_product((a, is_tall), (a, !is_tall))?;
    let diagonal = m.diagonal(gramian)?;
    let weight = n.cast(op.input(2), DType::Double, op.input_dtype(0))?;
    let added = m.of_diagonal(n.mul(n.add::<OnesLike>([diagonal])?, weight)?)?;
    let factor = n.add::<Cholesky>([m.sum(gramian, added)?])?;
    let solve = |right| {
        let half = n.add::<MatrixTriangularSolve>([factor, right])?;
        n.with::<MatrixTriangularSolve>([factor, half], vec![("adjoint", true.into())])
    };
    if is_tall {
        let z = solve(dy[0])?;
        let product = m.adjoint_product((x, false), (z, true))?;
        let both = m.product(a, m.sum(product, m.transposed(product)?)?)?;
        let by_matrix = n.sub(m.adjoint_product((b, false), (z, true))?, both)?;
        return Ok(vec![Some(by_matrix), Some(m.product(a, z)?), None]);
    }
    let by_right = solve(m.product(a, dy[0])?)?;
    let solved = solve(b)?;
    let first = m.product(by_right, m.adjoint_product((solved, true), (a, false))?)?;
    let rest = n.sub(dy[0], m.adjoint_product((a, true), (by_right, false))?)?;
    let second = m.adjoint_product((solved, false), (rest, true))?;
    Ok(vec![Some(n.sub(second, first)?), Some(by_right), None])
}

/// Rows and columns of matrices from the first number up to the second, 0 being the end.
fn part(n: &Nodes<'_>, matrix: Output, rows: [i32; 2], columns: [i32; 2]) -> Result<Output> {
    // The first axis of the slice is the ellipsis.
    let bit = |end: i32, bit: i64| if end == 0 { bit } else { 0 };
    let end_mask = bit(rows[1], 2) | bit(columns[1], 4);
    let attrs: Attrs = vec![("ellipsis_mask", 1i64.into()), ("end_mask", end_mask.into())];
    let begin = n.ints(&[0, rows[0], columns[0]])?;
    let end = n.ints(&[0, rows[1], columns[1]])?;
    n.with::<StridedSlice>([matrix, begin, end, n.ints(&[1, 1, 1])?], attrs)
}

/// Tensors joined along an axis from the end.
fn joined(n: &Nodes<'_>, parts: &[Output], axis: i32) -> Result<Output> {
    let arguments = vec![Arg::List(parts.to_vec()), Arg::One(n.int(axis)?)];
    Ok(n.call::<ConcatV2>(arguments, Attrs::new())?[0])
}

/// Each row in the place of the one before, zeros in that of the last; or the other way round.
fn shifted_rows(n: &Nodes<'_>, matrix: Output, up: bool) -> Result<Output> {
    let zeros = n.zeros(part(n, matrix, [0, 1], [0, 0])?)?;
    match up {
        true => joined(n, &[part(n, matrix, [1, 0], [0, 0])?, zeros], -2),
        false => joined(n, &[zeros, part(n, matrix, [0, -1], [0, 0])?], -2),
    }
}

/// Sums over the columns.
fn row_sums(n: &Nodes<'_>, a: Output, b: Output) -> Result<Output> {
    n.sum(n.mul(a, b)?, n.int(-1)?)
}

#[gradient(TridiagonalMatMul)]
fn tridiagonal_mat_mul(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let m = Matrices { n: &n };
    let right = n.conj(op.input(3))?;
    let scaled = |diagonal: usize| n.mul(m.adjoint(op.input(diagonal))?, dy[0]);
    let above = shifted_rows(&n, scaled(0)?, false)?;
    let by_right = m.sum(m.sum(above, scaled(1)?)?, shifted_rows(&n, scaled(2)?, true)?)?;
    let mut gradients = Vec::with_capacity(4);
    for right in [shifted_rows(&n, right, true)?, right, shifted_rows(&n, right, false)?] {
        gradients.push(Some(n.add::<ExpandDims>([row_sums(&n, right, dy[0])?, n.int(-2)?])?));
    }
    gradients.push(Some(by_right));
    Ok(gradients)
}

/// The transposed equations have the diagonals above and below exchanged, each number in its row.
#[gradient(TridiagonalSolve)]
fn tridiagonal_solve(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let (diagonals, x) = (op.input(0), op.output(0));
    let zeros = n.zeros(part(&n, diagonals, [0, 1], [0, 1])?)?;
    let above = joined(&n, &[part(&n, diagonals, [2, 0], [1, 0])?, zeros], -1)?;
    let below = joined(&n, &[zeros, part(&n, diagonals, [0, 1], [0, -1])?], -1)?;
    let transposed = joined(&n, &[above, part(&n, diagonals, [1, 2], [0, 0])?, below], -2)?;
    let attrs = same(op, &["partial_pivoting", "perturb_singular"]);
    let by_right = n.with::<TridiagonalSolve>([transposed, dy[0]], attrs)?;
    let rows = [
        row_sums(&n, by_right, shifted_rows(&n, x, true)?)?,
        row_sums(&n, by_right, x)?,
        row_sums(&n, by_right, shifted_rows(&n, x, false)?)?,
    ];
    let by_diagonals = n.join::<Pack>(&rows, vec![("axis", (-2i64).into())])?;
    Ok(vec![Some(n.add::<Neg>([by_diagonals])?), Some(by_right)])
}
