//! Neural-network layers. Images are `NHWC`: batch, rows, columns, channels.

pub mod avg_pool;
pub mod batch_norm;
pub mod bias_add;
pub mod conv2d;
pub mod depthwise_conv2d;
pub mod in_top_k;
pub mod l2_loss;
pub mod max_pool;
mod pool;
pub mod relu;
mod rows;
pub mod smooth;
pub mod softmax;
pub mod softmax_cross_entropy;
mod window;

pub use avg_pool::*;
pub use batch_norm::*;
pub use bias_add::*;
pub use conv2d::*;
pub use depthwise_conv2d::*;
pub use in_top_k::*;
pub use l2_loss::*;
pub use max_pool::*;
pub use relu::*;
pub use smooth::*;
pub use softmax::*;
pub use softmax_cross_entropy::*;
