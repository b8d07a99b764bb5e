//! `SparseSoftmaxCrossEntropyWithLogits`: the loss of a classification, and its gradient.
//!
//! Of `features` [batch, classes]: `loss[i] = sum over j of p[i, j] * (log(sum of exp(features[i])) - features[i, j])`
//! and `backprop = softmax(features) - p` for the probabilities p. The 16-bit floats are computed in f32.
//! `labels` [batch] gives for each row the one class of probability 1, within `0..classes`.

use oplink::prelude::*;

use super::cross_entropy::{Class, losses, set_outputs};
use crate::numeric::lanes::lanes_of;
use crate::support::elementwise::{Arithmetic, FloatLane, Lanes};

/// The cross entropy between one class for each row and the softmax of `features`, and its gradient.
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

/// `SparseSoftmaxCrossEntropyWithLogits` for the floats.
#[kernel(SparseSoftmaxCrossEntropyWithLogits, device = CPU, T = [floats], Tlabels = [i32, i64])]
pub fn sparse_softmax_cross_entropy_cpu<T: Lanes<Lane: FloatLane + Lanes<Lane = T::Lane>>, Tlabels: Class>(
    context: &mut KernelContext<'_>,
) -> Result<()> {
    let (features, labels) = (context.input(0), context.input(1));
    let shape = features.shape().clone();
    let &[batch, classes] = shape.dims() else { bail!("features must be of rank 2, their shape is {shape}") };
    ensure!(
        labels.shape().dims() == [batch],
        "labels must be a vector of {batch} classes, their shape is {}",
        labels.shape()
    );
    ensure!(classes > 0 || batch == 0, "there must be at least one class, the shape of features is {shape}");
    let labels = labels.as_slice::<Tlabels>()?;
    for (row, label) in labels.iter().enumerate() {
        let label = label.to_i64();
        ensure!(
            (0..classes as i64).contains(&label),
            "label {label} of row {row} is outside the valid range 0..{classes}"
        );
    }
    let features = lanes_of(features.as_slice::<T>()?);
    let outputs = losses::<T>(context, &shape, &features, |row, loss, backprop| {
        let label = labels[row].to_i64() as usize;
        let (top, log) = *loss;
        backprop[label] = backprop[label] - T::Lane::ONE;
        log - (features[row * classes + label] - top)
    })?;
    drop(features);
    set_outputs(context, outputs);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{assert_close, run};

    fn losses(labels: Tensor) -> Result<Vec<Tensor>> {
        let features = Tensor::from_vec([1, 3], vec![1f32, 2.0, 3.0])?;
        run("SparseSoftmaxCrossEntropyWithLogits", &[], vec![features, labels])
    }

    #[test]
    fn loss_and_gradient() {
        let out = losses(Tensor::from_slice(&[2i32])).unwrap();
        assert_close(&out[0], &Tensor::from_slice(&[0.407_605_95f32]), 8.0);
        let backprop = vec![0.090_030_57f32, 0.244_728_48, -0.334_759_06];
        assert_close(&out[1], &Tensor::from_vec([1, 3], backprop).unwrap(), 8.0);
    }

    #[test]
    fn labels_that_are_no_class_are_refused() {
        for labels in [Tensor::from_slice(&[3i64]), Tensor::from_slice(&[-1i64]), Tensor::from_slice(&[0i64, 1])] {
            assert!(losses(labels).is_err());
        }
    }
}
