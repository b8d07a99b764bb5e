//! Batches of matrices of one dtype: products, adjoints, diagonals and columns.

use oplink::prelude::*;
use oplink_ops::{
    Add, BatchMatMulV2, Conj, Einsum, ExpandDims, MatrixBandPart, MatrixDiag, MatrixDiagPart, MatrixSetDiag,
    Reciprocal, Square, StridedSlice,
};

use crate::nodes::{Attrs, Nodes};

/// Nodes of matrices whose dtype is that of `n`'s scalars.
pub(crate) struct Matrices<'n, 's> {
    pub(crate) n: &'n Nodes<'s>,
}

impl Matrices<'_, '_> {
    /// The product of matrices.
    pub(crate) fn product(&self, a: Output, b: Output) -> Result<Output> {
        self.adjoint_product((a, false), (b, false))
    }

    /// The product of matrices, either as its adjoint where that is said.
    pub(crate) fn adjoint_product(&self, (a, adj_x): (Output, bool), (b, adj_y): (Output, bool)) -> Result<Output> {
        self.n.with::<BatchMatMulV2>([a, b], vec![("adj_x", adj_x.into()), ("adj_y", adj_y.into())])
    }

    /// Rows and columns exchanged.
    pub(crate) fn transposed(&self, matrix: Output) -> Result<Output> {
        self.n.join::<Einsum>(&[matrix], vec![("equation", "...ij->...ji".into())])
    }

    /// The conjugate transpose.
    pub(crate) fn adjoint(&self, matrix: Output) -> Result<Output> {
        self.n.conj(self.transposed(matrix)?)
    }

    pub(crate) fn sum(&self, a: Output, b: Output) -> Result<Output> {
        self.n.add::<Add>([a, b])
    }

    /// A matrix and its adjoint, added up.
    pub(crate) fn with_adjoint(&self, matrix: Output) -> Result<Output> {
        self.sum(matrix, self.adjoint(matrix)?)
    }

    /// A matrix less its adjoint.
    pub(crate) fn less_adjoint(&self, matrix: Output) -> Result<Output> {
        self.n.sub(matrix, self.adjoint(matrix)?)
    }

    /// The matrix with these numbers on its diagonal, and zeros beside it.
    pub(crate) fn of_diagonal(&self, diagonal: Output) -> Result<Output> {
        self.n.add::<MatrixDiag>([diagonal])
    }

    pub(crate) fn diagonal(&self, matrix: Output) -> Result<Output> {
        self.n.add::<MatrixDiagPart>([matrix])
    }

    pub(crate) fn with_diagonal(&self, matrix: Output, diagonal: Output) -> Result<Output> {
        self.n.add::<MatrixSetDiag>([matrix, diagonal])
    }

    /// The lower or the upper triangle.
    pub(crate) fn triangle(&self, matrix: Output, lower: bool) -> Result<Output> {
        let (below, above) = if lower { (-1, 0) } else { (0, -1) };
        self.n.add::<MatrixBandPart>([matrix, self.n.int(below)?, self.n.int(above)?])
    }

    /// `x / (x² + 1e-20)`: nearly `1 / x`, and 0 for 0.
    pub(crate) fn safe_reciprocal(&self, x: Output) -> Result<Output> {
        let square = self.sum(self.n.add::<Square>([x])?, self.n.scalar(1e-20)?)?;
        self.n.mul(x, self.n.add::<Reciprocal>([square])?)
    }

    /// The matrix of `1 / (x_j - x_i)` in row `i` and column `j`, with zeros on its diagonal.
    pub(crate) fn reciprocal_differences(&self, x: Output) -> Result<Output> {
        let expanded = |axis| self.n.add::<ExpandDims>([x, self.n.int(axis)?]);
        let differences = self.n.sub(expanded(-2)?, expanded(-1)?)?;
        self.with_diagonal(self.safe_reciprocal(differences)?, self.n.zeros(x)?)
    }

    /// The columns from `from` on, those before `to` where it is given.
    pub(crate) fn columns(&self, matrix: Output, from: usize, to: Option<usize>) -> Result<Output> {
        let (begin, end) = ([0, 0, from as i32], [0, 0, to.unwrap_or_default() as i32]);
        // The first axis of the slice is the ellipsis, the second takes all rows.
        let to_the_end = if to.is_none() { 4i64 } else { 0 };
        let attrs: Attrs =
            vec![("ellipsis_mask", 1i64.into()), ("begin_mask", 2i64.into()), ("end_mask", (2 | to_the_end).into())];
        let inputs = [matrix, self.n.ints(&begin)?, self.n.ints(&end)?, self.n.ints(&[1, 1, 1])?];
        self.n.with::<StridedSlice>(inputs, attrs)
    }

    /// The complex conjugate of complex numbers.
    pub(crate) fn conjugate(&self, value: Output) -> Result<Output> {
        self.n.add::<Conj>([value])
    }
}

/// The extents of matrices of a shape, where they are known.
pub(crate) fn extents(shape: &PartialShape) -> Option<(usize, usize)> {
    let dims = shape.dims()?;
    let rows = dims.len().checked_sub(2).and_then(|at| dims[at])?;
    Some((rows, dims.last().copied().flatten()?))
}
