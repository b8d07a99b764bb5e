//! Targets among the largest predictions, and order statistics.

use oplink::prelude::*;

/// Whether the targets are among the `k` largest predictions.
///
/// As `InTopKV2` with `k` as an attr.
#[op("InTopK",
     no_gradient,
     input = "predictions: float",
     input = "targets: T",
     output = "precision: bool",
     attr = "k: int",
     attr = "T: {int32, int64} = DT_INT32",
     shape = in_top_k_shape)]
pub struct InTopK;

fn in_top_k_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let (predictions, targets) = (c.with_rank(0, 2)?, c.with_rank(1, 1)?);
    let batch = c.merge_dim(predictions.dim(0), targets.dim(0))?;
    c.set_output(0, PartialShape::new(&[batch]));
    Ok(())
}

/// Whether the targets are among the `k` largest predictions.
///
/// `predictions` is [batch, classes], `targets` is [batch], `k` is a scalar. Classes that tie with the target do not
/// count against it. False where the target is no class, or where a prediction that decides is not finite.
#[op(
    "InTopKV2",
    no_gradient,
    input = "predictions: float",
    input = "targets: T",
    input = "k: T",
    output = "precision: bool",
    attr = "T: {int32, int64} = DT_INT32"
)]
pub fn in_top_kv2(c: &mut ShapeContext<'_>) -> Result<()> {
    let (predictions, targets) = (c.with_rank(0, 2)?, c.with_rank(1, 1)?);
    c.with_rank(2, 0)?;
    let batch = c.merge_dim(predictions.dim(0), targets.dim(0))?;
    c.set_output(0, PartialShape::new(&[batch]));
    Ok(())
}

/// The `n`th smallest element along the last axis.
///
/// `input` has rank 1 at least, rows run along its last axis; `n` is a scalar, 0 <= n < the last extent. With `reverse`
/// rows are in falling order. NaN counts as larger than every number.
#[op("NthElement",
     input = "input: T",
     input = "n: int32",
     output = "values: T",
     attr = "reverse: bool = false",
     attr = "T: realnumbertype",
     shape = nth_element_shape)]
pub struct NthElement;

fn nth_element_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank_at_least(0, 1)?;
    let n = c.constant_int(1)?;
    ensure!(n.is_none_or(|n| n >= 0), "n must be >= 0, it is {}", n.unwrap_or_default());
    let shape = match input.dims().and_then(<[_]>::split_last) {
        None => PartialShape::unknown(),
        Some((&last, leading)) => {
            let fits = n.zip(last).is_none_or(|(n, last)| (n as usize) < last);
            ensure!(fits, "n is {}, the last axis of {input} is not longer", n.unwrap_or_default());
            PartialShape::new(leading)
        }
    };
    c.set_output(0, shape);
    Ok(())
}
