//! What makes training harder, for models that generalise.

use oplink_api::{DType, Error, Result};
use oplink_ops::RandomUniform;

use super::{Layer, Mode};
use crate::initializers::next_seed;
use crate::module::module;
use crate::run::call_with;
use crate::value::Value;

/// In training, elements set to 0 at random, and the others scaled so that the mean stays.
#[derive(Clone, Copy, Debug)]
pub struct Dropout {
    rate: f32,
    seed: u32,
}

module!(Dropout {});

impl Dropout {
    /// A layer that drops this share of the elements.
    ///
    /// # Errors
    /// The rate is not in `0..1`.
    pub fn new(rate: f32) -> Result<Self> {
        if !(0.0..1.0).contains(&rate) {
            return Err(Error::invalid_argument(format!("a dropout of rate {rate} is none: give one in 0..1")));
        }
        Ok(Self { rate, seed: next_seed() })
    }
}

impl Layer for Dropout {
    fn forward(&self, x: &Value, mode: Mode) -> Result<Value> {
        if mode == Mode::Infer || self.rate == 0.0 {
            return x.clone().ok();
        }
        // The second seed keeps a first one of 0 from meaning none.
        let attrs = vec![("dtype", DType::Float.into()), ("seed", i64::from(self.seed).into()), ("seed2", 1i64.into())];
        let drawn = call_with::<RandomUniform>([x.shape_value()?], attrs)?;
        let kept = drawn.greater_equal(self.rate)?.cast(x.dtype()?)?;
        (x * kept / (1.0 - self.rate)).ok()
    }
}
