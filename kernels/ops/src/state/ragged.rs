//! Ragged tensors as variants: `RaggedTensorToVariant`, `RaggedTensorFromVariant`, `RaggedTensorToVariantGradient`.

use oplink::prelude::*;

/// A ragged tensor in a variant, or with `batched_input` each of its rows in one of a vector of variants.
///
/// Each of `rt_nested_splits`, the row splits from the outermost axis inwards, rises from 0 to the number of what it
/// splits. Without `batched_input` there may be none.
#[op(
    "RaggedTensorToVariant",
    input = "rt_nested_splits: RAGGED_RANK * Tsplits",
    input = "rt_dense_values: Tvalues",
    output = "encoded_ragged: variant",
    attr = "RAGGED_RANK: int >= 0",
    attr = "Tvalues: type",
    attr = "Tsplits: {int32, int64} = DT_INT64",
    attr = "batched_input: bool"
)]
pub fn ragged_tensor_to_variant(c: &mut ShapeContext<'_>) -> Result<()> {
    let splits = c.num_inputs() - 1;
    c.with_rank_at_least(splits, 1)?;
    for at in 0..splits {
        c.with_rank(at, 1)?;
    }
    let batched: bool = c.attr("batched_input")?;
    ensure!(!batched || splits > 0, "with batched_input there must be rt_nested_splits");
    let shape = match batched {
        true => PartialShape::new(&[c.input(0).dim(0).and_then(|count| count.checked_sub(1))]),
        false => PartialShape::scalar(),
    };
    c.set_output(0, shape);
    Ok(())
}

/// The ragged tensors in variants, joined along the axes of `encoded_ragged`.
///
/// Each has `input_ragged_rank` row splits, -1 for as many as `output_ragged_rank` less the axes of `encoded_ragged`;
/// their dtypes are those of the attrs.
#[op(
    "RaggedTensorFromVariant",
    input = "encoded_ragged: variant",
    output = "output_nested_splits: output_ragged_rank * Tsplits",
    output = "output_dense_values: Tvalues",
    attr = "input_ragged_rank: int >= -1",
    attr = "output_ragged_rank: int >= 0",
    attr = "Tvalues: type",
    attr = "Tsplits: {int32, int64} = DT_INT64"
)]
pub fn ragged_tensor_from_variant(c: &mut ShapeContext<'_>) -> Result<()> {
    let (own, all): (i64, i64) = (c.attr("input_ragged_rank")?, c.attr("output_ragged_rank")?);
    if own >= 0 {
        let Ok(rank) = usize::try_from(all - own) else {
            bail!("output_ragged_rank {all} must not be less than input_ragged_rank {own}")
        };
        c.with_rank(0, rank)?;
    }
    let splits = c.num_outputs() - 1;
    for at in 0..splits {
        c.set_output(at, PartialShape::unknown_of_rank(1));
    }
    c.set_output(splits, PartialShape::unknown());
    Ok(())
}

/// The gradient of `RaggedTensorToVariant` by the values: those of the variants, joined.
///
/// A variant that holds nothing stands for zeros: for as many rows as `row_splits` gives its row.
#[op(
    "RaggedTensorToVariantGradient",
    no_gradient,
    input = "encoded_ragged_grad: variant",
    input = "row_splits: Tsplits",
    input = "dense_values_shape: int32",
    output = "dense_values_grad: Tvalues",
    attr = "Tvalues: type",
    attr = "Tsplits: {int32, int64} = DT_INT64"
)]
pub fn ragged_tensor_to_variant_gradient(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.make_shape_from_tensor(2)?;
    c.set_output(0, shape);
    Ok(())
}
