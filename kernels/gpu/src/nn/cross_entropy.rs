//! Losses of classifications and their gradients: a block computes a row.
//!
//! With the logarithm `log` of the sum of `exp(features - top)`, where `top` is the largest feature of the row:
//! `loss = sum of p * (log - (features - top))` and `backprop = softmax(features) - p` for the probabilities p.
//! Computed in f32.

use num_traits::AsPrimitive;
use oplink::gpu::{barrier, block_dim, block_index, grid_dim, shared, thread_index};
use oplink::prelude::*;
use oplink::shape_inference::broadcast_shapes;
use oplink_ops::{SoftmaxCrossEntropyWithLogits, SparseSoftmaxCrossEntropyWithLogits};

use super::extents::extent;

/// Blocks that every device takes in one direction.
const MOST_BLOCKS: usize = 65_535;

/// The loss for one class a row, and its gradient. Both are NaN where the class is not among `0..classes`.
#[program(block = 128, T = [f16, bf16, f32], Tlabels = [i32, i64])]
fn sparse_rows<T: Float, Tlabels: Integer + AsPrimitive<i32>>(
    features: &[T],
    labels: &[Tlabels],
    loss: &mut [T],
    backprop: &mut [T],
    rows: u32,
    classes: u32,
) {
    let mut partial = shared::<f32, 128>();
    let thread = thread_index().x;
    for row in (block_index().x..rows as usize).step_by(grid_dim().x) {
        let start = row * classes as usize;
        let mut top = f32::NEG_INFINITY;
        for class in (thread..classes as usize).step_by(block_dim().x) {
            top = top.max(features[start + class].to_f32());
        }
        partial[thread] = top;
        barrier();
        let mut half = 64;
        while half > 0 {
            if thread < half {
                partial[thread] = partial[thread].max(partial[thread + half]);
            }
            barrier();
            half /= 2;
        }
        let top = partial[0];
        barrier();
        let mut sum = 0.0f32;
        for class in (thread..classes as usize).step_by(block_dim().x) {
            sum += (features[start + class].to_f32() - top).exp();
        }
        partial[thread] = sum;
        barrier();
        let mut half = 64;
        while half > 0 {
            if thread < half {
                partial[thread] += partial[thread + half];
            }
            barrier();
            half /= 2;
        }
        let sum = partial[0];
        barrier();
        let given = labels[row];
        let label: i32 = given.as_();
        let is_class = given >= Tlabels::zero() && given >> 31 == Tlabels::zero() && (label as u32) < classes;
        for class in (thread..classes as usize).step_by(block_dim().x) {
            let chosen = if class == label as usize { 1.0f32 } else { 0.0f32 };
            let value = (features[start + class].to_f32() - top).exp() / sum - chosen;
            backprop[start + class] = if is_class { T::from_f32(value) } else { T::nan() };
        }
        if thread == 0 {
            let mut value = f32::NAN;
            if is_class {
                value = sum.ln() - (features[start + label as usize].to_f32() - top);
            }
            loss[row] = T::from_f32(value);
        }
    }
}

/// `SparseSoftmaxCrossEntropyWithLogits`: a block for each row.
///
/// # Errors
/// Shapes that do not fit; the device refuses.
#[kernel(SparseSoftmaxCrossEntropyWithLogits, device = GPU, T = [f16, bf16, f32], Tlabels = [i32, i64])]
pub fn sparse_softmax_cross_entropy_gpu(
    features: &Tensor,
    labels: &Tensor,
    mut loss: OutputSlot<'_>,
    mut backprop: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let shape = features.shape();
    let &[rows, classes] = shape.dims() else { bail!("features must be of rank 2, their shape is {shape}") };
    let given = labels.shape();
    ensure!(given.dims() == [rows], "labels must be a vector of {rows} classes, their shape is {given}");
    ensure!(classes > 0 || rows == 0, "there must be at least one class, the shape of features is {shape}");
    extent(rows * classes)?;
    let (loss, backprop) = (loss.allocate([rows])?, backprop.allocate([rows, classes])?);
    sparse_rows { features, labels, loss, backprop, rows: extent(rows)?, classes: extent(classes)? }.launch(
        env.device()?,
        [features.dtype(), labels.dtype()],
        grid(rows),
    )
}

/// A block for each row, as far as they go.
fn grid(rows: usize) -> [u32; 3] {
    [rows.min(MOST_BLOCKS) as u32, 1, 1]
}

/// The loss for the probabilities `labels`, and its gradient. `features` and `labels` broadcast to rank 2.
#[program(block = 128, T = [f16, bf16, f32])]
fn broadcast_rows<T: Float>(
    features: &[T],
    labels: &[T],
    loss: &mut [T],
    backprop: &mut [T],
    rows: u32,
    classes: u32,
    feature_row: u32,
    feature_step: u32,
    label_row: u32,
    label_step: u32,
) {
    let mut partial = shared::<f32, 128>();
    let thread = thread_index().x;
    for row in (block_index().x..rows as usize).step_by(grid_dim().x) {
        let feature = row as u32 * feature_row;
        let label = row as u32 * label_row;
        let mut top = f32::NEG_INFINITY;
        for class in (thread..classes as usize).step_by(block_dim().x) {
            top = top.max(features[(feature + class as u32 * feature_step) as usize].to_f32());
        }
        partial[thread] = top;
        barrier();
        let mut half = 64;
        while half > 0 {
            if thread < half {
                partial[thread] = partial[thread].max(partial[thread + half]);
            }
            barrier();
            half /= 2;
        }
        let top = partial[0];
        barrier();
        let mut sum = 0.0f32;
        for class in (thread..classes as usize).step_by(block_dim().x) {
            sum += (features[(feature + class as u32 * feature_step) as usize].to_f32() - top).exp();
        }
        partial[thread] = sum;
        barrier();
        let mut half = 64;
        while half > 0 {
            if thread < half {
                partial[thread] += partial[thread + half];
            }
            barrier();
            half /= 2;
        }
        let sum = partial[0];
        barrier();
        let log = sum.ln();
        let mut total = 0.0f32;
        for class in (thread..classes as usize).step_by(block_dim().x) {
            let shifted = features[(feature + class as u32 * feature_step) as usize].to_f32() - top;
            let probability = labels[(label + class as u32 * label_step) as usize].to_f32();
            total += probability * (log - shifted);
            backprop[row * classes as usize + class] = T::from_f32(shifted.exp() / sum - probability);
        }
        partial[thread] = total;
        barrier();
        let mut half = 64;
        while half > 0 {
            if thread < half {
                partial[thread] += partial[thread + half];
            }
            barrier();
            half /= 2;
        }
        if thread == 0 {
            loss[row] = T::from_f32(partial[0]);
        }
        barrier();
    }
}

/// `SoftmaxCrossEntropyWithLogits`: a block for each row of the shape that features and labels broadcast to.
///
/// # Errors
/// Shapes that do not fit; the device refuses.
#[kernel(SoftmaxCrossEntropyWithLogits, device = GPU, T = [f16, bf16, f32])]
pub fn softmax_cross_entropy_gpu(
    features: &Tensor,
    labels: &Tensor,
    mut loss: OutputSlot<'_>,
    mut backprop: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let shape = broadcast_shapes(features.shape(), labels.shape())?;
    let &[rows, classes] = shape.dims() else {
        bail!("features {} and labels {} must broadcast to rank 2", features.shape(), labels.shape())
    };
    extent(rows * classes)?;
    let ([feature_row, feature_step], [label_row, label_step]) = (steps(features.shape()), steps(labels.shape()));
    let (loss, backprop) = (loss.allocate([rows])?, backprop.allocate([rows, classes])?);
    broadcast_rows {
        features,
        labels,
        loss,
        backprop,
        rows: extent(rows)?,
        classes: extent(classes)?,
        feature_row,
        feature_step,
        label_row,
        label_step,
    }
    .launch(env.device()?, features.dtype(), grid(rows))
}

/// Elements from one row and from one class to the next, 0 where they are repeated.
fn steps(shape: &Shape) -> [u32; 2] {
    let extent = |axis: usize| (axis + shape.rank()).checked_sub(2).map_or(1, |axis| shape[axis]);
    let (rows, classes) = (extent(0), extent(1));
    [if rows == 1 { 0 } else { classes as u32 }, u32::from(classes != 1)]
}
