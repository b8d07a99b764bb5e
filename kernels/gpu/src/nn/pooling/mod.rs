//! Pooling over images, and its gradients.

pub mod avg_pool;
mod layout;
pub mod max_pool;
mod max_pool_grad;

pub use max_pool_grad::*;
