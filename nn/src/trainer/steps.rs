//! What is computed of a batch: one graph each, once it is traced.

use oplink_api::Result;

use super::Trainer;
use crate::layers::Mode;
use crate::tape::Tape;
use crate::value::Value;

impl Trainer<'_> {
    /// A step of training; the loss and the metrics.
    pub(super) fn train_step(&self, [x, y]: [Value; 2]) -> Result<Vec<Value>> {
        let tape = Tape::new();
        let predicted = self.forward(&x, Mode::Train)?;
        let loss = (self.loss)(y.clone(), &predicted)?;
        let gradients = tape.gradient(&self.optimizer.scale_loss(&loss)?, self.optimizer.variables())?;
        self.optimizer.apply(&gradients)?;
        self.measures(loss, &y, &predicted)
    }

    /// The loss and the metrics of a batch, which changes nothing.
    pub(super) fn test_step(&self, [x, y]: [Value; 2]) -> Result<Vec<Value>> {
        let predicted = self.forward(&x, Mode::Infer)?;
        let loss = (self.loss)(y.clone(), &predicted)?;
        self.measures(loss, &y, &predicted)
    }

    fn measures(&self, loss: Value, y: &Value, predicted: &Value) -> Result<Vec<Value>> {
        let metrics = self.metrics.iter().map(|(_, metric)| metric(y.clone(), predicted));
        std::iter::once(Ok(loss)).chain(metrics).collect()
    }
}
