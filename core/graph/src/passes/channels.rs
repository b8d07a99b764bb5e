//! Constants with a value for each channel, the last axis.

use oplink_api::{Output, Tensor};

use super::Rewrite;
use crate::graph::Node;

/// The other operand of a binary node that reads `x`, where it is a float constant with `channels` values for the last
/// axis.
pub(super) fn channel_operand(rewrite: &Rewrite, node: &Node, x: u32, channels: usize) -> Option<Vec<f32>> {
    let [a, b] = node.inputs() else { return None };
    let other = if a.node == x { *b } else { *a };
    channel_values(rewrite.constant(other)?, channels)
}

/// The values of a float constant that has one for each of `channels` in its last axis and none for any other axis.
pub(super) fn channel_values(value: &Tensor, channels: usize) -> Option<Vec<f32>> {
    let dims: &[usize] = value.shape();
    let fits = dims.last() == Some(&channels) && value.num_elements() == channels && dims.len() <= 4;
    if fits { value.as_slice::<f32>().ok().map(<[f32]>::to_vec) } else { None }
}

/// The extent of an output's last axis, where it is known.
pub(super) fn channels(rewrite: &Rewrite, output: Output) -> Option<usize> {
    let shape = rewrite.graph.shape(output);
    shape.dim(shape.rank()?.checked_sub(1)?)
}

/// The other operand of a binary node that reads `x`, where it is a float constant whose axes, leading ones of extent 1
/// aside, are the last axes of `x` and have `channels` values, or which has one value for all channels.
pub(super) fn trailing_values(rewrite: &Rewrite, node: &Node, x: u32, channels: usize) -> Option<Vec<f32>> {
    let [a, b] = node.inputs() else { return None };
    let (own, other) = if a.node == x { (*a, *b) } else { (*b, *a) };
    let (value, shape) = (rewrite.constant(other)?, rewrite.graph.shape(own));
    let (given, dims): (&[usize], _) = (value.shape(), shape.dims()?);
    if given.len() <= dims.len() && value.num_elements() == 1 {
        return Some(vec![*value.as_slice::<f32>().ok()?.first()?; channels]);
    }
    let ones = given.iter().take_while(|&&extent| extent == 1).count();
    let axes = &given[ones..];
    let last = dims.get(dims.len().checked_sub(axes.len())?..)?;
    let fits = given.len() <= dims.len() && last.iter().zip(axes).all(|(dim, &extent)| *dim == Some(extent));
    let values = (fits && value.num_elements() == channels).then(|| value.as_slice::<f32>().ok())??;
    Some(values.to_vec())
}
