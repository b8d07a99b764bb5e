//! Layers of neural networks. Images are `NHWC` or `NCHW`; 16-bit floats are summed in f32.
#![allow(
    clippy::manual_is_multiple_of,
    clippy::manual_div_ceil,
    reason = "programs have the operators of GPU languages"
)]

pub mod batch_norm;
pub mod batch_norm_grad;
pub mod bias_add;
mod channels;
pub mod convolution;
pub mod cross_entropy;
mod extents;
pub mod fake_quant;
mod l2_loss;
mod parts;
pub mod pooling;
mod softmax;

pub use l2_loss::*;
pub use softmax::*;
