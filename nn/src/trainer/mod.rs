//! Training: a model with its optimiser, its loss and its metrics, and the loop over data. Names are those of Keras's
//! `compile` and `fit`.
//!
//! - [`Trainer`] is what Keras makes by `compile`; [`Trainer::fit`] goes over data as [`Fit`] says.
//! - [`Callback`] is what is called on the way: [`EarlyStopping`], [`ModelCheckpoint`], [`TensorBoard`],
//!   [`LearningCurve`], [`ProgbarLogger`], and those of a program.
//! - [`BackupAndRestore`] lets training continue where a process was killed, as if it had not been.

mod backup;
mod callback;
mod checkpoint;
mod early_stopping;
mod fit;
mod learning_curve;
mod logs;
mod progbar;
mod state;
mod steps;
mod tensor_board;

use std::fmt;

use oplink_api::{Error, Result, Tensor, ensure};

pub use backup::BackupAndRestore;
pub use callback::{Callback, Progress};
pub use checkpoint::ModelCheckpoint;
pub use early_stopping::{Direction, EarlyStopping};
pub use fit::Fit;
pub use learning_curve::LearningCurve;
pub use logs::{History, Logs};
pub use progbar::{ProgbarLogger, Verbose};
pub use tensor_board::TensorBoard;

use crate::data::{Dataset, prefetch};
use crate::layers::{Layer, Mode};
use crate::optimizers::{LossScale, Optimizer, Rule};
use crate::precision::{Policy, autocast};
use crate::schedules::Schedule;
use crate::trace::function;
use crate::value::Value;

/// What is computed of what is true and what is predicted: a mean over the rows.
type Measure<'m> = Box<dyn Fn(Value, &Value) -> Result<Value> + 'm>;

/// A model with what it is trained by.
///
/// ```ignore
/// let trainer = Trainer::new(&model, Adam::new(1e-3), losses::sparse_categorical_crossentropy)?
///     .metric("accuracy", metrics::sparse_categorical_accuracy);
/// let history = trainer.fit(&train, Fit::epochs(5).validation_data(&test))?;
/// ```
pub struct Trainer<'m> {
    model: Box<dyn Layer + 'm>,
    optimizer: Optimizer,
    loss: Measure<'m>,
    metrics: Vec<(String, Measure<'m>)>,
    schedule: Option<Box<dyn Schedule + 'm>>,
    policy: Option<Policy>,
    /// The batches of an update.
    accumulated: u32,
}

impl<'m> Trainer<'m> {
    /// A model, or a reference to one, with the rule by which its variables follow the gradients of a loss. The loss
    /// gets what is true, then what the model predicts.
    ///
    /// # Errors
    /// As [`Optimizer::new`].
    pub fn new(
        model: impl Layer + 'm,
        rule: impl Rule + 'static,
        loss: impl Fn(Value, &Value) -> Result<Value> + 'm,
    ) -> Result<Self> {
        let optimizer = Optimizer::new(rule, model.trainable_variables())?;
        Ok(Self {
            model: Box::new(model),
            optimizer,
            loss: Box::new(loss),
            metrics: Vec::new(),
            schedule: None,
            policy: None,
            accumulated: 1,
        })
    }

    /// One more number that is told of each batch and epoch.
    #[must_use]
    pub fn metric(mut self, name: &str, metric: impl Fn(Value, &Value) -> Result<Value> + 'm) -> Self {
        self.metrics.push((name.to_owned(), Box::new(metric)));
        self
    }

    /// The learning rate of each update, in place of the rule's own.
    #[must_use]
    pub fn learning_rate(self, schedule: impl Schedule + 'm) -> Self {
        Self { schedule: Some(Box::new(schedule)), ..self }
    }

    /// Scales the gradients of a step down together, to a norm of at most this.
    #[must_use]
    pub fn global_clipnorm(self, norm: f32) -> Self {
        Self { optimizer: self.optimizer.global_clipnorm(norm), ..self }
    }

    /// Makes an update of the mean gradients of so many batches: with batches of one size it is that of a large batch,
    /// in the memory of a small one. Batches that are left at the end of an epoch count for the next one.
    ///
    /// # Errors
    /// As [`Optimizer::gradient_accumulation`].
    pub fn gradient_accumulation(self, batches: u32) -> Result<Self> {
        Ok(Self { optimizer: self.optimizer.gradient_accumulation(batches)?, accumulated: batches, ..self })
    }

    /// Lets the model compute as the policy says, in training, evaluation and prediction. As in Keras,
    /// [`Policy::MixedFloat16`] brings [`LossScale::dynamic`], unless a scale was set before.
    ///
    /// # Errors
    /// As [`Optimizer::loss_scale`].
    pub fn precision(self, policy: Policy) -> Result<Self> {
        let scales = policy == Policy::MixedFloat16 && !self.optimizer.scales_losses();
        let scaled = if scales { self.loss_scale(LossScale::dynamic())? } else { self };
        Ok(Self { policy: Some(policy), ..scaled })
    }

    /// Scales the loss while gradients are computed.
    ///
    /// # Errors
    /// As [`Optimizer::loss_scale`].
    pub fn loss_scale(self, scale: LossScale) -> Result<Self> {
        Ok(Self { optimizer: self.optimizer.loss_scale(scale)?, ..self })
    }

    /// What the model computes, as its policy says.
    fn forward(&self, x: &Value, mode: Mode) -> Result<Value> {
        match self.policy {
            Some(policy) => autocast(policy, || self.model.forward(x, mode)),
            None => self.model.forward(x, mode),
        }
    }

    /// The model.
    pub fn model(&self) -> &(dyn Layer + 'm) {
        &*self.model
    }

    /// The optimiser.
    pub fn optimizer(&self) -> &Optimizer {
        &self.optimizer
    }

    /// The loss and the metrics of data, which is seen once.
    ///
    /// # Errors
    /// The data cannot be read or has no batch; the model's, the loss's and the metrics'.
    pub fn evaluate(&self, data: &dyn Dataset) -> Result<Logs> {
        let step = function(|batch| self.test_step(batch));
        let means = Self::means(data, |batch| step.call(batch))?;
        Ok(self.logs(&means, ""))
    }

    /// What the model predicts of each row of the inputs.
    ///
    /// # Errors
    /// The inputs are a scalar or do not fit the model.
    pub fn predict(&self, x: &Tensor, batch_size: usize) -> Result<Value> {
        let rows = x.shape().dims().first().copied();
        let rows =
            rows.ok_or_else(|| Error::invalid_argument("inputs are a scalar: their first axis is that of rows"))?;
        let step = function(|x: Value| self.forward(&x, Mode::Infer));
        let starts = (0..rows.max(1)).step_by(batch_size.max(1));
        let predicted = starts.map(|start| step.call(x.slice(start, (start + batch_size.max(1)).min(rows))?));
        let predicted: Vec<Value> = predicted.collect::<Result<_>>()?;
        // `ConcatV2` takes no single value.
        if let [all] = predicted.as_slice() { Ok(all.clone()) } else { Value::concat(&predicted, 0) }
    }

    /// Means of what `step` gives for all batches.
    fn means(data: &dyn Dataset, mut step: impl FnMut([Value; 2]) -> Result<Vec<Value>>) -> Result<state::Means> {
        let mut means = state::Means::default();
        prefetch(data.batches(0, 0)?, |batch| {
            let rows = batch.num_rows();
            means.add(&step([batch.x.into(), batch.y.into()])?, rows)?;
            Ok(true)
        })?;
        ensure!(means.rows > 0, "the data has no examples to evaluate the model with");
        Ok(means)
    }

    /// Means by their names.
    fn logs(&self, means: &state::Means, prefix: &str) -> Logs {
        let mut logs = Logs::default();
        let names = std::iter::once("loss").chain(self.metrics.iter().map(|(name, _)| name.as_str()));
        names.zip(means.values()).for_each(|(name, value)| logs.set(format!("{prefix}{name}"), value));
        logs
    }
}

impl fmt::Debug for Trainer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let metrics: Vec<&str> = self.metrics.iter().map(|(name, _)| name.as_str()).collect();
        write!(f, "Trainer({:?}, metrics {metrics:?})", self.optimizer)
    }
}
