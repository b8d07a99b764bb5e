//! Losses: the mean over the batch of how far predictions are from what is true. Numbers are those of Keras 3.
//!
//! What is true comes first. Losses of classes take logits: what a model computes before its softmax or sigmoid.
//! Predictions of 16 bits are taken in f32.

use oplink_api::call::Arg;
use oplink_api::{DType, Result};
use oplink_ops::{SoftmaxCrossEntropyWithLogits, SparseSoftmaxCrossEntropyWithLogits, Xlogy};

use crate::precision::widened;
use crate::run::{call, call_args};
use crate::value::{IntoValue, Value};

/// What is true, in the dtype of the predictions.
fn as_predicted(truth: impl IntoValue, predicted: &Value) -> Result<Value> {
    let dtype = predicted.dtype()?;
    truth.into_value(Some(dtype))?.cast(dtype)
}

/// Number keras adds to denominators, and keeps probabilities from 0 and 1 by.
const EPSILON: f32 = 1e-7;

/// The squared difference.
///
/// # Errors
/// The shapes do not fit.
pub fn mean_squared_error(truth: impl IntoValue, predicted: &Value) -> Result<Value> {
    let predicted = &widened(predicted)?;
    predicted.squared_difference(as_predicted(truth, predicted)?)?.mean(..)
}

/// The magnitude of the difference.
///
/// # Errors
/// The shapes do not fit.
pub fn mean_absolute_error(truth: impl IntoValue, predicted: &Value) -> Result<Value> {
    let predicted = &widened(predicted)?;
    (predicted - as_predicted(truth, predicted)?).abs()?.mean(..)
}

/// The magnitude of the difference, in percent of the truth's.
///
/// # Errors
/// The shapes do not fit.
pub fn mean_absolute_percentage_error(truth: impl IntoValue, predicted: &Value) -> Result<Value> {
    let predicted = &widened(predicted)?;
    let truth = as_predicted(truth, predicted)?;
    let share = (&truth - predicted) / truth.abs()?.maximum(EPSILON)?;
    (share.abs()?.mean(..)? * 100.0).ok()
}

/// The squared difference of logarithms of what is 1 larger.
///
/// # Errors
/// The shapes do not fit.
pub fn mean_squared_logarithmic_error(truth: impl IntoValue, predicted: &Value) -> Result<Value> {
    let predicted = &widened(predicted)?;
    let ln = |x: &Value| (x.maximum(EPSILON)? + 1.0).ln();
    ln(&as_predicted(truth, predicted)?)?.squared_difference(ln(predicted)?)?.mean(..)
}

/// Half the squared difference where it is at most `delta`, linear beyond.
///
/// # Errors
/// The shapes do not fit.
pub fn huber(truth: impl IntoValue, predicted: &Value, delta: f32) -> Result<Value> {
    let predicted = &widened(predicted)?;
    let distance = (predicted - as_predicted(truth, predicted)?).abs()?;
    let square = (distance.square()? * 0.5).ok()?;
    let linear = (&distance * delta - 0.5 * delta * delta).ok()?;
    distance.less_equal(delta)?.select(square, &linear)?.mean(..)
}

/// The logarithm of the hyperbolic cosine of the difference.
///
/// # Errors
/// The shapes do not fit.
pub fn log_cosh(truth: impl IntoValue, predicted: &Value) -> Result<Value> {
    let predicted = &widened(predicted)?;
    let distance = (predicted - as_predicted(truth, predicted)?).ok()?;
    (&distance + (&distance * -2.0).softplus()? - std::f32::consts::LN_2).mean(..)
}

/// What is missing to a margin of 1 on the right side; the truth is -1 or 1.
///
/// # Errors
/// The shapes do not fit.
pub fn hinge(truth: impl IntoValue, predicted: &Value) -> Result<Value> {
    let predicted = &widened(predicted)?;
    (1.0 - as_predicted(truth, predicted)? * predicted).relu()?.mean(..)
}

/// The square of what [`hinge`] has.
///
/// # Errors
/// The shapes do not fit.
pub fn squared_hinge(truth: impl IntoValue, predicted: &Value) -> Result<Value> {
    let predicted = &widened(predicted)?;
    (1.0 - as_predicted(truth, predicted)? * predicted).relu()?.square()?.mean(..)
}

/// `predicted - truth · ln(predicted)`.
///
/// # Errors
/// The shapes do not fit.
pub fn poisson(truth: impl IntoValue, predicted: &Value) -> Result<Value> {
    let predicted = &widened(predicted)?;
    (predicted - as_predicted(truth, predicted)? * (predicted + EPSILON).ln()?).mean(..)
}

/// `truth · ln(truth / predicted)`, summed along the last axis.
///
/// # Errors
/// The shapes do not fit.
pub fn kl_divergence(truth: impl IntoValue, predicted: &Value) -> Result<Value> {
    let predicted = &widened(predicted)?;
    let truth = as_predicted(truth, predicted)?.clamp(EPSILON, 1.0)?;
    let predicted = predicted.clamp(EPSILON, 1.0)?;
    call::<Xlogy>([truth.clone(), (truth / predicted).ok()?])?.sum(-1)?.mean(..)
}

/// Less the cosine of the angle between the vectors along the last axis.
///
/// # Errors
/// The shapes do not fit.
pub fn cosine_similarity(truth: impl IntoValue, predicted: &Value) -> Result<Value> {
    let predicted = &widened(predicted)?;
    let unit = |x: &Value| (x * x.square()?.sum_kept(-1)?.maximum(EPSILON * EPSILON)?.rsqrt()?).ok();
    (-(unit(&as_predicted(truth, predicted)?)? * unit(predicted)?)).sum(-1)?.mean(..)
}

/// The cross entropy of two classes, from logits; the truth is 0, 1 or between.
///
/// # Errors
/// The shapes do not fit.
pub fn binary_crossentropy(truth: impl IntoValue, logits: &Value) -> Result<Value> {
    let logits = &widened(logits)?;
    let truth = as_predicted(truth, logits)?;
    (logits.relu()? - logits * truth + (-logits.abs()?).exp()?.ln_1p()?).mean(..)
}

/// The cross entropy of classes along the last axis, from logits; the truth is probabilities, often one of 1.
///
/// # Errors
/// The shapes do not fit.
pub fn categorical_crossentropy(truth: impl IntoValue, logits: &Value) -> Result<Value> {
    let logits = &widened(logits)?;
    let truth = as_predicted(truth, logits)?;
    let classes = last(logits)?;
    let rows = [logits.reshape([-1, classes])?, truth.reshape([-1, classes])?];
    call_args::<SoftmaxCrossEntropyWithLogits>(rows.map(Arg::One), Vec::new())?.one(0)?.mean(..)
}

/// The cross entropy of classes along the last axis, from logits; the truth is numbers of classes.
///
/// # Errors
/// The shapes do not fit.
pub fn sparse_categorical_crossentropy(truth: impl IntoValue, logits: &Value) -> Result<Value> {
    let logits = &widened(logits)?;
    let truth = truth.into_value(None)?;
    let truth = if truth.dtype()? == DType::Int32 { truth } else { truth.cast(DType::Int64)? };
    let rows = [logits.reshape([-1, last(logits)?])?, truth.reshape([-1])?];
    call_args::<SparseSoftmaxCrossEntropyWithLogits>(rows.map(Arg::One), Vec::new())?.one(0)?.mean(..)
}

/// The extent of the last axis.
fn last(x: &Value) -> Result<i64> {
    let shape = x.partial_shape()?;
    let extent = shape.dims().and_then(|dims| dims.last().copied().flatten());
    extent.map(|extent| extent as i64).ok_or_else(|| {
        oplink_api::Error::invalid_argument(format!("the number of classes of logits of shape {shape} is not known"))
    })
}
