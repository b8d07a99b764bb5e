//! The singular value decomposition.
//!
//! By <https://j-towns.github.io/papers/svd-derivative.pdf>, and for complex numbers
//! <https://re-ra.xyz/misc/complexsvd.pdf>. With equal singular values the vectors are not unique, and the gradient
//! means nothing.

use oplink::call::Arg;
use oplink::prelude::*;
use oplink_ops::{Square, Svd};

use crate::Gradients;
use crate::matrices::{Matrices, extents};
use crate::nodes::{Attrs, Nodes};

/// A decomposition `u s v^H` of matrices with no more rows than columns.
struct Wide {
    rows: usize,
    columns: usize,
    is_full: bool,
    s: Output,
    u: Output,
    v: Output,
}

#[gradient(Svd)]
fn svd(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let m = Matrices { n: &n };
    if !op.attr::<bool>("compute_uv")? {
        let again = n.call::<Svd>(vec![Arg::One(op.input(0))], Attrs::new())?;
        let right = m.adjoint_product((m.of_diagonal(dy[0])?, false), (again[2], true))?;
        return Ok(vec![Some(m.product(again[1], right)?)]);
    }
    let Some((rows, columns)) = extents(&op.input_shape(0)) else {
        return Err(oplink::Error::unimplemented("the gradient of Svd needs the extents of the matrices in the graph"));
    };
    let is_full = op.attr::<bool>("full_matrices")?;
    if is_full && rows.abs_diff(columns) > 1 {
        return Err(oplink::Error::unimplemented(format!(
            "the gradient of Svd with full_matrices is for extents that differ by 1 at most, they are {rows} and \
             {columns}"
        )));
    }
    let (s, u, v) = (op.output(0), op.output(1), op.output(2));
    if rows <= columns {
        let wide = Wide { rows, columns, is_full, s, u, v };
        return Ok(vec![Some(wide.gradient(&m, op.input_dtype(0), [dy[0], dy[1], dy[2]])?)]);
    }
    let wide = Wide { rows: columns, columns: rows, is_full, s, u: v, v: u };
    let turned = wide.gradient(&m, op.input_dtype(0), [dy[0], dy[2], dy[1]])?;
    Ok(vec![Some(m.adjoint(turned)?)])
}

impl Wide {
    fn gradient(&self, m: &Matrices<'_, '_>, dtype: DType, [ds, du, dv]: [Output; 3]) -> Result<Output> {
        let first = (m.columns(self.v, 0, Some(self.rows))?, m.columns(dv, 0, Some(self.rows))?);
        let (v1, dv1) = first;
        let factors = m.reciprocal_differences(m.n.add::<Square>([self.s])?)?;
        let s = m.of_diagonal(self.s)?;
        let turned_u = m.adjoint_product((self.u, true), (du, false))?;
        let turned_v = m.adjoint_product((v1, true), (dv1, false))?;
        let by_u = m.product(m.with_adjoint(m.n.mul(factors, turned_u)?)?, s)?;
        let by_v = m.product(s, m.with_adjoint(m.n.mul(factors, turned_v)?)?)?;
        let middle = m.sum(m.of_diagonal(ds)?, m.sum(by_u, by_v)?)?;
        let mut sum = m.product(self.u, m.adjoint_product((middle, false), (v1, true))?)?;
        let inverse = m.of_diagonal(m.safe_reciprocal(self.s)?)?;
        if self.rows < self.columns {
            let beside = self.beside(m, first, dv)?;
            sum = m.sum(sum, m.product(m.product(self.u, inverse)?, beside)?)?;
        }
        if dtype.is_complex() {
            let diagonal = m.of_diagonal(m.diagonal(turned_v)?)?;
            let phases = m.product(inverse, m.n.sub(m.adjoint(diagonal)?, diagonal)?)?;
            let phases = m.product(self.u, m.adjoint_product((phases, false), (v1, true))?)?;
            sum = m.sum(sum, m.n.mul(m.n.scalar(0.5)?, phases)?)?;
        }
        Ok(sum)
    }

    /// What of the gradient of the right vectors lies outside of the space that the first of them span.
    fn beside(&self, m: &Matrices<'_, '_>, (v1, dv1): (Output, Output), dv: Output) -> Result<Output> {
        let inside = m.adjoint_product((dv1, true), (v1, false))?;
        let outside = m.n.sub(m.adjoint(dv1)?, m.adjoint_product((inside, false), (v1, true))?)?;
        if !self.is_full {
            return Ok(outside);
        }
        let (v2, dv2) = (m.columns(self.v, self.rows, None)?, m.columns(dv, self.rows, None)?);
        let mixed = m.adjoint_product((v1, true), (dv2, false))?;
        m.n.sub(outside, m.adjoint_product((mixed, false), (v2, true))?)
    }
}
