//! `SoftmaxCrossEntropyWithLogits` and `SparseSoftmaxCrossEntropyWithLogits`: the loss of a classification, and its
//! gradient.
//!
//! Of `features` [batch, classes]: `loss[i] = sum over j of p[i, j] * (log(sum of exp(features[i])) - features[i, j])`
//! and `backprop = softmax(features) - p` for the probabilities p. The 16-bit floats are computed in f32. `labels` are
//! the probabilities, of the shape of `features`, or either is broadcast to the other, to rank 2; the sparse `labels`
//! [batch] give for each row the one class of probability 1, within `0..classes`.

use std::borrow::Cow;

use oplink::shape_inference::{broadcast_shapes, int_values, shape_error};
use oplink::{KernelEnv, prelude::*};

use super::rows::{exp_shifted, largest};
use oplink_cpu_contraction::computed::{computed_of, fill_computed};
use oplink_cpu_support::elementwise::{Arithmetic, ComputeFloat, Computed};
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::nn::{SoftmaxCrossEntropyWithLogits, SparseSoftmaxCrossEntropyWithLogits};

/// `SoftmaxCrossEntropyWithLogits` for the floats.
#[kernel(SoftmaxCrossEntropyWithLogits, device = CPU, T = [floats])]
pub fn softmax_cross_entropy_cpu<T: Computed<ComputeType: ComputeFloat + Computed<ComputeType = T::ComputeType>>>(
    features: &Tensor,
    labels: &Tensor,
    mut loss: OutputSlot<'_>,
    mut backprop: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let shape = broadcast(features.shape(), labels.shape())?;
    let outputs = [loss.allocate([shape[0]])?, backprop.allocate(shape.clone())?];
    let features = repeat(computed_of(features.as_slice::<T>()?), features.shape(), &shape);
    let labels = repeat(computed_of(labels.as_slice::<T>()?), labels.shape(), &shape);
    set_losses::<T>(outputs, &env, shape[1], &features, &|row, loss, backprop| {
        dense_row(&labels[row * shape[1]..], &features[row * shape[1]..], loss, backprop)
    })
}

/// `SparseSoftmaxCrossEntropyWithLogits` for the floats.
#[kernel(SparseSoftmaxCrossEntropyWithLogits, device = CPU, T = [floats], Tlabels = [i32, i64])]
pub fn sparse_softmax_cross_entropy_cpu<
    T: Computed<ComputeType: ComputeFloat + Computed<ComputeType = T::ComputeType>>,
>(
    features: &Tensor,
    labels: &Tensor,
    mut loss: OutputSlot<'_>,
    mut backprop: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let shape = features.shape();
    let &[batch, classes] = shape.dims() else { bail!("features must be of rank 2, their shape is {shape}") };
    ensure!(
        labels.shape().dims() == [batch],
        "labels must be a vector of {batch} classes, their shape is {}",
        labels.shape()
    );
    ensure!(classes > 0 || batch == 0, "there must be at least one class, the shape of features is {shape}");
    let labels = int_values(labels)?;
    for (row, label) in labels.iter().enumerate() {
        ensure!(
            (0..classes as i64).contains(label),
            "label {label} of row {row} is outside the valid range 0..{classes}"
        );
    }
    let outputs = [loss.allocate([batch])?, backprop.allocate(shape.clone())?];
    let features = computed_of(features.as_slice::<T>()?);
    set_losses::<T>(outputs, &env, classes, &features, &|row, (top, log), backprop| {
        let label = labels[row] as usize;
        backprop[label] = backprop[label] - T::ComputeType::ONE;
        log - (features[row * classes + label] - top)
    })
}

fn broadcast(features: &Shape, labels: &Shape) -> Result<Shape> {
    let shape = broadcast_shapes(features, labels)?;
    if shape.rank() != 2 {
        return Err(shape_error(format!("features {features} and labels {labels} must broadcast to rank 2")));
    }
    Ok(shape)
}

/// The values of `shape` repeated to fill `target`, of rank 2.
fn repeat<'a, L: Copy>(values: Cow<'a, [L]>, shape: &Shape, target: &Shape) -> Cow<'a, [L]> {
    if values.is_empty() || shape.dims() == target.dims() {
        return values;
    }
    let extent = |axis: usize| (axis + shape.rank()).checked_sub(2).map_or(1, |axis| shape[axis]);
    let (rows, columns) = (extent(0), extent(1));
    let at = |i: usize, extent: usize| if extent == 1 { 0 } else { i };
    let positions = (0..target[0]).flat_map(|row| (0..target[1]).map(move |column| (row, column)));
    positions.map(|(row, column)| values[at(row, rows) * columns + at(column, columns)]).collect()
}

/// The loss of a row whose labels and features are the first, and its gradient of its softmax.
fn dense_row<L: ComputeFloat>(labels: &[L], features: &[L], (top, log): (L, L), backprop: &mut [L]) -> L {
    let terms = labels.iter().zip(features).take(backprop.len()).map(|(&label, &x)| label * (log - (x - top)));
    let total = terms.fold(L::ZERO, |a, b| a + b);
    backprop.iter_mut().zip(labels).for_each(|(p, &label)| *p = *p - label);
    total
}

/// Elements that one thread should at least have.
const GRAIN: usize = 1 << 13;

/// Gives a row's loss, and turns its softmax into the gradient, from the row's number, and the largest of its features
/// with the logarithm of the sum.
type FinishRow<'a, L> = dyn Fn(usize, (L, L), &mut [L]) -> L + Sync + 'a;

/// Sets loss and gradient of the features of so many classes.
fn set_losses<T: Computed<ComputeType: ComputeFloat + Computed<ComputeType = T::ComputeType>>>(
    [loss, backprop]: [&mut Tensor; 2],
    env: &dyn KernelEnv,
    classes: usize,
    features: &[T::ComputeType],
    finish: &FinishRow<'_, T::ComputeType>,
) -> Result<()> {
    fill_computed(loss.as_mut_slice::<T>()?, |loss| -> Result<()> {
        fill_computed(backprop.as_mut_slice::<T>()?, |backprop| {
            loss.fill(T::ComputeType::ZERO);
            compute_losses(env, classes, features, finish, loss, backprop);
        });
        Ok(())
    })
}

fn compute_losses<L: ComputeFloat + Computed<ComputeType = L>>(
    env: &dyn KernelEnv,
    classes: usize,
    features: &[L],
    finish: &FinishRow<'_, L>,
    loss: &mut [L],
    backprop: &mut [L],
) {
    if classes == 0 {
        return;
    }
    let mut rows: Vec<(&mut [L], &mut L)> = backprop.chunks_exact_mut(classes).zip(loss).collect();
    for_each_row(env, &mut rows, 1, GRAIN.div_ceil(classes), &|row, pairs| {
        for (powers, loss) in pairs {
            powers.copy_from_slice(&features[row * classes..][..classes]);
            let top = largest(powers);
            let sum = exp_shifted(powers, top);
            for power in powers.iter_mut() {
                *power = *power / sum;
            }
            **loss = finish(row, (top, num_traits::Float::ln(sum)), powers);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{assert_close, run};

    fn dense(labels: Tensor) -> Result<Vec<Tensor>> {
        let features = Tensor::from_vec([1, 3], vec![1f32, 2.0, 3.0])?;
        run("SoftmaxCrossEntropyWithLogits", &[], vec![features, labels])
    }

    #[test]
    fn loss_and_gradient() {
        let out = dense(Tensor::from_vec([1, 3], vec![0f32, 0.0, 1.0]).unwrap()).unwrap();
        assert_close(&out[0], &Tensor::from_slice(&[0.407_605_95f32]), 8.0);
        let backprop = vec![0.090_030_57f32, 0.244_728_48, -0.334_759_06];
        assert_close(&out[1], &Tensor::from_vec([1, 3], backprop).unwrap(), 8.0);
    }

    #[test]
    fn labels_broadcast() {
        let labels = Tensor::from_vec([2, 1], vec![1f32, 0.0]).unwrap();
        assert_eq!(dense(labels).unwrap()[1].shape().dims(), [2, 3]);
        assert!(dense(Tensor::from_slice(&[1f32, 0.0])).is_err());
    }

    fn sparse(labels: Tensor) -> Result<Vec<Tensor>> {
        let features = Tensor::from_vec([1, 3], vec![1f32, 2.0, 3.0])?;
        run("SparseSoftmaxCrossEntropyWithLogits", &[], vec![features, labels])
    }

    #[test]
    fn loss_and_gradient_of_classes() {
        let out = sparse(Tensor::from_slice(&[2i32])).unwrap();
        assert_close(&out[0], &Tensor::from_slice(&[0.407_605_95f32]), 8.0);
        let backprop = vec![0.090_030_57f32, 0.244_728_48, -0.334_759_06];
        assert_close(&out[1], &Tensor::from_vec([1, 3], backprop).unwrap(), 8.0);
    }

    #[test]
    fn labels_that_are_no_class_are_refused() {
        for labels in [Tensor::from_slice(&[3i64]), Tensor::from_slice(&[-1i64]), Tensor::from_slice(&[0i64, 1])] {
            assert!(sparse(labels).is_err());
        }
    }
}
