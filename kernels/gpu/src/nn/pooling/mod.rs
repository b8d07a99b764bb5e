//! Pooling over images and volumes, and its gradients.

pub mod avg_pool;
mod layout;
pub mod max_pool;
pub mod max_pool3d;
mod max_pool_grad;

pub use max_pool_grad::*;
