//! Attention of several heads.

use oplink_api::{Error, Result};
use oplink_ops::Reshape;

use super::{Layer, Mode, initialized, kernel};
use crate::initializers::Initializer;
use crate::module::module;
use crate::precision::in_compute_dtype;
use crate::run::call;
use crate::value::Value;
use crate::variable::Variable;

/// A projection with its bias.
#[derive(Debug)]
struct Projection {
    kernel: Variable,
    bias: Variable,
}

module!(Projection { kernel, bias });

impl Projection {
    fn new(kernel_shape: &[usize], bias_shape: &[usize]) -> Result<Self> {
        let bias = initialized("bias", bias_shape, Initializer::Zeros)?;
        Ok(Self { kernel: kernel("kernel", kernel_shape)?, bias })
    }

    /// `[batch, steps, features]` as `[batch, heads, steps, size]`.
    fn heads(&self, x: &Value) -> Result<Value> {
        let [features, heads, size] = [0, 1, 2].map(|axis| self.kernel.shape().dims()[axis]);
        let kernel = self.kernel.read()?.reshape([features, heads * size])?;
        let projected = reshaped(&x.matmul(kernel)?, x, &[heads as i32, size as i32])?;
        (projected + &self.bias).ok()?.transpose([0, 2, 1, 3])
    }

    /// `[batch, heads, steps, size]` as `[batch, steps, features]`.
    fn features(&self, mixed: &Value) -> Result<Value> {
        let [heads, size, features] = [0, 1, 2].map(|axis| self.kernel.shape().dims()[axis]);
        let steps = mixed.transpose([0, 2, 1, 3])?;
        let kernel = self.kernel.read()?.reshape([heads * size, features])?;
        (reshaped(&steps, &steps, &[(heads * size) as i32])?.matmul(kernel)? + &self.bias).ok()
    }
}

/// Each step of a sequence as the mean of projected steps, weighted by how well keys fit the query; for several heads.
#[derive(Debug)]
pub struct MultiHeadAttention {
    query: Projection,
    key: Projection,
    value: Projection,
    output: Projection,
    key_size: usize,
    is_causal: bool,
}

module!(MultiHeadAttention { query, key, value, output });

impl MultiHeadAttention {
    /// A layer of so many heads for sequences of `features`. The variables are, in order, kernel and bias of the query,
    /// the key, the value (`[features, heads, size]`, `[heads, size]`) and the output (`[heads, size, features]`).
    ///
    /// # Errors
    /// An extent is 0; memory runs out; a function is being traced.
    pub fn new(features: usize, heads: usize, key_size: usize) -> Result<Self> {
        if features * heads * key_size == 0 {
            return Err(Error::invalid_argument("an attention has features, heads and a size of keys, none of them 0"));
        }
        let project = || Projection::new(&[features, heads, key_size], &[heads, key_size]);
        let output = Projection::new(&[heads, key_size, features], &[features])?;
        Ok(Self { query: project()?, key: project()?, value: project()?, output, key_size, is_causal: false })
    }

    /// The same, where no step attends to later ones.
    #[must_use]
    pub fn causal(self) -> Self {
        Self { is_causal: true, ..self }
    }

    /// Attends from each step of `query` to the steps of `key_and_value`.
    ///
    /// # Errors
    /// The inputs are no sequences of the layer's features.
    pub fn attend(&self, query: &Value, key_and_value: &Value) -> Result<Value> {
        let [query, key_and_value] = [in_compute_dtype(query)?, in_compute_dtype(key_and_value)?];
        let query = self.query.heads(&query)? * (1.0 / (self.key_size as f32).sqrt());
        let (key, value) = (self.key.heads(&key_and_value)?, self.value.heads(&key_and_value)?);
        let mut scores = query.ok()?.matmul(key.t()?)?;
        if self.is_causal {
            scores = masked(&scores)?;
        }
        self.output.features(&scores.softmax()?.matmul(value)?)
    }
}

/// The elements with batch and steps of `like`, and these extents behind.
fn reshaped(x: &Value, like: &Value, rest: &[i32]) -> Result<Value> {
    let shape = like.partial_shape()?;
    match (shape.dim(0), shape.dim(1)) {
        (None, None) => {
            let batch_and_steps = like.shape_value()?.slice(crate::s![..2])?;
            call::<Reshape>([x.clone(), Value::concat([batch_and_steps, Value::new(rest.to_vec())], 0)?])
        }
        (batch, steps) => {
            let known = [batch, steps].map(|extent| extent.map_or(-1, |extent| extent as i32));
            x.reshape([&known[..], rest].concat())
        }
    }
}

/// The scores, those of later steps as good as minus infinity.
fn masked(scores: &Value) -> Result<Value> {
    let shape = scores.partial_shape()?;
    let (Some(queries), Some(keys)) = (shape.dim(2), shape.dim(3)) else {
        return Err(Error::invalid_argument(
            "a causal attention needs sequences of which the number of steps is known",
        ));
    };
    let rows = Value::range(0i32, queries as i32, 1)?.expand_dims(1)?;
    let is_later = Value::range(0i32, keys as i32, 1)?.greater(rows)?;
    is_later.select(-1e9, scores)
}

impl Layer for MultiHeadAttention {
    fn forward(&self, x: &Value, _: Mode) -> Result<Value> {
        self.attend(x, x)
    }
}
