//! Convolutions over images and volumes, and their gradients.

mod backprop_direct;
mod backprop_filter;
mod backprop_input;
mod constant_filter;
pub mod conv;
pub mod conv_backprop;
mod depthwise;
mod depthwise_backprop;
pub mod depthwise_conv;
mod direct;
#[cfg(test)]
mod direct_tests;
mod forward;
pub mod fused;
pub mod general;
mod geometry;
mod halves;
pub mod image_transform;
mod lines;
mod patches;
pub(crate) mod quantized;
pub mod separable;
mod sizes;
mod windowed;
