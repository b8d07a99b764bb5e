//! Convolutions over images and volumes, and their gradients.

mod backprop_filter;
mod backprop_input;
pub mod conv2d;
pub mod conv2d_backprop_filter;
pub mod conv2d_backprop_input;
pub mod conv3d;
pub mod conv3d_backprop_filter_v2;
pub mod conv3d_backprop_input_v2;
mod depthwise;
mod depthwise_backprop;
pub mod depthwise_conv2d_native;
pub mod depthwise_conv2d_native_backprop_filter;
pub mod depthwise_conv2d_native_backprop_input;
mod forward;
pub mod fused_conv2d;
pub mod fused_depthwise_conv2d_native;
mod geometry;
mod lines;
mod patches;
mod sizes;

pub use conv2d::*;
pub use conv2d_backprop_filter::*;
pub use conv2d_backprop_input::*;
pub use conv3d::*;
pub use conv3d_backprop_filter_v2::*;
pub use conv3d_backprop_input_v2::*;
pub use depthwise_conv2d_native::*;
pub use depthwise_conv2d_native_backprop_filter::*;
pub use depthwise_conv2d_native_backprop_input::*;
pub use fused_conv2d::*;
pub use fused_depthwise_conv2d_native::*;
