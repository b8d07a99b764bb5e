//! Gradients of elementwise functions, given the value and the gradient of the value.

mod inv_grad;
mod reciprocal_grad;
mod rsqrt_grad;
mod sqrt_grad;
