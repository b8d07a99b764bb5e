//! Neural-network layers. Images are `NHWC`: batch, rows, columns, channels.

mod activation;
mod attention;
mod avg_pool;
mod batch_norm;
mod bias;
mod conv2d;
mod conv3d;
mod depthwise;
mod dilation;
mod l2_loss;
mod layer_norm;
mod lrn;
mod max_pool;
mod numerics;
mod quantization;
mod softmax;
mod top_k;
pub mod window;

pub use activation::*;
pub use attention::*;
pub use avg_pool::*;
pub use batch_norm::*;
pub use bias::*;
pub use conv2d::*;
pub use conv3d::*;
pub use depthwise::*;
pub use dilation::*;
pub use l2_loss::*;
pub use layer_norm::*;
pub use lrn::*;
pub use max_pool::*;
pub use numerics::*;
pub use quantization::*;
pub use softmax::*;
pub use top_k::*;
