//! Maps from numbers to sparse tensors: `AddSparseToTensorsMap`, `AddManySparseToTensorsMap`,
//! `TakeManySparseFromTensorsMap`.
//!
//! Nodes of one `container` and `shared_name` share a map; without a name a node that adds has one of its node's name,
//! which a node that takes gives as its `shared_name`.

use oplink::prelude::*;

/// The number under which a map keeps a sparse tensor; each is given once.
#[op(
    "AddSparseToTensorsMap",
    no_gradient,
    stateful,
    input = "sparse_indices: int64",
    input = "sparse_values: T",
    input = "sparse_shape: int64",
    output = "sparse_handle: int64",
    attr = "T: type",
    attr = "container: string = ''",
    attr = "shared_name: string = ''"
)]
pub fn add_sparse_to_tensors_map(c: &mut ShapeContext<'_>) -> Result<()> {
    check_ranks(c)?;
    c.set_output(0, PartialShape::scalar());
    Ok(())
}

/// The numbers under which a map keeps the rows of a sparse tensor, each a sparse tensor of one axis less.
///
/// The indices are in the order of their rows.
#[op(
    "AddManySparseToTensorsMap",
    no_gradient,
    stateful,
    input = "sparse_indices: int64",
    input = "sparse_values: T",
    input = "sparse_shape: int64",
    output = "sparse_handles: int64",
    attr = "T: type",
    attr = "container: string = ''",
    attr = "shared_name: string = ''"
)]
pub fn add_many_sparse_to_tensors_map(c: &mut ShapeContext<'_>) -> Result<()> {
    check_ranks(c)?;
    c.set_output(0, PartialShape::new(&[None]));
    Ok(())
}

/// The sparse tensors that a map keeps under some numbers, joined along a new first axis; the map keeps them no longer.
///
/// They have one rank and the dtype of the attr; the dense shape has their largest extents.
#[op(
    "TakeManySparseFromTensorsMap",
    no_gradient,
    stateful,
    input = "sparse_handles: int64",
    output = "sparse_indices: int64",
    output = "sparse_values: dtype",
    output = "sparse_shape: int64",
    attr = "dtype: type",
    attr = "container: string = ''",
    attr = "shared_name: string = ''"
)]
pub fn take_many_sparse_from_tensors_map(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 1)?;
    c.set_output(0, PartialShape::new(&[None, None]));
    c.set_output(1, PartialShape::new(&[None]));
    c.set_output(2, PartialShape::new(&[None]));
    Ok(())
}

fn check_ranks(c: &ShapeContext<'_>) -> Result<()> {
    for (input, rank) in [2, 1, 1].into_iter().enumerate() {
        c.with_rank(input, rank)?;
    }
    Ok(())
}
