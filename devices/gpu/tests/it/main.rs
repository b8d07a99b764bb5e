//! The GPU device by Vulkan. A GPU is needed: Mesa's lavapipe, a Vulkan driver in software, is one.

mod copies;
mod launches;
mod support;
