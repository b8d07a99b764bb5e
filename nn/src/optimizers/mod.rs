//! Optimisers: how variables follow their gradients. Names, defaults and numbers are those of Keras 3.
//!
//! A [`Rule`] is what an optimiser does to one variable; an [`Optimizer`] keeps the rule's numbers for each variable,
//! the count of steps and the learning rate, all in variables, so that a step can be traced.

mod accumulation;
mod adaptive;
mod clipping;
mod loss_scale;
mod rules;

use oplink_api::{DType, Error, Result, ensure};

pub use adaptive::{Adadelta, Adagrad, Adam, AdamW, Adamax, Ftrl, Lion, RmsProp};
pub use clipping::{clip_by_global_norm, clip_by_norm, clip_by_value, global_norm};
pub use loss_scale::LossScale;
pub use rules::{Rule, Sgd, Step};

use crate::module::{Module, Visitor};
use crate::precision;
use crate::value::{IntoValue, Value};
use crate::variable::Variable;
use accumulation::Accumulation;
use loss_scale::LossScaling;

/// Variables with the rule that they follow.
pub struct Optimizer {
    rule: Box<dyn Rule>,
    variables: Vec<Variable>,
    slots: Vec<Vec<Variable>>,
    learning_rate: Variable,
    iterations: Variable,
    weight_decay: Option<f32>,
    global_clipnorm: Option<f32>,
    accumulation: Option<Accumulation>,
    loss_scaling: Option<LossScaling>,
}

impl Optimizer {
    /// An optimiser of these variables. What the rule keeps of them is made here, before a step is traced.
    ///
    /// # Errors
    /// A variable is not of f32; memory runs out; a function is being traced.
    pub fn new(rule: impl Rule + 'static, variables: Vec<Variable>) -> Result<Self> {
        let slots = variables.iter().map(|variable| {
            let dtype = variable.dtype();
            ensure!(dtype == DType::Float, "optimisers train variables of f32, not `{}` of {dtype}", variable.name());
            let slot = |(name, value): &(&str, f32)| {
                let name = format!("{}_{name}", variable.name());
                Variable::untrained(&name, Value::full(variable.shape(), *value)?)
            };
            rule.slots().iter().map(slot).collect::<Result<Vec<_>>>()
        });
        let slots = slots.collect::<Result<_>>()?;
        Ok(Self {
            learning_rate: Variable::untrained("learning_rate", rule.learning_rate())?,
            iterations: Variable::untrained("iterations", 0i64)?,
            weight_decay: rule.weight_decay(),
            rule: Box::new(rule),
            variables,
            slots,
            global_clipnorm: None,
            accumulation: None,
            loss_scaling: None,
        })
    }

    /// The same with one update of the mean gradients of so many batches, each given by a call of [`Optimizer::apply`];
    /// the calls before the last of them change no variable. Batches of one size give the update of one large batch.
    ///
    /// # Errors
    /// There are 0 batches; memory runs out; a function is being traced.
    pub fn gradient_accumulation(self, batches: u32) -> Result<Self> {
        Ok(Self { accumulation: Some(Accumulation::new(batches, &self.variables)?), ..self })
    }

    /// The same with the gradients of each update scaled down together, to a norm of at most this.
    #[must_use]
    pub fn global_clipnorm(self, norm: f32) -> Self {
        Self { global_clipnorm: Some(norm), ..self }
    }

    /// The same for gradients of a loss that [`Optimizer::scale_loss`] scaled, which are scaled back first.
    ///
    /// # Errors
    /// The scale is not finite or not above 0; memory runs out; a function is being traced.
    pub fn loss_scale(self, scale: LossScale) -> Result<Self> {
        Ok(Self { loss_scaling: Some(LossScaling::new(scale)?), ..self })
    }

    /// The loss to take gradients of: as it is, unless a scale is set.
    ///
    /// # Errors
    /// The loss carries an error.
    pub fn scale_loss(&self, loss: &Value) -> Result<Value> {
        match &self.loss_scaling {
            None => loss.clone().ok(),
            Some(scaling) => (loss * scaling.scale()?.cast(loss.dtype()?)?).ok(),
        }
    }

    /// The number that the next loss is scaled by; 1 where no scale is set.
    ///
    /// # Errors
    /// It is on a device that fails.
    pub fn current_loss_scale(&self) -> Result<f64> {
        match &self.loss_scaling {
            None => Ok(1.0),
            Some(LossScaling::Fixed(scale)) => Ok((*scale).into()),
            Some(LossScaling::Dynamic { scale, .. }) => Ok(scale.tensor()?.to_scalar::<f32>()?.into()),
        }
    }

    /// Whether a scale is set.
    pub(crate) fn scales_losses(&self) -> bool {
        self.loss_scaling.is_some()
    }

    /// The variables, in the order in which [`Optimizer::apply`] takes gradients.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The updates made.
    ///
    /// # Errors
    /// The count is on a device that fails.
    pub fn iterations(&self) -> Result<u64> {
        Ok(self.iterations.tensor()?.to_scalar::<i64>()? as u64)
    }

    /// The learning rate of the next step.
    ///
    /// # Errors
    /// It is on a device that fails.
    pub fn learning_rate(&self) -> Result<f64> {
        Ok(self.learning_rate.tensor()?.to_scalar::<f32>()?.into())
    }

    /// Sets the learning rate of the steps from now on, traced ones too.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn set_learning_rate(&self, rate: f64) -> Result<()> {
        self.learning_rate.assign(rate as f32)
    }

    /// A step: each variable follows its gradient; those without one stay as they are. Gradients are scaled back,
    /// gathered and clipped before that, in this order, as far as the optimiser is told to.
    ///
    /// # Errors
    /// There are more or fewer gradients than variables, or none at all; a gradient has another shape than its
    /// variable.
    pub fn apply(&self, gradients: &[Option<Value>]) -> Result<()> {
        let (count, wanted) = (gradients.len(), self.variables.len());
        ensure!(count == wanted, "{count} gradients are given for the {wanted} variables of an optimiser");
        if wanted > 0 && gradients.iter().all(Option::is_none) {
            let message = "no variable has a gradient: is the loss computed of them while the tape records?";
            return Err(Error::invalid_argument(message));
        }
        precision::without(|| match &self.loss_scaling {
            Some(scaling) => scaling.unscaled(gradients, |gradients| self.gather(gradients)),
            None => self.gather(gradients),
        })
    }

    fn gather(&self, gradients: &[Option<Value>]) -> Result<()> {
        match &self.accumulation {
            Some(accumulation) => accumulation.add(gradients, |gradients| self.update(gradients)),
            None => self.update(gradients),
        }
    }

    fn update(&self, gradients: &[Option<Value>]) -> Result<()> {
        let clipped = self.global_clipnorm.map(|norm| clip_by_global_norm(gradients, norm)).transpose()?;
        let gradients = clipped.as_deref().unwrap_or(gradients);
        let rate = self.learning_rate.read()?;
        let number = (self.iterations.read()? + 1).cast(DType::Float)?;
        let step = Step { rate, number };
        for ((variable, slots), gradient) in self.variables.iter().zip(&self.slots).zip(gradients) {
            let Some(gradient) = gradient else { continue };
            if let Some(decay) = self.weight_decay {
                variable.assign_sub(variable.read()? * (&step.rate * decay))?;
            }
            self.rule.apply(&step, variable, slots, gradient)?;
        }
        self.iterations.assign_add(1i64.into_value(None)?)
    }
}

impl Module for Optimizer {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        visitor.part("iterations", &self.iterations);
        visitor.part("learning_rate", &self.learning_rate);
        for (at, slots) in self.slots.iter().enumerate() {
            let names = self.rule.slots();
            names.iter().zip(slots).for_each(|((name, _), slot)| visitor.part(&format!("{at}.{name}"), slot));
        }
        if let Some(accumulation) = &self.accumulation {
            accumulation.visit(visitor);
        }
        if let Some(scaling) = &self.loss_scaling {
            scaling.visit(visitor);
        }
    }
}

impl std::fmt::Debug for Optimizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Optimizer({} variables)", self.variables.len())
    }
}
