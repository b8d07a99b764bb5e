//! Metrics: shares of a batch, as values, and means over batches.

use oplink_api::{DType, Result};
use oplink_ops::InTopK;

use crate::precision::widened;
use crate::run::call_with;
use crate::value::{IntoValue, Value};

/// The share of rows whose largest prediction is at the class that is true.
///
/// # Errors
/// The shapes do not fit.
pub fn sparse_categorical_accuracy(truth: impl IntoValue, predicted: &Value) -> Result<Value> {
    share(&predicted.argmax(-1)?.equal(truth.into_value(None)?.cast(DType::Int64)?)?)
}

/// The share of rows whose largest prediction is where the largest truth is.
///
/// # Errors
/// The shapes do not fit.
pub fn categorical_accuracy(truth: impl IntoValue, predicted: &Value) -> Result<Value> {
    share(&predicted.argmax(-1)?.equal(truth.into_value(None)?.argmax(-1)?)?)
}

/// The share of predictions that are on the same side of `threshold` as the truth, which is 0 or 1.
///
/// # Errors
/// The shapes do not fit.
pub fn binary_accuracy(truth: impl IntoValue, predicted: &Value, threshold: f32) -> Result<Value> {
    let predicted = widened(predicted)?;
    let truth = truth.into_value(Some(predicted.dtype()?))?.cast(predicted.dtype()?)?;
    share(&predicted.greater(threshold)?.equal(truth.greater(0.5)?)?)
}

/// The share of rows whose true class is among the `k` largest predictions.
///
/// # Errors
/// The shapes do not fit.
pub fn top_k_accuracy(truth: impl IntoValue, predicted: &Value, k: i64) -> Result<Value> {
    let truth = truth.into_value(None)?.cast(DType::Int64)?;
    share(&call_with::<InTopK>([widened(predicted)?, truth], vec![("k", k.into())])?)
}

fn share(of: &Value) -> Result<Value> {
    of.cast(DType::Float)?.mean(..)
}

/// A mean over batches, each weighted by how many rows it had.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    sum: f64,
    count: f64,
}

impl Mean {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the mean of a batch.
    ///
    /// # Errors
    /// The value carries an error, or is no single number of f32.
    pub fn add(&mut self, mean: &Value, rows: usize) -> Result<()> {
        self.sum += f64::from(mean.item::<f32>()?) * rows as f64;
        self.count += rows as f64;
        Ok(())
    }

    /// The mean; NaN of nothing.
    pub fn value(&self) -> f64 {
        self.sum / self.count
    }
}
