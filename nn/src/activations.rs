//! Activations by name.

use oplink_api::Result;

use crate::module::module;
use crate::value::Value;

/// A function that layers apply to what they computed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Activation {
    /// None.
    #[default]
    Linear,
    /// The larger of 0 and x.
    Relu,
    /// x within 0..=6.
    Relu6,
    /// x, multiplied by a number where it is negative.
    LeakyRelu(f32),
    /// `exp(x) - 1` where x is negative.
    Elu,
    /// The scaled exponential linear unit.
    Selu,
    /// `x · Φ(x)`, by the error function.
    Gelu,
    /// The logistic function.
    Sigmoid,
    /// `x / 6 + 1/2` within 0..=1.
    HardSigmoid,
    /// `x · sigmoid(x)`.
    Silu,
    /// `x · tanh(softplus(x))`.
    Mish,
    /// The hyperbolic tangent.
    Tanh,
    /// Exponentials along the last axis, divided by their sum.
    Softmax,
    /// The logarithm of the softmax.
    LogSoftmax,
    /// `ln(1 + exp(x))`.
    Softplus,
    /// `x / (1 + |x|)`.
    Softsign,
    /// The exponential.
    Exponential,
}

module!(Activation {});

impl Activation {
    /// The activation of a value.
    ///
    /// # Errors
    /// As the op's.
    pub fn apply(self, x: &Value) -> Result<Value> {
        match self {
            Self::Linear => x.clone().ok(),
            Self::Relu => x.relu(),
            Self::Relu6 => x.relu6(),
            Self::LeakyRelu(alpha) => x.leaky_relu(alpha),
            Self::Elu => x.elu(),
            Self::Selu => x.selu(),
            Self::Gelu => (x * 0.5 * ((x * std::f32::consts::FRAC_1_SQRT_2).erf()? + 1.0)).ok(),
            Self::Sigmoid => x.sigmoid(),
            Self::HardSigmoid => (x / 6.0 + 0.5).clamp(0.0, 1.0),
            Self::Silu => (x * x.sigmoid()?).ok(),
            Self::Mish => (x * x.softplus()?.tanh()?).ok(),
            Self::Tanh => x.tanh(),
            Self::Softmax => x.softmax(),
            Self::LogSoftmax => x.log_softmax(),
            Self::Softplus => x.softplus(),
            Self::Softsign => x.softsign(),
            Self::Exponential => x.exp(),
        }
    }
}
