//! Normalisations along the last axis.

use oplink::prelude::*;
use oplink::shape_inference::shape_error;

/// The values of each row of the last axis, less their mean and divided by the root of their variance, times `scale`
/// and plus `offset`: `(x - mean) / sqrt(variance + epsilon) * scale + offset`. An op of oplink's own, made by the
/// optimiser.
///
/// `scale` and `offset` are vectors as long as the last axis. The variance is the mean of the squares of `x - mean`.
/// Where `centered` is false, nothing is subtracted: `x / sqrt(mean(x * x) + epsilon) * scale + offset`.
#[op("_FusedLayerNorm",
     input = "x: T",
     input = "scale: T",
     input = "offset: T",
     output = "y: T",
     attr = "T: {float}",
     attr = "epsilon: float",
     attr = "centered: bool = true",
     shape = fused_layer_norm_shape)]
pub struct _FusedLayerNorm;

fn fused_layer_norm_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let x = c.with_rank_at_least(0, 1)?;
    let width = x.rank().and_then(|rank| x.dim(rank - 1));
    for input in 1..=2 {
        let vector = c.with_rank(input, 1)?;
        if let (Some(width), Some(given)) = (width, vector.dim(0))
            && width != given
        {
            return Err(shape_error(format!("scale and offset have {given} values, the last axis of {x} has {width}")));
        }
    }
    c.set_output(0, x);
    Ok(())
}
