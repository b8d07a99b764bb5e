//! Layers made of layers.

use std::fmt;

use oplink_api::{Result, ResultExt};

use super::{Layer, Mode};
use crate::module::{Module, Visitor, module};
use crate::precision::in_compute_dtype;
use crate::value::Value;

/// Layers one after the other.
#[derive(Default)]
pub struct Sequential {
    layers: Vec<Box<dyn Layer>>,
}

impl Sequential {
    /// No layers yet: what goes in comes out.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with one more layer behind.
    #[must_use]
    pub fn then(mut self, layer: impl Layer + 'static) -> Self {
        self.layers.push(Box::new(layer));
        self
    }

    /// The layers.
    pub fn layers(&self) -> &[Box<dyn Layer>] {
        &self.layers
    }
}

module!(Sequential { layers });

impl Layer for Sequential {
    fn forward(&self, x: &Value, mode: Mode) -> Result<Value> {
        let mut value = x.clone();
        for (at, layer) in self.layers.iter().enumerate() {
            value = layer.forward(&value, mode).context_with(|| format!("layer {at} of a sequence"))?;
        }
        Ok(value)
    }
}

impl fmt::Debug for Sequential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sequential({} layers)", self.layers.len())
    }
}

/// A layer whose input is added to its output.
#[derive(Debug)]
pub struct Residual<L> {
    /// The layer.
    pub inner: L,
}

impl<L: Layer> Residual<L> {
    /// The layer with its input added.
    pub fn new(inner: L) -> Self {
        Self { inner }
    }
}

impl<L: Module> Module for Residual<L> {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        visitor.part("inner", &self.inner);
    }
}

impl<L: Layer> Layer for Residual<L> {
    fn forward(&self, x: &Value, mode: Mode) -> Result<Value> {
        (in_compute_dtype(x)? + self.inner.forward(x, mode)?).ok()
    }
}

/// A function without variables as a layer.
pub struct Lambda<F>(F);

impl<F: Fn(&Value) -> Result<Value>> Lambda<F> {
    /// The layer of a function.
    pub fn new(function: F) -> Self {
        Self(function)
    }
}

impl<F> Module for Lambda<F> {
    fn visit(&self, _: &mut Visitor<'_>) {}
}

impl<F: Fn(&Value) -> Result<Value>> Layer for Lambda<F> {
    fn forward(&self, x: &Value, _: Mode) -> Result<Value> {
        (self.0)(x)
    }
}

impl<F> fmt::Debug for Lambda<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lambda")
    }
}
