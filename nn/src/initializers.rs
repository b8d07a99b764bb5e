//! First values of variables, the numbers that Keras 3 draws from the same seeds.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

use oplink_api::{DType, Error, Result};
use oplink_ops::{StatelessRandomNormal, StatelessRandomUniform, StatelessTruncatedNormal};

use crate::run::call;
use crate::value::{Extents, Value};

/// How the first value of a variable is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Initializer {
    /// Zeros.
    Zeros,
    /// Ones.
    Ones,
    /// Every element this number.
    Constant(f32),
    /// Numbers in `low..high`, each as likely.
    Uniform {
        /// The lower bound.
        low: f32,
        /// The upper bound.
        high: f32,
    },
    /// Normal numbers of mean 0.
    Normal {
        /// The standard deviation.
        deviation: f32,
    },
    /// Normal numbers of mean 0, those beyond two deviations drawn anew.
    TruncatedNormal {
        /// The standard deviation.
        deviation: f32,
    },
    /// Glorot's, uniform: for what is followed by a symmetric activation. The default of kernels.
    GlorotUniform,
    /// Glorot's, truncated normal.
    GlorotNormal,
    /// He's, uniform: for what is followed by a rectifier.
    HeUniform,
    /// He's, truncated normal.
    HeNormal,
    /// LeCun's, uniform.
    LecunUniform,
    /// LeCun's, truncated normal.
    LecunNormal,
}

/// The deviation of a normal number that lies within two deviations.
const TRUNCATED_DEVIATION: f64 = 0.879_625_661_034_239_78;

static NEXT_SEED: Mutex<Option<u32>> = Mutex::new(None);

/// Sets the seed from which variables without one of their own are drawn: the same seed gives the same model.
pub fn set_seed(seed: u32) {
    *NEXT_SEED.lock().unwrap_or_else(PoisonError::into_inner) = Some(seed);
}

/// A seed that was not given before; the first one of a process is random, unless [`set_seed`] set it.
pub(crate) fn next_seed() -> u32 {
    let mut next = NEXT_SEED.lock().unwrap_or_else(PoisonError::into_inner);
    let seed = next.unwrap_or_else(|| RandomState::new().hash_one(0u32) as u32);
    *next = Some(seed.wrapping_add(1));
    seed
}

impl Initializer {
    /// A value of f32 in this shape, drawn from a seed.
    ///
    /// # Errors
    /// An extent is negative; memory runs out.
    pub fn value(self, shape: impl Extents, seed: u32) -> Result<Value> {
        let shape = shape.extents()?;
        let [fan_in, fan_out] = fans(&shape);
        let mean = f64::midpoint(fan_in, fan_out);
        match self {
            Self::Zeros => Value::zeros(DType::Float, shape),
            Self::Ones => Value::full(shape, 1.0f32),
            Self::Constant(value) => Value::full(shape, value),
            Self::Uniform { low, high } => uniform(&shape, seed, low, high),
            Self::Normal { deviation } => (normal::<StatelessRandomNormal>(&shape, seed)? * deviation).ok(),
            Self::TruncatedNormal { deviation } => (normal::<StatelessTruncatedNormal>(&shape, seed)? * deviation).ok(),
            Self::GlorotUniform => scaled_uniform(&shape, seed, 1.0 / mean),
            Self::GlorotNormal => scaled_normal(&shape, seed, 1.0 / mean),
            Self::HeUniform => scaled_uniform(&shape, seed, 2.0 / fan_in),
            Self::HeNormal => scaled_normal(&shape, seed, 2.0 / fan_in),
            Self::LecunUniform => scaled_uniform(&shape, seed, 1.0 / fan_in),
            Self::LecunNormal => scaled_normal(&shape, seed, 1.0 / fan_in),
        }
    }
}

/// Inputs and outputs of one element of what a kernel of this shape computes, at least 1 each.
fn fans(shape: &[i64]) -> [f64; 2] {
    let fans = match shape {
        [] => [1.0, 1.0],
        [extent] => [*extent as f64; 2],
        [window @ .., inputs, outputs] => {
            let window = window.iter().map(|&extent| extent as f64).product::<f64>();
            [window * *inputs as f64, window * *outputs as f64]
        }
    };
    fans.map(|fan| fan.max(1.0))
}

fn scaled_uniform(shape: &[i64], seed: u32, scale: f64) -> Result<Value> {
    let limit = (3.0 * scale).sqrt() as f32;
    uniform(shape, seed, -limit, limit)
}

fn scaled_normal(shape: &[i64], seed: u32, scale: f64) -> Result<Value> {
    let deviation = scale.sqrt() / TRUNCATED_DEVIATION;
    (normal::<StatelessTruncatedNormal>(shape, seed)? * deviation as f32).ok()
}

fn uniform(shape: &[i64], seed: u32, low: f32, high: f32) -> Result<Value> {
    (normal::<StatelessRandomUniform>(shape, seed)? * (high - low) + low).ok()
}

/// Numbers that a stateless op draws.
fn normal<O: oplink_api::Op>(shape: &[i64], seed: u32) -> Result<Value> {
    if shape.iter().any(|&extent| extent < 0) {
        return Err(Error::invalid_argument(format!("a variable cannot have the shape {shape:?}")));
    }
    call::<O>([Value::new(shape.to_vec()), Value::new([seed as i32, 0])])
}
