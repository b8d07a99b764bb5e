//! Connectionist temporal classification: the loss of a labelling, and labellings of sequences.

pub mod beam_search;
pub mod greedy;
pub mod loss;
mod paths;

pub use beam_search::*;
pub use greedy::*;
pub use loss::*;

/// Floats that probabilities are computed in.
pub trait Probability: oplink::element::Element + num_traits::Float + std::iter::Sum {}

impl Probability for f32 {}
impl Probability for f64 {}

/// The logarithm of the sum of two numbers, all three as logarithms.
fn log_sum_exp<T: Probability>(a: T, b: T) -> T {
    let (low, high) = if a > b { (b, a) } else { (a, b) };
    if high == T::neg_infinity() { high } else { high + (low - high).exp().ln_1p() }
}
