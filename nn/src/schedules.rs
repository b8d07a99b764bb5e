//! Schedules: the learning rate of each step. Numbers are those of Keras 3.

use std::f64::consts::PI;

/// The learning rate of step `step`, counted from 0.
pub trait Schedule {
    /// The learning rate.
    fn at(&self, step: u64) -> f64;
}

impl<F: Fn(u64) -> f64> Schedule for F {
    fn at(&self, step: u64) -> f64 {
        self(step)
    }
}

/// `initial · rate^(step / steps)`.
#[derive(Clone, Copy, Debug)]
pub struct ExponentialDecay {
    /// The first learning rate.
    pub initial: f64,
    /// Steps after which the rate was applied once.
    pub steps: u64,
    /// The factor.
    pub rate: f64,
    /// Whether the rate changes only every `steps` steps.
    pub staircase: bool,
}

impl Schedule for ExponentialDecay {
    fn at(&self, step: u64) -> f64 {
        let passed = step as f64 / self.steps.max(1) as f64;
        self.initial * self.rate.powf(if self.staircase { passed.floor() } else { passed })
    }
}

/// From `initial` down to `alpha · initial` along half a cosine, after a linear rise from `warmup_from` to `initial` in
/// `warmup` steps.
#[derive(Clone, Copy, Debug)]
pub struct CosineDecay {
    /// The learning rate from which it goes down.
    pub initial: f64,
    /// Steps of the way down.
    pub steps: u64,
    /// What is left in the end, as a share of `initial`.
    pub alpha: f64,
    /// Steps of the rise before.
    pub warmup: u64,
    /// The learning rate of the first step of the rise.
    pub warmup_from: f64,
}

impl CosineDecay {
    /// Down to 0, without a rise.
    pub fn new(initial: f64, steps: u64) -> Self {
        Self { initial, steps, alpha: 0.0, warmup: 0, warmup_from: 0.0 }
    }

    /// The same after a linear rise from 0.
    #[must_use]
    pub fn warmup(self, steps: u64) -> Self {
        Self { warmup: steps, ..self }
    }
}

impl Schedule for CosineDecay {
    fn at(&self, step: u64) -> f64 {
        if step < self.warmup {
            return self.warmup_from + (self.initial - self.warmup_from) * step as f64 / self.warmup as f64;
        }
        let passed = ((step - self.warmup) as f64 / self.steps.max(1) as f64).min(1.0);
        let share = 0.5 * (1.0 + (PI * passed).cos());
        self.initial * ((1.0 - self.alpha) * share + self.alpha)
    }
}

/// From `initial` to `end` along a power of what is left.
#[derive(Clone, Copy, Debug)]
pub struct PolynomialDecay {
    /// The first learning rate.
    pub initial: f64,
    /// Steps of the way.
    pub steps: u64,
    /// The last learning rate.
    pub end: f64,
    /// The power; 1 is a line.
    pub power: f64,
}

impl Schedule for PolynomialDecay {
    fn at(&self, step: u64) -> f64 {
        let passed = step.min(self.steps) as f64 / self.steps.max(1) as f64;
        (self.initial - self.end) * (1.0 - passed).powf(self.power) + self.end
    }
}

/// `initial / (1 + rate · step / steps)`.
#[derive(Clone, Copy, Debug)]
pub struct InverseTimeDecay {
    /// The first learning rate.
    pub initial: f64,
    /// Steps after which `rate` was added once.
    pub steps: u64,
    /// What is added.
    pub rate: f64,
}

impl Schedule for InverseTimeDecay {
    fn at(&self, step: u64) -> f64 {
        self.initial / (1.0 + self.rate * step as f64 / self.steps.max(1) as f64)
    }
}

/// One learning rate until a step, another behind it: `values` has one more than `boundaries`.
#[derive(Clone, Debug)]
pub struct PiecewiseConstant {
    /// The last steps of each learning rate but the last.
    pub boundaries: Vec<u64>,
    /// The learning rates.
    pub values: Vec<f64>,
}

impl Schedule for PiecewiseConstant {
    fn at(&self, step: u64) -> f64 {
        let piece = self.boundaries.iter().take_while(|&&boundary| step > boundary).count();
        self.values.get(piece).or(self.values.last()).copied().unwrap_or(0.0)
    }
}
