//! Pooling over images and volumes, and its gradients.

mod average;
pub mod avg_pool;
pub mod avg_pool3d;
pub mod avg_pool3d_grad;
pub mod avg_pool_grad;
mod max_backprop;
pub mod max_pool;
pub mod max_pool3d;
pub mod max_pool3d_grad;
pub mod max_pool3d_grad_grad;
pub mod max_pool_grad;
pub mod max_pool_grad_grad;
pub mod max_pool_grad_grad_v2;
pub mod max_pool_grad_v2;
pub mod max_pool_grad_with_argmax;
pub mod max_pool_v2;
pub mod max_pool_with_argmax;
mod max_window;
mod pool;

pub use avg_pool::*;
pub use avg_pool_grad::*;
pub use avg_pool3d::*;
pub use avg_pool3d_grad::*;
pub use max_pool::*;
pub use max_pool_grad::*;
pub use max_pool_grad_grad::*;
pub use max_pool_grad_grad_v2::*;
pub use max_pool_grad_v2::*;
pub use max_pool_grad_with_argmax::*;
pub use max_pool_v2::*;
pub use max_pool_with_argmax::*;
pub use max_pool3d::*;
pub use max_pool3d_grad::*;
pub use max_pool3d_grad_grad::*;
