//! `SoftmaxCrossEntropyWithLogits`: the loss of a classification, and its gradient.
//!
//! Of `features` [batch, classes]: `loss[i] = sum over j of p[i, j] * (log(sum of exp(features[i])) - features[i, j])`
//! and `backprop = softmax(features) - p` for the probabilities p. The 16-bit floats are computed in f32.
//! `labels` are the probabilities; they have the shape of `features`, or either is broadcast to the other, to rank 2.

use oplink::prelude::*;
use oplink::{broadcast_shapes, shape_error};

use super::cross_entropy::{losses, set_outputs};
use crate::numeric::lanes::lanes_of;
use crate::support::elementwise::{Arithmetic, FloatLane, Lanes};

/// The cross entropy between `labels` and the softmax of `features`, and its gradient.
#[op(
    "SoftmaxCrossEntropyWithLogits",
    input = "features: T",
    input = "labels: T",
    output = "loss: T",
    output = "backprop: T",
    attr = "T: {half, bfloat16, float, double}"
)]
pub fn softmax_cross_entropy_with_logits(c: &mut ShapeContext<'_>) -> Result<()> {
    let same = c.with_rank(0, 2).and_then(|features| c.merge(&features, c.input(1)));
    let shape = same.or_else(|_| shape_fns::broadcast_partial(c.input(0), c.input(1)))?;
    let [rows, _] = shape.dims().unwrap_or_default() else {
        return Err(shape_error(format!("features and labels must broadcast to rank 2, they give {shape}")));
    };
    c.set_output(0, PartialShape::new(&[*rows]));
    c.set_output(1, shape);
    Ok(())
}

fn broadcast(features: &Shape, labels: &Shape) -> Result<Shape> {
    let shape = broadcast_shapes(features, labels)?;
    if shape.rank() != 2 {
        return Err(shape_error(format!("features {features} and labels {labels} must broadcast to rank 2")));
    }
    Ok(shape)
}

/// `SoftmaxCrossEntropyWithLogits` for the floats.
#[kernel(SoftmaxCrossEntropyWithLogits, device = CPU, T = [floats])]
pub fn softmax_cross_entropy_cpu<T: Lanes<Lane: FloatLane + Lanes<Lane = T::Lane>>>(
    context: &mut KernelContext<'_>,
) -> Result<()> {
    let (features, labels) = (context.input(0), context.input(1));
    let shape = broadcast(features.shape(), labels.shape())?;
    let features = repeat(&lanes_of(features.as_slice::<T>()?), features.shape(), &shape);
    let labels = repeat(&lanes_of(labels.as_slice::<T>()?), labels.shape(), &shape);
    let classes = shape[1];
    let outputs = losses::<T>(context, &shape, &features, |row, loss, backprop| {
        let labels = &labels[row * classes..][..classes];
        let features = &features[row * classes..][..classes];
        let (top, log) = *loss;
        let terms = labels.iter().zip(features).map(|(&label, &x)| label * (log - (x - top)));
        let total = terms.fold(T::Lane::ZERO, |a, b| a + b);
        backprop.iter_mut().zip(labels).for_each(|(p, &label)| *p = *p - label);
        total
    })?;
    set_outputs(context, outputs);
    Ok(())
}

/// The values of `shape` repeated to fill `target`, of rank 2.
fn repeat<L: Copy>(values: &[L], shape: &Shape, target: &Shape) -> Vec<L> {
    let extent = |axis: usize| (axis + shape.rank()).checked_sub(2).map_or(1, |axis| shape[axis]);
    let (rows, columns) = (extent(0), extent(1));
    let at = |i: usize, extent: usize| if extent == 1 { 0 } else { i };
    let positions = (0..target[0]).flat_map(|row| (0..target[1]).map(move |column| (row, column)));
    positions.map(|(row, column)| values[at(row, rows) * columns + at(column, columns)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{assert_close, run};

    fn losses(labels: Tensor) -> Result<Vec<Tensor>> {
        let features = Tensor::from_vec([1, 3], vec![1f32, 2.0, 3.0])?;
        run("SoftmaxCrossEntropyWithLogits", &[], vec![features, labels])
    }

    #[test]
    fn loss_and_gradient() {
        let out = losses(Tensor::from_vec([1, 3], vec![0f32, 0.0, 1.0]).unwrap()).unwrap();
        assert_close(&out[0], &Tensor::from_slice(&[0.407_605_95f32]), 8.0);
        let backprop = vec![0.090_030_57f32, 0.244_728_48, -0.334_759_06];
        assert_close(&out[1], &Tensor::from_vec([1, 3], backprop).unwrap(), 8.0);
    }

    #[test]
    fn labels_broadcast() {
        let labels = Tensor::from_vec([2, 1], vec![1f32, 0.0]).unwrap();
        assert_eq!(losses(labels).unwrap()[1].shape().dims(), [2, 3]);
        assert!(losses(Tensor::from_slice(&[1f32, 0.0])).is_err());
    }
}
