//! Convolutions over images, and their gradients.

pub mod conv2d;
pub mod conv2d_backprop_filter;
pub mod conv2d_backprop_input;
pub mod depthwise;
mod depthwise_backprop;
mod filter_tiles;
pub mod fused_conv2d;
mod layout;
mod library;
mod pointwise;
mod tiles;

pub use depthwise_backprop::*;
pub(super) use layout::Strides;
