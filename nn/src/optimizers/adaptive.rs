//! Rules that scale each element of a step by the gradients seen so far.

use oplink_api::Result;
use oplink_ops::{
    ResourceApplyAdaMax, ResourceApplyAdadelta, ResourceApplyAdam, ResourceApplyCenteredRMSProp, ResourceApplyRMSProp,
};

use super::rules::{Rule, Step, train};
use crate::value::Value;
use crate::variable::Variable;

/// A rule of these numbers, with a setter for each.
macro_rules! rule {
    ($(#[$doc:meta])* $ty:ident ($rate:expr) { $($(#[$field_doc:meta])* $field:ident: $field_ty:ty = $default:expr),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $ty {
            learning_rate: f32,
            $($field: $field_ty,)*
        }

        impl $ty {
            /// The rule with its defaults and this learning rate.
            pub fn new(learning_rate: f32) -> Self {
                Self { learning_rate, $($field: $default,)* }
            }

            $($(#[$field_doc])*
            #[must_use]
            pub fn $field(self, $field: $field_ty) -> Self {
                Self { $field, ..self }
            })*
        }

        impl Default for $ty {
            fn default() -> Self {
                Self::new($rate)
            }
        }
    };
}

rule! {
    /// Steps scaled by running means of the gradient and of its square.
    Adam (0.001) {
        /// Sets the share of the old mean of gradients.
        beta_1: f32 = 0.9,
        /// Sets the share of the old mean of squares.
        beta_2: f32 = 0.999,
        /// Sets the number added to the root of the mean of squares.
        epsilon: f32 = 1e-7,
    }
}

impl Rule for Adam {
    fn learning_rate(&self) -> f32 {
        self.learning_rate
    }

    fn slots(&self) -> &'static [(&'static str, f32)] {
        &[("momentum", 0.0), ("velocity", 0.0)]
    }

    fn apply(&self, step: &Step, variable: &Variable, slots: &[Variable], gradient: &Value) -> Result<()> {
        let [momentum, velocity] = slots else { return Ok(()) };
        let power = |beta: f32| Value::new(beta).pow(&step.number);
        let numbers = [
            power(self.beta_1)?,
            power(self.beta_2)?,
            step.rate.clone(),
            Value::new(self.beta_1),
            Value::new(self.beta_2),
            Value::new(self.epsilon),
            gradient.clone(),
        ];
        train::<ResourceApplyAdam>(&[variable, momentum, velocity], &numbers, Vec::new())
    }
}

rule! {
    /// [`Adam`] with decay of the variables apart from the gradient.
    AdamW (0.001) {
        /// Sets the share of a variable, times the learning rate, that each step takes away.
        weight_decay: f32 = 0.004,
        /// Sets the share of the old mean of gradients.
        beta_1: f32 = 0.9,
        /// Sets the share of the old mean of squares.
        beta_2: f32 = 0.999,
        /// Sets the number added to the root of the mean of squares.
        epsilon: f32 = 1e-7,
    }
}

impl Rule for AdamW {
    fn learning_rate(&self) -> f32 {
        self.learning_rate
    }

    fn slots(&self) -> &'static [(&'static str, f32)] {
        &[("momentum", 0.0), ("velocity", 0.0)]
    }

    fn weight_decay(&self) -> Option<f32> {
        Some(self.weight_decay)
    }

    fn apply(&self, step: &Step, variable: &Variable, slots: &[Variable], gradient: &Value) -> Result<()> {
        let Self { learning_rate, beta_1, beta_2, epsilon, .. } = *self;
        Adam { learning_rate, beta_1, beta_2, epsilon }.apply(step, variable, slots, gradient)
    }
}

rule! {
    /// [`Adam`] with the largest gradient in place of the mean of squares.
    Adamax (0.001) {
        /// Sets the share of the old mean of gradients.
        beta_1: f32 = 0.9,
        /// Sets the share of the old largest gradient.
        beta_2: f32 = 0.999,
        /// Sets the number added to the largest gradient.
        epsilon: f32 = 1e-7,
    }
}

impl Rule for Adamax {
    fn learning_rate(&self) -> f32 {
        self.learning_rate
    }

    fn slots(&self) -> &'static [(&'static str, f32)] {
        &[("m", 0.0), ("u", 0.0)]
    }

    fn apply(&self, step: &Step, variable: &Variable, slots: &[Variable], gradient: &Value) -> Result<()> {
        let [mean, largest] = slots else { return Ok(()) };
        let numbers = [
            Value::new(self.beta_1).pow(&step.number)?,
            step.rate.clone(),
            Value::new(self.beta_1),
            Value::new(self.beta_2),
            Value::new(self.epsilon),
            gradient.clone(),
        ];
        train::<ResourceApplyAdaMax>(&[variable, mean, largest], &numbers, Vec::new())
    }
}

rule! {
    /// Steps divided by the root of a running mean of squares.
    RmsProp (0.001) {
        /// Sets the share of the old mean.
        rho: f32 = 0.9,
        /// Sets the share of the step before in each.
        momentum: f32 = 0.0,
        /// Sets the number added to the mean of squares.
        epsilon: f32 = 1e-7,
        /// Sets whether the square of the mean gradient is taken from the mean of squares.
        centered: bool = false,
    }
}

impl Rule for RmsProp {
    fn learning_rate(&self) -> f32 {
        self.learning_rate
    }

    fn slots(&self) -> &'static [(&'static str, f32)] {
        const ALL: &[(&str, f32)] = &[("velocity", 0.0), ("momentum", 0.0), ("average_gradient", 0.0)];
        if self.centered { ALL } else { &ALL[..2] }
    }

    fn apply(&self, step: &Step, variable: &Variable, slots: &[Variable], gradient: &Value) -> Result<()> {
        let constants = [self.rho, self.momentum, self.epsilon].map(Value::new);
        let numbers = [&[step.rate.clone()][..], &constants, std::slice::from_ref(gradient)].concat();
        match slots {
            [squares, momentum] => train::<ResourceApplyRMSProp>(&[variable, squares, momentum], &numbers, Vec::new()),
            [squares, momentum, mean] => {
                let variables = [variable, mean, squares, momentum];
                train::<ResourceApplyCenteredRMSProp>(&variables, &numbers, Vec::new())
            }
            _ => Ok(()),
        }
    }
}

rule! {
    /// Steps divided by the root of the sum of squares. The sum starts at 0.1.
    Adagrad (0.001) {
        /// Sets the number added to the sum.
        epsilon: f32 = 1e-7,
    }
}

impl Rule for Adagrad {
    fn learning_rate(&self) -> f32 {
        self.learning_rate
    }

    fn slots(&self) -> &'static [(&'static str, f32)] {
        &[("accumulator", 0.1)]
    }

    fn apply(&self, step: &Step, variable: &Variable, slots: &[Variable], gradient: &Value) -> Result<()> {
        let [sum] = slots else { return Ok(()) };
        sum.assign_add(gradient.square()?)?;
        variable.assign_sub(&step.rate * gradient / (sum.read()? + self.epsilon).sqrt()?)
    }
}

rule! {
    /// Steps as large as those before, by running means of squares of both.
    Adadelta (0.001) {
        /// Sets the share of the old means.
        rho: f32 = 0.95,
        /// Sets the number added to the means.
        epsilon: f32 = 1e-7,
    }
}

impl Rule for Adadelta {
    fn learning_rate(&self) -> f32 {
        self.learning_rate
    }

    fn slots(&self) -> &'static [(&'static str, f32)] {
        &[("accumulated_grad", 0.0), ("accumulated_delta", 0.0)]
    }

    fn apply(&self, step: &Step, variable: &Variable, slots: &[Variable], gradient: &Value) -> Result<()> {
        let [gradients, deltas] = slots else { return Ok(()) };
        let numbers = [step.rate.clone(), Value::new(self.rho), Value::new(self.epsilon), gradient.clone()];
        train::<ResourceApplyAdadelta>(&[variable, gradients, deltas], &numbers, Vec::new())
    }
}

rule! {
    /// Follow the regularised leader. The sum of squares starts at 0.1.
    Ftrl (0.001) {
        /// Sets the power of the sum of squares by which steps shrink.
        learning_rate_power: f32 = -0.5,
        /// Sets the penalty of magnitudes.
        l1: f32 = 0.0,
        /// Sets the penalty of squares.
        l2: f32 = 0.0,
    }
}

impl Rule for Ftrl {
    fn learning_rate(&self) -> f32 {
        self.learning_rate
    }

    fn slots(&self) -> &'static [(&'static str, f32)] {
        &[("accumulator", 0.1), ("linear", 0.0)]
    }

    fn apply(&self, step: &Step, variable: &Variable, slots: &[Variable], gradient: &Value) -> Result<()> {
        let [accumulator, linear] = slots else { return Ok(()) };
        let (old, value, power) = (accumulator.read()?, variable.read()?, -self.learning_rate_power);
        let new = (&old + gradient.square()?).ok()?;
        let change = gradient - (new.pow(power)? - old.pow(power)?) / &step.rate * &value;
        linear.assign_add(change)?;
        let sum = linear.read()?;
        let quadratic = new.pow(power)? / &step.rate + 2.0 * self.l2;
        variable.assign((sum.clamp(-self.l1, self.l1)? - sum) / quadratic)?;
        accumulator.assign(new)
    }
}

rule! {
    /// Steps of the sign of a mean of gradients.
    Lion (0.001) {
        /// Sets the share of the mean in a step.
        beta_1: f32 = 0.9,
        /// Sets the share of the old mean.
        beta_2: f32 = 0.99,
    }
}

impl Rule for Lion {
    fn learning_rate(&self) -> f32 {
        self.learning_rate
    }

    fn slots(&self) -> &'static [(&'static str, f32)] {
        &[("momentum", 0.0)]
    }

    fn apply(&self, step: &Step, variable: &Variable, slots: &[Variable], gradient: &Value) -> Result<()> {
        let [momentum] = slots else { return Ok(()) };
        let mean = momentum.read()?;
        let direction = (&mean * self.beta_1 + gradient * (1.0 - self.beta_1)).sign()?;
        variable.assign_sub(&step.rate * direction)?;
        momentum.assign(mean * self.beta_2 + gradient * (1.0 - self.beta_2))
    }
}
