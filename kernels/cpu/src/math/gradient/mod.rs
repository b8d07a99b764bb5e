//! Gradients of elementwise functions, given the value and the gradient of the value.

mod inv_grad;
mod reciprocal_grad;
mod rsqrt_grad;
mod sigmoid_grad;
mod sqrt_grad;
mod tanh_grad;

pub use inv_grad::*;
pub use reciprocal_grad::*;
pub use rsqrt_grad::*;
pub use sigmoid_grad::*;
pub use sqrt_grad::*;
pub use tanh_grad::*;
