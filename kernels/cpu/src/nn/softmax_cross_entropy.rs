//! `SoftmaxCrossEntropyWithLogits` and `SparseSoftmaxCrossEntropyWithLogits`: the loss of a classification, and its
//! gradient.
//!
//! Of `features` [batch, classes]: `loss[i] = sum over j of labels[i, j] * (log(sum of exp(features[i])) - features[i, j])`
//! and `backprop = softmax(features) - labels`. The labels are probabilities of the shape of `features`, or either is
//! broadcast to the other, to rank 2; the sparse op takes for each row the number of the one class of probability 1,
//! within `0..classes`. The 16-bit floats are computed in f32.

use oplink::prelude::*;
use oplink::{KernelEnv, broadcast_shapes, shape_error};

use super::rows::{exp_shifted, largest};
use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::support::elementwise::{Arithmetic, FloatLane, Lanes};
use crate::support::parallel::for_each_row;

/// Elements that one thread should at least have.
const GRAIN: usize = 1 << 13;

/// The cross entropy between `labels` and the softmax of `features`, and its gradient.
#[op(
    "SoftmaxCrossEntropyWithLogits",
    input = "features: T",
    input = "labels: T",
    output = "loss: T",
    output = "backprop: T",
    attr = "T: {half, bfloat16, float, double}"
)]
fn softmax_cross_entropy_with_logits(c: &mut ShapeContext<'_>) -> Result<()> {
    let (Some(features), Some(labels)) = (c.input(0).to_shape(), c.input(1).to_shape()) else {
        c.set_output(0, PartialShape::unknown_of_rank(1));
        c.set_output(1, PartialShape::unknown_of_rank(2));
        return Ok(());
    };
    let shape = broadcast(&features, &labels)?;
    c.set_output(0, Shape::new(&shape[..1]));
    c.set_output(1, shape);
    Ok(())
}

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
fn sparse_softmax_cross_entropy_with_logits(c: &mut ShapeContext<'_>) -> Result<()> {
    let (features, labels) = (c.with_rank(0, 2)?, c.with_rank(1, 1)?);
    let batch = c.merge_dim(features.dim(0), labels.dim(0))?;
    c.set_output(0, PartialShape::new(&[batch]));
    c.set_output(1, PartialShape::new(&[batch, features.dim(1)]));
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

/// An integer that names a class.
pub trait Class: Element + Copy {
    /// Its value.
    fn to_i64(self) -> i64;
}

impl Class for i32 {
    fn to_i64(self) -> i64 {
        i64::from(self)
    }
}

impl Class for i64 {
    fn to_i64(self) -> i64 {
        self
    }
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

/// The values of `shape` repeated to fill `target`, of rank 2.
fn repeat<L: Copy>(values: &[L], shape: &Shape, target: &Shape) -> Vec<L> {
    let extent = |axis: usize| (axis + shape.rank()).checked_sub(2).map_or(1, |axis| shape[axis]);
    let (rows, columns) = (extent(0), extent(1));
    let at = |i: usize, extent: usize| if extent == 1 { 0 } else { i };
    let positions = (0..target[0]).flat_map(|row| (0..target[1]).map(move |column| (row, column)));
    positions.map(|(row, column)| values[at(row, rows) * columns + at(column, columns)]).collect()
}

/// The outputs, where `finish(row, (largest, log of sum), softmax)` gives a row's loss and turns its softmax into the
/// gradient.
fn losses<T: Lanes<Lane: FloatLane + Lanes<Lane = T::Lane>>>(
    context: &KernelContext<'_>,
    shape: &Shape,
    features: &[T::Lane],
    finish: impl Fn(usize, &(T::Lane, T::Lane), &mut [T::Lane]) -> T::Lane + Sync,
) -> Result<[Tensor; 2]> {
    let classes = shape[1];
    let mut loss = context.allocate_output(0, [shape[0]])?;
    let mut backprop = context.allocate_output(1, shape.clone())?;
    let mut values = vec![T::Lane::ZERO; shape[0]];
    fill_lanes(backprop.as_mut_slice::<T>()?, |backprop| {
        let softmax = |row: usize, powers: &mut [T::Lane]| {
            powers.copy_from_slice(&features[row * classes..][..classes]);
            let top = largest(powers);
            let sum = exp_shifted(powers, top);
            for power in powers {
                *power = *power / sum;
            }
            (top, num_traits::Float::ln(sum))
        };
        rows(context.env(), backprop, classes, &mut values, &|row, powers| {
            let loss = softmax(row, powers);
            finish(row, &loss, powers)
        });
    });
    loss.as_mut_slice::<T>()?.iter_mut().zip(&values).for_each(|(to, &from)| *to = T::from_lane(from));
    Ok([loss, backprop])
}

/// Calls `body` with each row of `classes` elements of `backprop` and sets `values` to what it returns.
fn rows<L: Copy + Send + Sync>(
    env: &dyn KernelEnv,
    backprop: &mut [L],
    classes: usize,
    values: &mut [L],
    body: &(dyn Fn(usize, &mut [L]) -> L + Sync),
) {
    if classes == 0 {
        return;
    }
    let mut pairs: Vec<(&mut [L], &mut L)> = backprop.chunks_exact_mut(classes).zip(values).collect();
    for_each_row(env, &mut pairs, 1, GRAIN.div_ceil(classes), &|row, pair| {
        for (backprop, value) in pair {
            **value = body(row, backprop);
        }
    });
}

fn set_outputs(context: &mut KernelContext<'_>, outputs: [Tensor; 2]) {
    for (index, output) in outputs.into_iter().enumerate() {
        context.set_output(index, output);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{assert_close, run};

    const BACKPROP: [f32; 3] = [0.090_030_57, 0.244_728_48, -0.334_759_06];

    fn features() -> Tensor {
        Tensor::from_vec([1, 3], vec![1f32, 2.0, 3.0]).unwrap()
    }

    #[test]
    fn both_ops_agree_with_tensorflow() {
        let dense = Tensor::from_vec([1, 3], vec![0f32, 0.0, 1.0]).unwrap();
        for (op, labels) in [
            ("SoftmaxCrossEntropyWithLogits", dense),
            ("SparseSoftmaxCrossEntropyWithLogits", Tensor::from_slice(&[2i32])),
        ] {
            let out = run(op, &[], vec![features(), labels]).unwrap();
            assert_close(&out[0], &Tensor::from_slice(&[0.407_605_95f32]), 8.0);
            assert_close(&out[1], &Tensor::from_vec([1, 3], BACKPROP.to_vec()).unwrap(), 8.0);
        }
    }

    #[test]
    fn labels_that_are_no_class_are_refused() {
        for labels in [Tensor::from_slice(&[3i64]), Tensor::from_slice(&[-1i64]), Tensor::from_slice(&[0i64, 1])] {
            assert!(run("SparseSoftmaxCrossEntropyWithLogits", &[], vec![features(), labels]).is_err());
        }
    }
}
