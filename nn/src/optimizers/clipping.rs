//! Gradients kept within bounds.

use oplink_api::call::Arg;
use oplink_api::{DType, Result};
use oplink_ops::AddN;

use crate::run::call_args;
use crate::value::Value;

type Gradients = Vec<Option<Value>>;

fn each(gradients: &[Option<Value>], change: impl Fn(&Value) -> Result<Value>) -> Result<Gradients> {
    gradients.iter().map(|gradient| gradient.as_ref().map(&change).transpose()).collect()
}

/// Each element limited to `-bound..=bound`.
///
/// # Errors
/// A gradient carries an error.
pub fn clip_by_value(gradients: &[Option<Value>], bound: f32) -> Result<Gradients> {
    each(gradients, |gradient| gradient.clamp(-bound, bound))
}

/// Each gradient scaled down to a norm of at most `norm`.
///
/// # Errors
/// A gradient carries an error.
pub fn clip_by_norm(gradients: &[Option<Value>], norm: f32) -> Result<Gradients> {
    each(gradients, |gradient| (gradient * norm / gradient.norm(..)?.maximum(norm)?).ok())
}

/// All gradients scaled down together to a norm of at most `norm`.
///
/// # Errors
/// A gradient carries an error.
pub fn clip_by_global_norm(gradients: &[Option<Value>], norm: f32) -> Result<Gradients> {
    let scale = (f64::from(norm) / global_norm(gradients)?.maximum(norm)?).ok()?;
    each(gradients, |gradient| (gradient * &scale).ok())
}

/// The norm of all elements of all gradients.
///
/// # Errors
/// A gradient carries an error.
pub fn global_norm(gradients: &[Option<Value>]) -> Result<Value> {
    let squares = gradients.iter().flatten().map(|gradient| gradient.square()?.sum(..)).collect::<Result<Vec<_>>>()?;
    if squares.is_empty() {
        return Value::zeros(DType::Float, [0i64; 0]);
    }
    call_args::<AddN>([Arg::List(squares)], Vec::new())?.one(0)?.sqrt()
}
