//! Convolutions over images and volumes, and their gradients.

pub mod conv2d;
pub mod depthwise_conv2d_native;
mod forward;
mod geometry;

pub use conv2d::*;
pub use depthwise_conv2d_native::*;
