//! Shapes of batches of matrices.

use oplink::prelude::*;
use oplink::shape::Dim;

/// What stands before the last two axes of an input, and these two.
pub(super) struct Matrices {
    pub(super) batch: PartialShape,
    pub(super) rows: Dim,
    pub(super) columns: Dim,
}

impl Matrices {
    /// Of an input of rank 2 at least.
    pub(super) fn of(c: &ShapeContext<'_>, input: usize) -> Result<Self> {
        let shape = c.with_rank_at_least(input, 2)?;
        let Some(dims) = shape.dims() else {
            return Ok(Self { batch: PartialShape::unknown(), rows: None, columns: None });
        };
        let (batch, matrix) = dims.split_at(dims.len() - 2);
        Ok(Self { batch: PartialShape::new(batch), rows: matrix[0], columns: matrix[1] })
    }

    /// Of an input of square matrices.
    pub(super) fn square(c: &ShapeContext<'_>, input: usize) -> Result<Self> {
        let mut matrices = Self::of(c, input)?;
        matrices.rows = c.merge_dim(matrices.rows, matrices.columns)?;
        matrices.columns = matrices.rows;
        Ok(matrices)
    }

    /// The batch, followed by other axes.
    pub(super) fn followed_by(&self, c: &ShapeContext<'_>, axes: &[Dim]) -> PartialShape {
        c.concatenate(&self.batch, &PartialShape::new(axes))
    }

    /// The smaller of rows and columns.
    pub(super) fn smaller(&self) -> Dim {
        match (self.rows, self.columns) {
            (Some(0), _) | (_, Some(0)) => Some(0),
            (Some(rows), Some(columns)) => Some(rows.min(columns)),
            _ => None,
        }
    }
}

/// Square matrices that stay as large.
pub(super) fn square(c: &mut ShapeContext<'_>) -> Result<()> {
    let matrices = Matrices::square(c, 0)?;
    let shape = matrices.followed_by(c, &[matrices.rows, matrices.columns]);
    c.set_output(0, shape);
    Ok(())
}
