//! Shape functions that several sparse ops share.

use oplink::prelude::*;
use oplink::shape::Dim;

/// A vector of unknown length.
pub(super) fn any_vector() -> PartialShape {
    PartialShape::new(&[None])
}

/// Checks the ranks of the indices, values and shape of a sparse tensor from input `first` on.
pub(super) fn check_ranks(c: &ShapeContext<'_>, first: usize) -> Result<()> {
    for (at, rank) in [2, 1, 1].into_iter().enumerate() {
        c.with_rank(first + at, rank)?;
    }
    Ok(())
}

/// Checks ranks as [`check_ranks`] does, and that the indices have the shape [values, extents].
pub(super) fn check_sparse(c: &ShapeContext<'_>, first: usize) -> Result<Dim> {
    let (indices, values) = (c.with_rank(first, 2)?, c.with_rank(first + 1, 1)?);
    let shape = c.with_rank(first + 2, 1)?;
    c.merge_dim(indices.dim(0), values.dim(0))?;
    c.merge_dim(indices.dim(1), shape.dim(0))
}

/// The number of elements, where it is known.
pub(super) fn num_elements(shape: &PartialShape) -> Dim {
    shape.dims()?.iter().copied().product()
}

/// The indices, values and shape of a sparse tensor of this rank, any number of values.
pub(super) fn set_sparse(c: &mut ShapeContext<'_>, rank: Dim) {
    c.set_output(0, PartialShape::new(&[None, rank]));
    c.set_output(1, any_vector());
    c.set_output(2, PartialShape::new(&[rank]));
}
