//! Pooling over images and volumes, and its gradients.

pub mod avg_pool;
pub mod max_pool;
mod pool;

pub use avg_pool::*;
pub use max_pool::*;
