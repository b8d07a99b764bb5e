//! Gradients of several small batches gathered for one update. Numbers are those of `gradient_accumulation_steps` of
//! Keras's optimisers.

use std::sync::atomic::{AtomicBool, Ordering};

use oplink_api::{DType, Result, ensure};

use crate::module::Visitor;
use crate::trace::cond;
use crate::value::{IntoValue, Value};
use crate::variable::Variable;

/// The sums of the gradients since the last update.
#[derive(Debug)]
pub(super) struct Accumulation {
    steps: u32,
    /// The batches since the last update.
    count: Variable,
    sums: Vec<Variable>,
    /// Whether a variable had a gradient in some batch.
    has_gradient: Vec<AtomicBool>,
}

impl Accumulation {
    pub(super) fn new(steps: u32, variables: &[Variable]) -> Result<Self> {
        ensure!(steps > 0, "an update cannot be made of the gradients of 0 batches: give at least 1");
        let sum = |variable: &Variable| {
            let name = format!("{}_gradient_accumulator", variable.name());
            Variable::untrained(&name, Value::zeros(DType::Float, variable.shape())?)
        };
        Ok(Self {
            steps,
            count: Variable::untrained("accumulated_steps", 0i32)?,
            sums: variables.iter().map(sum).collect::<Result<_>>()?,
            has_gradient: variables.iter().map(|_| AtomicBool::new(false)).collect(),
        })
    }

    /// Adds the gradients of a batch; with those of the last one calls `update` with the means of all.
    pub(super) fn add(
        &self,
        gradients: &[Option<Value>],
        update: impl FnOnce(&[Option<Value>]) -> Result<()>,
    ) -> Result<()> {
        for (has, _) in self.has_gradient.iter().zip(gradients).filter(|(_, gradient)| gradient.is_some()) {
            has.store(true, Ordering::Relaxed);
        }
        let is_last = (self.count.read()? + 1).greater_equal(self.steps as i32)?;
        let last = || {
            update(&self.means(gradients)?)?;
            for sum in &self.sums {
                sum.assign(Value::zeros(DType::Float, sum.shape())?)?;
            }
            self.count.assign(0i32.into_value(None)?)
        };
        let gathered = || {
            for (sum, gradient) in self.sums.iter().zip(gradients) {
                gradient.as_ref().map_or(Ok(()), |gradient| sum.assign_add(gradient))?;
            }
            self.count.assign_add(1i32.into_value(None)?)
        };
        cond(is_last, last, gathered)
    }

    fn means(&self, gradients: &[Option<Value>]) -> Result<Vec<Option<Value>>> {
        let mean = |((gradient, sum), has): ((&Option<Value>, &Variable), &AtomicBool)| match gradient {
            Some(gradient) => ((gradient + sum.read()?) / self.steps as f32).ok().map(Some),
            None if has.load(Ordering::Relaxed) => (sum.read()? / self.steps as f32).ok().map(Some),
            None => Ok(None),
        };
        gradients.iter().zip(&self.sums).zip(&self.has_gradient).map(mean).collect()
    }

    pub(super) fn visit(&self, visitor: &mut Visitor<'_>) {
        visitor.part("accumulated_steps", &self.count);
        for (at, sum) in self.sums.iter().enumerate() {
            visitor.part(&format!("{at}.gradient_accumulator"), sum);
        }
    }
}
