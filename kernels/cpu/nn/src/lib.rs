//! Neural-network layers. Images are `NHWC`: batch, rows, columns, channels.
#![deny(unsafe_code)]
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]
#![allow(clippy::return_self_not_must_use, reason = "arithmetic that nobody calls for an effect")]
#![cfg_attr(test, allow(clippy::approx_constant, reason = "tables hold what TensorFlow printed"))]

pub mod attention;
pub mod batch_norm;
pub mod batch_norm_grad;
pub mod bias;
mod channels;
pub mod convolution;
pub mod cross_entropy;
pub mod ctc;
pub mod dilation;
pub mod global_normalization;
pub mod in_top_k;
pub mod isotonic_regression;
pub mod l2_loss;
pub mod layer_norm;
pub mod lrn;
pub mod nth_element;
pub mod numerics;
pub mod pooling;
pub mod quantization;
pub mod recurrent;
mod rows;
pub mod softmax;

pub use attention::*;
pub use global_normalization::*;
pub use in_top_k::*;
pub use isotonic_regression::*;
pub use l2_loss::*;
pub use layer_norm::*;
pub use lrn::*;
pub use nth_element::*;
pub use softmax::*;

oplink::link!(oplink_kernels_elementwise);
oplink::anchor!(ops = 0, kernels = 131);
