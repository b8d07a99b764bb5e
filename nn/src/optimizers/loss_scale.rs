//! Losses scaled up, so that gradients of 16 bits do not become 0, and gradients scaled back. Numbers are those of
//! Keras's `LossScaleOptimizer`, and of `loss_scale_factor` of its optimisers.

use oplink_api::call::Arg;
use oplink_api::{Result, ensure};
use oplink_ops::Pack;

use crate::module::Visitor;
use crate::run::call_args;
use crate::trace::cond;
use crate::value::{IntoValue, Value};
use crate::variable::Variable;

/// How a loss is scaled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LossScale {
    /// By a number that stays.
    Fixed(f32),
    /// By a number that follows what gradients can bear: where one is infinite or NaN the step is skipped and the
    /// number halved, and it is doubled behind so many steps in which all were finite.
    Dynamic {
        /// The first number.
        initial: f32,
        /// The steps after which it is doubled.
        growth_steps: u32,
    },
}

impl LossScale {
    /// Keras's numbers: 2¹⁵ at first, doubled behind 2000 steps.
    pub fn dynamic() -> Self {
        Self::Dynamic { initial: 32768.0, growth_steps: 2000 }
    }
}

/// A scale with its state.
#[derive(Debug)]
pub(super) enum LossScaling {
    Fixed(f32),
    Dynamic { scale: Variable, finite_steps: Variable, growth_steps: u32 },
}

impl LossScaling {
    pub(super) fn new(scale: LossScale) -> Result<Self> {
        let (LossScale::Fixed(first) | LossScale::Dynamic { initial: first, .. }) = scale;
        ensure!(first.is_finite() && first > 0.0, "a loss cannot be scaled by {first}: give a finite number above 0");
        match scale {
            LossScale::Fixed(scale) => Ok(Self::Fixed(scale)),
            LossScale::Dynamic { initial, growth_steps } => {
                ensure!(growth_steps > 0, "the scale of a loss cannot be doubled behind 0 steps: give at least 1");
                let scale = Variable::untrained("dynamic_scale", initial)?;
                Ok(Self::Dynamic { scale, finite_steps: Variable::untrained("step_counter", 0i32)?, growth_steps })
            }
        }
    }

    /// The number that losses are multiplied by.
    pub(super) fn scale(&self) -> Result<Value> {
        match self {
            Self::Fixed(scale) => Ok(Value::new(*scale)),
            Self::Dynamic { scale, .. } => scale.read(),
        }
    }

    /// Calls `step` with the gradients scaled back, where it is not to be skipped.
    pub(super) fn unscaled(
        &self,
        gradients: &[Option<Value>],
        step: impl FnOnce(&[Option<Value>]) -> Result<()>,
    ) -> Result<()> {
        let apply = || {
            let scale = self.scale()?;
            let unscaled = gradients.iter().map(|gradient| gradient.as_ref().map(|g| (g / &scale).ok()).transpose());
            step(&unscaled.collect::<Result<Vec<_>>>()?)
        };
        let Self::Dynamic { scale, finite_steps, growth_steps } = self else { return apply() };
        let finite = are_finite(gradients)?;
        let taken = || {
            apply()?;
            let (steps, now) = (finite_steps.read()?, scale.read()?);
            let grows = steps.greater_equal(*growth_steps as i32 - 1)?;
            finite_steps.assign(grows.select(0i32, &(steps + 1))?)?;
            scale.assign(grows.select(&now * 2.0, &now)?)
        };
        let skipped = || {
            finite_steps.assign(0i32.into_value(None)?)?;
            scale.assign(scale.read()? * 0.5)
        };
        cond(finite, taken, skipped)
    }

    pub(super) fn visit(&self, visitor: &mut Visitor<'_>) {
        if let Self::Dynamic { scale, finite_steps, .. } = self {
            visitor.part("dynamic_scale", scale);
            visitor.part("step_counter", finite_steps);
        }
    }
}

/// Whether no element of any gradient is infinite or NaN.
fn are_finite(gradients: &[Option<Value>]) -> Result<Value> {
    let finite = gradients.iter().flatten().map(|gradient| gradient.is_finite()?.all(..));
    call_args::<Pack>([Arg::List(finite.collect::<Result<_>>()?)], Vec::new())?.one(0)?.all(..)
}
