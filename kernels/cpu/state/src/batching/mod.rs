//! Calls that wait for each other: `Batch`, `BatchFunction`, `Unbatch` and `UnbatchGrad`.
//!
//! `call` is a call that is in a batch, or in several, and `options` what a node says of batches. `scheduler` forms
//! batches and runs them on threads of its own. `batch` and `function` are what is done with one; `unbatch` hands the
//! parts to their calls, and `unbatch_grad` brings the gradients of the parts together.

mod batch;
mod call;
mod function;
mod options;
mod scheduler;
mod unbatch;
mod unbatch_grad;

#[cfg(test)]
mod tests;

pub use batch::batch_cpu;
pub use function::batch_function_cpu;
pub use unbatch::unbatch_cpu;
pub use unbatch_grad::unbatch_grad_cpu;
