//! Pooling over images and volumes, and its gradients.

pub mod avg_pool;
mod layout;
pub mod max_pool;
mod max_pool_grad;
mod programs;

pub use max_pool_grad::*;
