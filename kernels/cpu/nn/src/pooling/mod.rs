//! Pooling over images and volumes, and its gradients.

pub mod argmax;
pub mod average;
pub mod fractional;
pub mod max;
mod max_backprop;
pub mod max_grad;
mod pool;
pub mod quantized;

pub use pool::PoolElement;
