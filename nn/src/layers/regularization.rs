//! What makes training harder, for models that generalise.

use oplink_api::{Error, Result};
use oplink_ops::StatelessRandomUniform;

use super::{Layer, Mode};
use crate::initializers::next_seed;
use crate::module::module;
use crate::precision::in_compute_dtype;
use crate::run::call;
use crate::value::Value;
use crate::variable::Variable;

/// In training, elements set to 0 at random, and the others scaled so that the mean stays. Its random state is a
/// variable, as in Keras: what is drawn follows from the seed and the number of the call.
#[derive(Clone, Debug)]
pub struct Dropout {
    rate: f32,
    seed_generator_state: Variable,
}

module!(Dropout { seed_generator_state });

impl Dropout {
    /// A layer that drops this share of the elements.
    ///
    /// # Errors
    /// The rate is not in `0..1`.
    pub fn new(rate: f32) -> Result<Self> {
        if !(0.0..1.0).contains(&rate) {
            return Err(Error::invalid_argument(format!("a dropout of rate {rate} is none: give one in 0..1")));
        }
        let state = Variable::untrained("seed_generator_state", [i64::from(next_seed()), 0])?;
        Ok(Self { rate, seed_generator_state: state })
    }
}

impl Layer for Dropout {
    fn forward(&self, x: &Value, mode: Mode) -> Result<Value> {
        if mode == Mode::Infer || self.rate == 0.0 {
            return in_compute_dtype(x);
        }
        let x = in_compute_dtype(x)?;
        let drawn = call::<StatelessRandomUniform>([x.shape_value()?, self.seed_generator_state.read()?])?;
        self.seed_generator_state.assign_add([0i64, 1])?;
        let kept = drawn.greater_equal(self.rate)?.cast(x.dtype()?)?;
        (x * kept / (1.0 - self.rate)).ok()
    }
}
