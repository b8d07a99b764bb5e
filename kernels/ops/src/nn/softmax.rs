//! Softmax, and cross entropies of logits.

use oplink::prelude::*;
use oplink::shape_inference::shape_error;

/// The softmax of `logits` along the last axis.
///
/// The output has the shape of `logits` and reuses its memory where it can. A row with NaN or positive infinity, or of
/// negative infinities alone, gives NaN. The 16-bit floats are computed in f32. It is an error when `logits` is a
/// scalar.
#[op("Softmax",
     input = "logits: T",
     output = "softmax: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::unchanged_with_rank_at_least::<1>)]
pub struct Softmax;

/// The logarithm of the softmax of `logits` along the last axis.
///
/// The output has the shape of `logits` and reuses its memory where it can. A row with NaN or positive infinity, or of
/// negative infinities alone, gives NaN. The 16-bit floats are computed in f32. It is an error when `logits` is a
/// scalar.
#[op("LogSoftmax",
     input = "logits: T",
     output = "logsoftmax: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::unchanged_with_rank_at_least::<1>)]
pub struct LogSoftmax;

/// The cross entropy between `labels` and the softmax of `features`, and its gradient.
///
/// Of `features` [batch, classes]: `loss[i] = sum over j of p[i, j] * (log(sum of exp(features[i])) - features[i, j])`
/// and `backprop = softmax(features) - p` for the probabilities p. The 16-bit floats are computed in f32.
/// `labels` are the probabilities; they have the shape of `features`, or either is broadcast to the other, to rank 2.
#[op(
    "SoftmaxCrossEntropyWithLogits",
    input = "features: T",
    input = "labels: T",
    output = "loss: T",
    output = "backprop: T",
    attr = "T: {half, bfloat16, float, double}"
)]
pub fn softmax_cross_entropy_with_logits(c: &mut ShapeContext<'_>) -> Result<()> {
    // An extent that is not known yet may still broadcast one of 1, where TensorFlow takes it for 1.
    let matrices = c.with_rank(0, 2).and_then(|features| Ok((features, c.with_rank(1, 2)?)));
    let shape = match matrices {
        Ok((features, labels)) => shape_fns::broadcast_partial(&features, &labels)?,
        Err(_) => shape_fns::broadcast_partial(c.input(0), c.input(1))?,
    };
    let [rows, _] = shape.dims().unwrap_or_default() else {
        return Err(shape_error(format!("features and labels must broadcast to rank 2, they give {shape}")));
    };
    c.set_output(0, PartialShape::new(&[*rows]));
    c.set_output(1, shape);
    Ok(())
}

/// The cross entropy between one class for each row and the softmax of `features`, and its gradient.
///
/// Of `features` [batch, classes]: `loss[i] = sum over j of p[i, j] * (log(sum of exp(features[i])) - features[i, j])`
/// and `backprop = softmax(features) - p` for the probabilities p. The 16-bit floats are computed in f32.
/// `labels` [batch] gives for each row the one class of probability 1, within `0..classes`.
#[op(
    "SparseSoftmaxCrossEntropyWithLogits",
    input = "features: T",
    input = "labels: Tlabels",
    output = "loss: T",
    output = "backprop: T",
    attr = "T: {half, bfloat16, float, double}",
    attr = "Tlabels: {int32, int64} = DT_INT64"
)]
pub fn sparse_softmax_cross_entropy_with_logits(c: &mut ShapeContext<'_>) -> Result<()> {
    let (features, labels) = (c.with_rank(0, 2)?, c.with_rank(1, 1)?);
    let batch = c.merge_dim(features.dim(0), labels.dim(0))?;
    c.set_output(0, PartialShape::new(&[batch]));
    c.set_output(1, PartialShape::new(&[batch, features.dim(1)]));
    Ok(())
}
