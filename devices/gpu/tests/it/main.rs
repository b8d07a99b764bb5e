//! The GPU device by Vulkan. A GPU is needed: Mesa's lavapipe, a Vulkan driver in software, is one.

mod copies;
#[cfg(feature = "cuda")]
mod cuda;
mod launches;
mod support;
