//! Normalisations along the last axis.

use oplink::prelude::*;
use oplink::shape_inference::shape_error;

/// The values of each row of the last axis, less their mean and divided by the root of their variance, times `scale`
/// and plus `offset`: `(x - mean) / sqrt(variance + epsilon) * scale + offset`. An op of oplink's own, made by the
/// optimiser, and by layers that are trained.
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
        expect_width(c, input, width, &x)?;
    }
    c.set_output(0, x);
    Ok(())
}

/// That an input is a vector as long as the last axis of `x`.
fn expect_width(c: &ShapeContext<'_>, input: usize, width: Option<usize>, x: &PartialShape) -> Result<PartialShape> {
    let vector = c.with_rank(input, 1)?;
    if let (Some(width), Some(given)) = (width, vector.dim(0))
        && width != given
    {
        return Err(shape_error(format!("scale and offset have {given} values, the last axis of {x} has {width}")));
    }
    Ok(vector)
}

/// The gradients of `_FusedLayerNorm` by `x`, `scale` and `offset`, of the gradient `dy` of its output. An op of
/// oplink's own.
///
/// With `r = 1 / sqrt(variance + epsilon)`, `n = (x - mean) * r`, `g = dy * scale`, and means over the last axis:
/// `dx = r * (g - mean(g) - n * mean(g * n))`, where the mean of `g` is left out unless `centered`; `dscale` is the sum
/// of `dy * n` over all rows, `doffset` that of `dy`.
#[op("_FusedLayerNormGrad",
     input = "dy: T",
     input = "x: T",
     input = "scale: T",
     output = "dx: T",
     output = "dscale: T",
     output = "doffset: T",
     attr = "T: {float}",
     attr = "epsilon: float",
     attr = "centered: bool = true",
     shape = fused_layer_norm_grad_shape)]
pub struct _FusedLayerNormGrad;

fn fused_layer_norm_grad_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let x = c.with_rank_at_least(1, 1)?;
    let x = c.merge(c.input(0), &x)?;
    let width = x.rank().and_then(|rank| x.dim(rank - 1));
    let scale = expect_width(c, 2, width, &x)?;
    c.set_output(0, x);
    c.set_output(1, scale.clone());
    c.set_output(2, scale);
    Ok(())
}
