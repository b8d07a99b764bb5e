//! Normalisations: means taken away, and deviations divided by; in f32, whatever the policy.

use oplink_api::{DType, Error, Result};
use oplink_ops::{_FusedLayerNorm, _FusedLayerNormGrad};

use super::{Layer, Mode, initialized};
use crate::initializers::Initializer;
use crate::module::module;
use crate::precision::{in_compute_dtype, widened};
use crate::run::{call_with, has_kernel};
use crate::trace::is_for_export;
use crate::value::Value;
use crate::variable::Variable;

/// What `normalize` gives of the input in f32, in the dtype that the policy computes in. Other dtypes stay.
fn in_float32(x: &Value, normalize: impl FnOnce(&Value) -> Result<Value>) -> Result<Value> {
    let x = in_compute_dtype(x)?;
    normalize(&widened(&x)?)?.cast(x.dtype()?)
}

/// A trainable variable in f32, rounded as the policy says.
fn wide(variable: &Variable) -> Result<Value> {
    widened(&variable.read()?)
}

/// The mean and the variance along axes, with extent 1 in place of each.
fn moments(x: &Value, axes: &[i64]) -> Result<[Value; 2]> {
    let mean = x.mean_kept(axes)?;
    let variance = x.squared_difference(&mean)?.mean_kept(axes)?;
    Ok([mean, variance])
}

/// `(x - mean) / sqrt(variance + epsilon) · gamma + beta`.
fn normalized(x: &Value, [mean, variance]: &[Value; 2], epsilon: f32, gamma: &Value, beta: &Value) -> Result<Value> {
    let scale = (variance + epsilon).rsqrt()? * gamma;
    (x * &scale + (beta - mean * &scale)).ok()
}

/// Rows of the last axis normalised in one op: by mean and variance with a `beta`, without by the mean of the squares.
/// `None` where the device has none, or the model is written: TensorFlow does not know the op.
fn rows_normalized(x: &Value, epsilon: f32, gamma: &Value, beta: Option<&Value>) -> Result<Option<Value>> {
    if x.dtype()? != DType::Float || is_for_export() || !has_kernel::<_FusedLayerNormGrad>()? {
        return Ok(None);
    }
    let attrs = vec![("epsilon", epsilon.into()), ("centered", beta.is_some().into())];
    let beta = beta.map_or_else(|| Value::zeros(DType::Float, gamma.shape()?), |beta| Ok(beta.clone()))?;
    call_with::<_FusedLayerNorm>([x.clone(), gamma.clone(), beta], attrs).map(Some)
}

/// Each channel (the last axis) normalised over the batch. In training by the batch's own mean and variance, which go
/// into running ones; else by these.
#[derive(Debug)]
pub struct BatchNormalization {
    /// `[channels]`.
    pub gamma: Variable,
    /// `[channels]`.
    pub beta: Variable,
    /// `[channels]`.
    pub moving_mean: Variable,
    /// `[channels]`.
    pub moving_variance: Variable,
    momentum: f32,
    epsilon: f32,
}

module!(BatchNormalization { gamma, beta, moving_mean, moving_variance });

impl BatchNormalization {
    /// A layer of so many channels; momentum 0.99, epsilon 0.001.
    ///
    /// # Errors
    /// Memory runs out; a function is being traced.
    pub fn new(channels: usize) -> Result<Self> {
        Ok(Self {
            gamma: initialized("gamma", &[channels], Initializer::Ones)?,
            beta: initialized("beta", &[channels], Initializer::Zeros)?,
            moving_mean: Variable::untrained("moving_mean", Value::zeros(DType::Float, [channels])?)?,
            moving_variance: Variable::untrained("moving_variance", Value::full([channels], 1.0f32)?)?,
            momentum: 0.99,
            epsilon: 0.001,
        })
    }

    /// The same with another share of the old mean in the running one.
    #[must_use]
    pub fn momentum(self, momentum: f32) -> Self {
        Self { momentum, ..self }
    }

    /// The same with another number added to variances.
    #[must_use]
    pub fn epsilon(self, epsilon: f32) -> Self {
        Self { epsilon, ..self }
    }

    fn update(&self, variable: &Variable, batch: &Value) -> Result<()> {
        let batch = batch.stop_gradient()?.reshape(variable.shape())?;
        variable.assign(variable.read()? * self.momentum + batch * (1.0 - self.momentum))
    }
}

impl Layer for BatchNormalization {
    fn forward(&self, x: &Value, mode: Mode) -> Result<Value> {
        in_float32(x, |x| {
            let moments = match mode {
                Mode::Infer => [self.moving_mean.read()?, self.moving_variance.read()?],
                Mode::Train => {
                    let axes: Vec<i64> = (0..x.rank()?.saturating_sub(1) as i64).collect();
                    let moments = moments(x, &axes)?;
                    self.update(&self.moving_mean, &moments[0])?;
                    self.update(&self.moving_variance, &moments[1])?;
                    moments
                }
            };
            normalized(x, &moments, self.epsilon, &wide(&self.gamma)?, &wide(&self.beta)?)
        })
    }
}

/// Each element of the batch normalised along the last axis.
#[derive(Debug)]
pub struct LayerNormalization {
    /// `[features]`.
    pub gamma: Variable,
    /// `[features]`.
    pub beta: Variable,
    epsilon: f32,
}

module!(LayerNormalization { gamma, beta });

impl LayerNormalization {
    /// A layer of so many features; epsilon 0.001.
    ///
    /// # Errors
    /// Memory runs out; a function is being traced.
    pub fn new(features: usize) -> Result<Self> {
        let gamma = initialized("gamma", &[features], Initializer::Ones)?;
        Ok(Self { gamma, beta: initialized("beta", &[features], Initializer::Zeros)?, epsilon: 0.001 })
    }

    /// The same with another number added to variances.
    #[must_use]
    pub fn epsilon(self, epsilon: f32) -> Self {
        Self { epsilon, ..self }
    }
}

impl Layer for LayerNormalization {
    fn forward(&self, x: &Value, _: Mode) -> Result<Value> {
        in_float32(x, |x| {
            let (gamma, beta) = (wide(&self.gamma)?, wide(&self.beta)?);
            if let Some(y) = rows_normalized(x, self.epsilon, &gamma, Some(&beta))? {
                return Ok(y);
            }
            normalized(x, &moments(x, &[-1])?, self.epsilon, &gamma, &beta)
        })
    }
}

/// Each element of the batch normalised over groups of channels.
#[derive(Debug)]
pub struct GroupNormalization {
    /// `[channels]`.
    pub gamma: Variable,
    /// `[channels]`.
    pub beta: Variable,
    groups: usize,
    epsilon: f32,
}

module!(GroupNormalization { gamma, beta });

impl GroupNormalization {
    /// A layer of so many channels in so many groups; epsilon 0.001.
    ///
    /// # Errors
    /// The groups do not divide the channels; memory runs out; a function is being traced.
    pub fn new(channels: usize, groups: usize) -> Result<Self> {
        if groups == 0 || !channels.is_multiple_of(groups) {
            return Err(Error::invalid_argument(format!("{channels} channels cannot be {groups} groups")));
        }
        let gamma = initialized("gamma", &[channels], Initializer::Ones)?;
        Ok(Self { gamma, beta: initialized("beta", &[channels], Initializer::Zeros)?, groups, epsilon: 0.001 })
    }
}

impl Layer for GroupNormalization {
    fn forward(&self, x: &Value, _: Mode) -> Result<Value> {
        let shape = x.shape()?;
        let (channels, groups) = (self.gamma.shape().num_elements(), self.groups);
        let mut grouped = shape.dims().to_vec();
        grouped.pop();
        grouped.extend([groups, channels / groups]);
        let rank = grouped.len();
        let axes: Vec<i64> = (1..rank as i64).filter(|&axis| axis != rank as i64 - 2).collect();
        in_float32(x, |x| {
            let parted = x.reshape(grouped)?;
            let moments = moments(&parted, &axes)?;
            let of_groups = |variable: &Variable| wide(variable)?.reshape([groups, channels / groups]);
            let y = normalized(&parted, &moments, self.epsilon, &of_groups(&self.gamma)?, &of_groups(&self.beta)?)?;
            y.reshape(&shape)
        })
    }
}

/// Each element of the batch divided by the root of its mean square along the last axis.
#[derive(Debug)]
pub struct RmsNormalization {
    /// `[features]`.
    pub scale: Variable,
    epsilon: f32,
}

module!(RmsNormalization { scale });

impl RmsNormalization {
    /// A layer of so many features; epsilon 1e-6.
    ///
    /// # Errors
    /// Memory runs out; a function is being traced.
    pub fn new(features: usize) -> Result<Self> {
        Ok(Self { scale: initialized("scale", &[features], Initializer::Ones)?, epsilon: 1e-6 })
    }
}

impl Layer for RmsNormalization {
    fn forward(&self, x: &Value, _: Mode) -> Result<Value> {
        in_float32(x, |x| {
            let gamma = wide(&self.scale)?;
            if let Some(y) = rows_normalized(x, self.epsilon, &gamma, None)? {
                return Ok(y);
            }
            let scale = (x.square()?.mean_kept(-1)? + self.epsilon).rsqrt()?;
            (x * scale * gamma).ok()
        })
    }
}
