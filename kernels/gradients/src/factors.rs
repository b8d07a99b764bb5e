//! Factors of matrices: by eigenvectors, by singular vectors, and by an orthonormal basis.
//!
//! With equal eigenvalues or singular values the vectors are not unique, and these gradients mean nothing.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{Complex, ConcatV2, Eig, MatrixSolve, MatrixTriangularSolve, Qr, Real, SelfAdjointEigV2};

use crate::Gradients;
use crate::matrices::{Matrices, extents};
use crate::nodes::{Attrs, Nodes};

/// Only the lower triangle of the input counts, so the gradient is gathered there.
#[gradient(SelfAdjointEigV2)]
fn self_adjoint_eigen(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let m = Matrices { n: &n };
    let (v, middle) = if op.attr("compute_v")? {
        let v = op.output(1);
        let turned = m.adjoint_product((v, true), (dy[1], false))?;
        let turned = n.mul(m.reciprocal_differences(op.output(0))?, turned)?;
        (v, m.sum(m.of_diagonal(dy[0])?, turned)?)
    } else {
        let again = n.call::<SelfAdjointEigV2>(vec![Arg::One(op.input(0))], Attrs::new())?;
        (again[1], m.of_diagonal(dy[0])?)
    };
    let by_input = m.product(v, m.adjoint_product((middle, false), (v, true))?)?;
    let lower = m.triangle(m.with_adjoint(by_input)?, true)?;
    let half = n.mul(n.scalar(0.5)?, m.diagonal(lower)?)?;
    Ok(vec![Some(m.with_diagonal(lower, half)?)])
}

/// Equation 4.77 of <https://arxiv.org/abs/1701.00392>, for distinct eigenvalues.
#[gradient(Eig)]
fn eigen(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let (dtype, complex) = (op.input_dtype(0), op.attr::<DType>("Tout")?);
    let n = Nodes::of_dtype(scope, complex);
    let m = Matrices { n: &n };
    let compute_v = op.attr::<bool>("compute_v")?;
    let v = match compute_v {
        true => op.output(1),
        false => n.call::<Eig>(vec![Arg::One(op.input(0))], vec![("Tout", complex.into())])?[1],
    };
    let adjoint = m.adjoint(v)?;
    let mut middle = m.of_diagonal(dy[0])?;
    if compute_v {
        let factors = m.conjugate(m.reciprocal_differences(op.output(0))?)?;
        let turned = m.product(adjoint, dy[1])?;
        let lengths = m.of_diagonal(m.diagonal(real_part(&n, turned, complex)?)?)?;
        let along = m.product(m.product(adjoint, v)?, lengths)?;
        middle = m.sum(middle, n.mul(factors, n.sub(turned, along)?)?)?;
    }
    let by_input = n.add::<MatrixSolve>([adjoint, m.product(middle, adjoint)?])?;
    Ok(vec![Some(if dtype == complex { by_input } else { real(&n, by_input, dtype)? })])
}

fn real(n: &Nodes<'_>, value: Output, dtype: DType) -> Result<Output> {
    n.with::<Real>([value], vec![("Tout", dtype.into())])
}

/// The real parts of complex numbers, as complex numbers.
fn real_part(n: &Nodes<'_>, value: Output, dtype: DType) -> Result<Output> {
    let part = real(n, value, if dtype == DType::Complex64 { DType::Float } else { DType::Double })?;
    n.with::<Complex>([part, n.zeros(part)?], vec![("Tout", dtype.into())])
}

/// `x r^-H` of an upper triangular `r`.
fn solved(m: &Matrices<'_, '_>, x: Output, r: Output) -> Result<Output> {
    let solution = m.n.with::<MatrixTriangularSolve>([r, m.adjoint(x)?], vec![("lower", false.into())])?;
    m.adjoint(solution)
}

/// The gradient of a factorization of matrices with at least as many rows as columns, by
/// <https://arxiv.org/abs/2009.10071>.
fn of_tall(m: &Matrices<'_, '_>, dtype: DType, [q, r]: [Output; 2], [dq, dr]: [Output; 2]) -> Result<Output> {
    let turned = m.adjoint_product((q, true), (dq, false))?;
    let upper = m.adjoint_product((r, false), (dr, true))?;
    let lower = m.triangle(m.sum(m.less_adjoint(turned)?, m.less_adjoint(upper)?)?, true)?;
    let inside = m.product(q, m.sum(dr, solved(m, lower, r)?)?)?;
    let outside = solved(m, m.n.sub(dq, m.product(q, turned)?)?, r)?;
    let sum = m.sum(inside, outside)?;
    if !dtype.is_complex() {
        return Ok(sum);
    }
    let both = m.n.sub(upper, m.adjoint(turned)?)?;
    let diagonal = m.of_diagonal(m.diagonal(both)?)?;
    let imaginary = m.n.sub(diagonal, real_part(m.n, diagonal, dtype)?)?;
    m.sum(sum, solved(m, m.adjoint_product((q, false), (imaginary, true))?, r)?)
}

/// Of wide matrices the first columns are factored, the others follow.
#[gradient(Qr)]
fn qr(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let m = Matrices { n: &n };
    let (dtype, q, r) = (op.input_dtype(0), op.output(0), op.output(1));
    let Some((rows, columns)) = extents(&op.input_shape(0)) else {
        return Err(oplink::Error::unimplemented("the gradient of Qr needs the extents of the matrices in the graph"));
    };
    if rows >= columns {
        if rows > columns && op.attr("full_matrices")? {
            return Err(oplink::Error::unimplemented(format!(
                "the gradient of Qr with full_matrices is for matrices with no more rows than columns, they have {rows} \
                 and {columns}"
            )));
        }
        return Ok(vec![Some(of_tall(&m, dtype, [q, r], [dy[0], dy[1]])?)]);
    }
    let (others, dv) = (m.columns(op.input(0), rows, None)?, m.columns(dy[1], rows, None)?);
    let (u, du) = (m.columns(r, 0, Some(rows))?, m.columns(dy[1], 0, Some(rows))?);
    let dq = m.sum(dy[0], m.adjoint_product((others, false), (dv, true))?)?;
    let first = of_tall(&m, dtype, [q, u], [dq, du])?;
    let parts = vec![Arg::List(vec![first, m.product(q, dv)?]), Arg::One(n.int(-1)?)];
    Ok(vec![Some(n.call::<ConcatV2>(parts, Attrs::new())?[0])])
}
