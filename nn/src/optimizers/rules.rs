//! What an optimiser does to one variable.

use oplink_api::call::Arg;
use oplink_api::{Op, Result};
use oplink_ops::{ResourceApplyGradientDescent, ResourceApplyKerasMomentum};

use crate::run::{Attrs, call_args};
use crate::value::Value;
use crate::variable::Variable;

/// The numbers of a step.
#[derive(Clone, Debug)]
pub struct Step {
    /// The learning rate.
    pub rate: Value,
    /// The number of the step, counted from 1.
    pub number: Value,
}

/// How a variable follows its gradient.
pub trait Rule: Send + Sync {
    /// The first learning rate.
    fn learning_rate(&self) -> f32;

    /// Names and first values of what is kept for each variable, in its shape.
    fn slots(&self) -> &'static [(&'static str, f32)];

    /// The share of a variable, times the learning rate, that each step takes away before the rule is applied.
    fn weight_decay(&self) -> Option<f32> {
        None
    }

    /// Changes a variable by its gradient.
    ///
    /// # Errors
    /// The gradient has another shape than the variable.
    fn apply(&self, step: &Step, variable: &Variable, slots: &[Variable], gradient: &Value) -> Result<()>;
}

/// Calls a training op: variables, then numbers.
pub(super) fn train<O: Op>(variables: &[&Variable], numbers: &[Value], attrs: Attrs) -> Result<()> {
    let handles = variables.iter().map(|variable| variable.handle().clone());
    call_args::<O>(handles.chain(numbers.iter().cloned()).map(Arg::One), attrs).map(|_| ())
}

/// Gradient descent, with momentum and Nesterov's form of it.
#[derive(Clone, Copy, Debug)]
pub struct Sgd {
    learning_rate: f32,
    momentum: f32,
    nesterov: bool,
    weight_decay: Option<f32>,
}

impl Sgd {
    /// Plain gradient descent.
    pub fn new(learning_rate: f32) -> Self {
        Self { learning_rate, momentum: 0.0, nesterov: false, weight_decay: None }
    }

    /// The same with a share of the step before in each.
    #[must_use]
    pub fn momentum(self, momentum: f32) -> Self {
        Self { momentum, ..self }
    }

    /// The same with Nesterov's momentum.
    #[must_use]
    pub fn nesterov(self) -> Self {
        Self { nesterov: true, ..self }
    }

    /// The same with decay of the variables.
    #[must_use]
    pub fn weight_decay(self, decay: f32) -> Self {
        Self { weight_decay: Some(decay), ..self }
    }
}

impl Rule for Sgd {
    fn learning_rate(&self) -> f32 {
        self.learning_rate
    }

    fn slots(&self) -> &'static [(&'static str, f32)] {
        if self.momentum == 0.0 { &[] } else { &[("momentum", 0.0)] }
    }

    fn weight_decay(&self) -> Option<f32> {
        self.weight_decay
    }

    fn apply(&self, step: &Step, variable: &Variable, slots: &[Variable], gradient: &Value) -> Result<()> {
        let (rate, gradient) = (step.rate.clone(), gradient.clone());
        match slots {
            [momentum] => {
                let numbers = [rate, gradient, Value::new(self.momentum)];
                let attrs = vec![("use_nesterov", self.nesterov.into())];
                train::<ResourceApplyKerasMomentum>(&[variable, momentum], &numbers, attrs)
            }
            _ => train::<ResourceApplyGradientDescent>(&[variable], &[rate, gradient], Vec::new()),
        }
    }
}
