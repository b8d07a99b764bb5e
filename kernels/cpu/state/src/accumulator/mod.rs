//! Conditional accumulators: sums of gradients that are current, which somebody takes when there are enough.

mod create;
mod resource;
mod run;
mod slices;
#[cfg(test)]
mod tests;

pub use create::*;
pub use resource::Accumulator;
pub use run::*;
