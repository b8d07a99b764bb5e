//! `SerializeSparse`, `SerializeManySparse`, `DeserializeSparse`, `DeserializeManySparse`: sparse tensors as three
//! messages each, those of `SerializeTensor`, and back.

use oplink::prelude::*;

/// The indices, values and dense shape of a sparse tensor as messages: three strings, or three variants that hold the
/// tensors.
#[op(
    "SerializeSparse",
    no_gradient,
    input = "sparse_indices: int64",
    input = "sparse_values: T",
    input = "sparse_shape: int64",
    output = "serialized_sparse: out_type",
    attr = "T: type",
    attr = "out_type: {string, variant} = DT_STRING"
)]
pub fn serialize_sparse(c: &mut ShapeContext<'_>) -> Result<()> {
    check_ranks(c)?;
    c.set_output(0, PartialShape::new(&[Some(3)]));
    Ok(())
}

/// Each row of a sparse tensor as the messages of a sparse tensor of one axis less, or as variants of its tensors.
#[op(
    "SerializeManySparse",
    no_gradient,
    input = "sparse_indices: int64",
    input = "sparse_values: T",
    input = "sparse_shape: int64",
    output = "serialized_sparse: out_type",
    attr = "T: type",
    attr = "out_type: {string, variant} = DT_STRING"
)]
pub fn serialize_many_sparse(c: &mut ShapeContext<'_>) -> Result<()> {
    check_ranks(c)?;
    c.set_output(0, PartialShape::new(&[None, Some(3)]));
    Ok(())
}

fn check_ranks(c: &ShapeContext<'_>) -> Result<()> {
    for (input, rank) in [2, 1, 1].into_iter().enumerate() {
        c.with_rank(input, rank)?;
    }
    Ok(())
}

/// Sparse tensors of one rank joined along new leading axes, which are those of the input but for the last.
///
/// Indices must lie in the shapes of their tensors. The op does not check that: those outside are taken as they are,
/// and ops that the output is given to may refuse them.
#[op(
    "DeserializeSparse",
    no_gradient,
    input = "serialized_sparse: Tserialized",
    output = "sparse_indices: int64",
    output = "sparse_values: dtype",
    output = "sparse_shape: int64",
    attr = "dtype: type",
    attr = "Tserialized: {string, variant} = DT_STRING"
)]
pub fn deserialize_sparse(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank_at_least(0, 1)?;
    if let Some(dims) = input.dims() {
        c.merge_dim(dims[dims.len() - 1], Some(3))?;
    }
    set_outputs(c);
    Ok(())
}

/// The sparse tensors of the rows of a matrix, joined along a new first axis.
///
/// Indices must lie in the shapes of their tensors, which is not checked, as in `DeserializeSparse`.
#[op(
    "DeserializeManySparse",
    no_gradient,
    input = "serialized_sparse: string",
    output = "sparse_indices: int64",
    output = "sparse_values: dtype",
    output = "sparse_shape: int64",
    attr = "dtype: type"
)]
pub fn deserialize_many_sparse(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank(0, 2)?;
    c.merge_dim(input.dim(1), Some(3))?;
    set_outputs(c);
    Ok(())
}

fn set_outputs(c: &mut ShapeContext<'_>) {
    c.set_output(0, PartialShape::new(&[None, None]));
    c.set_output(1, PartialShape::new(&[None]));
    c.set_output(2, PartialShape::new(&[None]));
}
