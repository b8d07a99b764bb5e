//! Layers where every output depends on every input.

use oplink_api::Result;
use oplink_ops::BiasAdd;

use super::{Layer, Mode, initialized, kernel, reinitialize};
use crate::activations::Activation;
use crate::initializers::Initializer;
use crate::module::module;
use crate::precision::in_compute_dtype;
use crate::run::call;
use crate::value::Value;
use crate::variable::Variable;

/// `activation(x · kernel + bias)` along the last axis.
#[derive(Debug)]
pub struct Dense {
    /// `[inputs, units]`.
    pub kernel: Variable,
    /// `[units]`.
    pub bias: Option<Variable>,
    activation: Activation,
}

module!(Dense { kernel, bias });

impl Dense {
    /// A layer without an activation, its kernel by Glorot's uniform initializer and its bias zeros.
    ///
    /// # Errors
    /// Memory runs out; a function is being traced.
    pub fn new(inputs: usize, units: usize) -> Result<Self> {
        let bias = initialized("bias", &[units], Initializer::Zeros)?;
        Ok(Self { kernel: kernel("kernel", &[inputs, units])?, bias: Some(bias), activation: Activation::Linear })
    }

    /// The same with an activation.
    #[must_use]
    pub fn activation(self, activation: Activation) -> Self {
        Self { activation, ..self }
    }

    /// The same without a bias.
    #[must_use]
    pub fn without_bias(self) -> Self {
        Self { bias: None, ..self }
    }

    reinitialize! {
        /// The same with another first kernel.
        kernel_initializer kernel;
    }
}

impl Layer for Dense {
    fn forward(&self, x: &Value, _: Mode) -> Result<Value> {
        let y = in_compute_dtype(x)?.matmul(&self.kernel)?;
        self.activation.apply(&biased(y, self.bias.as_ref())?)
    }
}

/// The bias added along the last axis.
pub(super) fn biased(y: Value, bias: Option<&Variable>) -> Result<Value> {
    match bias {
        Some(bias) => call::<BiasAdd>([y, bias.read()?]),
        None => Ok(y),
    }
}
