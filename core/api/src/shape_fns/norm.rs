//! Shape functions of ops that work along a channel axis.

use super::joins::replace_dim;
use crate::shape::Dim;
use crate::{PartialShape, Result, ShapeContext};

/// `BiasAdd`: input 0 unchanged; the vector input 1 is as long as its channel axis (the last, or axis 1 with the attr
/// `data_format` `NCHW`).
///
/// # Errors
/// Input 0 has too few dimensions, input 1 is no vector, or it is not as long as the channel axis.
pub fn bias_add(c: &mut ShapeContext<'_>) -> Result<()> {
    let (value, channel) = channels(c)?;
    let bias = c.with_rank(1, 1)?;
    if let (Some(channel), Some(_)) = (channel, value.rank()) {
        let dim = c.merge_dim(value.dim(channel), bias.dim(0))?;
        c.set_output(0, replace_dim(&value, channel, dim));
    }
    Ok(())
}

/// `BiasAddGrad`: a vector as long as the channel axis of input 0.
///
/// # Errors
/// The input has too few dimensions.
pub fn bias_add_grad(c: &mut ShapeContext<'_>) -> Result<()> {
    let (value, channel) = channels(c)?;
    let dim = channel.and_then(|channel| value.dim(channel));
    c.set_output(0, PartialShape::new(&[dim]));
    Ok(())
}

/// Input 0 and the position of its channel axis, where its rank is known.
fn channels(c: &ShapeContext<'_>) -> Result<(PartialShape, Option<usize>)> {
    if c.attr::<&str>("data_format").unwrap_or("NHWC") == "NCHW" {
        let value = c.with_rank_at_least(0, 3)?;
        return Ok((value, Some(1)));
    }
    let value = c.with_rank_at_least(0, 2)?;
    let last = value.rank().map(|rank| rank - 1);
    Ok((value, last))
}

/// `FusedBatchNorm`, `V2` and `V3`: `y` has the shape of `x`, the batch statistics and reserve spaces are vectors as
/// long as its channel axis; the sixth output of `V3` is unknown.
///
/// # Errors
/// An input has another rank, or the numbers of channels differ.
pub fn fused_batch_norm(c: &mut ShapeContext<'_>) -> Result<()> {
    let format = c.attr::<&str>("data_format").unwrap_or("NHWC");
    let rank = format.len();
    let channel = format.find('C').unwrap_or(rank - 1);
    let x = c.with_rank(0, rank)?;
    let training = c.attr::<bool>("is_training").unwrap_or(true);
    let averages = c.attr::<f32>("exponential_avg_factor").unwrap_or(1.0) != 1.0;
    let vectors = if training && !averages { 3 } else { 5 };
    let dim =
        (1..vectors).try_fold(x.dim(channel), |dim: Dim, index| c.merge_dim(dim, c.with_rank(index, 1)?.dim(0)))?;
    c.set_output(0, replace_dim(&x, channel, dim));
    (1..c.num_outputs().min(5)).for_each(|i| c.set_output(i, PartialShape::new(&[dim])));
    Ok(())
}
