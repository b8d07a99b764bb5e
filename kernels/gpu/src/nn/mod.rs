//! Layers of neural networks. Images are `NHWC` or `NCHW`; 16-bit floats are summed in f32.

pub mod activation;
pub mod activation_grad;
pub mod batch_norm;
pub mod batch_norm_grad;
pub mod bias_add;
mod channels;
pub mod convolution;
pub mod cross_entropy;
mod extents;
pub mod l2_loss;
mod parts;
pub mod pooling;
