//! Layers: modules that compute a value of a value. Names, defaults and numbers are those of Keras 3's layers.
//!
//! A layer is made with the extents of its inputs, so that its variables are there at once. Images are
//! `[batch, rows, columns, channels]`, sequences `[batch, steps, features]`.

mod attention;
mod composition;
mod convolution;
mod dense;
mod embedding;
mod normalization;
mod pooling;
mod recurrent;
mod regularization;

use oplink_api::Result;

pub use attention::MultiHeadAttention;
pub use composition::{Lambda, Residual, Sequential};
pub use convolution::{Conv2D, Conv2DTranspose, ConvOptions, DepthwiseConv2D};
pub use dense::Dense;
pub use embedding::Embedding;
pub use normalization::{BatchNormalization, GroupNormalization, LayerNormalization, RmsNormalization};
pub use pooling::{AveragePooling2D, Flatten, GlobalAveragePooling2D, GlobalMaxPooling2D, MaxPooling2D};
pub use recurrent::{Bidirectional, Gru, Lstm, Recurrent};
pub use regularization::Dropout;

use crate::activations::Activation;
use crate::initializers::{Initializer, next_seed};
use crate::module::Module;
use crate::precision::in_compute_dtype;
use crate::value::Value;
use crate::variable::Variable;

/// What a model computes for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Training: dropout drops, batch normalisation uses the batch's own mean and updates the running one.
    Train,
    /// Evaluation and serving.
    Infer,
}

/// A module that computes a value of a value. Layers of this crate do it as the policy of [`autocast`] says.
///
/// [`autocast`]: crate::precision::autocast
pub trait Layer: Module {
    /// The layer's output.
    ///
    /// # Errors
    /// The input does not fit the layer.
    fn forward(&self, x: &Value, mode: Mode) -> Result<Value>;
}

impl<L: Layer + ?Sized> Layer for &L {
    fn forward(&self, x: &Value, mode: Mode) -> Result<Value> {
        (**self).forward(x, mode)
    }
}

impl<L: Layer + ?Sized> Layer for Box<L> {
    fn forward(&self, x: &Value, mode: Mode) -> Result<Value> {
        (**self).forward(x, mode)
    }
}

impl Layer for Activation {
    fn forward(&self, x: &Value, _: Mode) -> Result<Value> {
        self.apply(&in_compute_dtype(x)?)
    }
}

/// A kernel by Glorot's uniform initializer, with a seed of its own.
pub(crate) fn kernel(name: &str, shape: &[usize]) -> Result<Variable> {
    initialized(name, shape, Initializer::GlorotUniform)
}

pub(crate) fn initialized(name: &str, shape: &[usize], initializer: Initializer) -> Result<Variable> {
    Variable::new(name, initializer.value(shape, next_seed())?)
}

/// Puts a variable in the place of another one.
macro_rules! reinitialize {
    ($($(#[$doc:meta])* $method:ident $field:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// Memory runs out.
        pub fn $method(self, initializer: $crate::initializers::Initializer) -> oplink_api::Result<Self> {
            self.$field.assign(initializer.value(self.$field.shape(), $crate::initializers::next_seed())?)?;
            Ok(self)
        }
    )*};
}

pub(crate) use reinitialize;
