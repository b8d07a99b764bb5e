//! Chains of elementwise ops computed in one pass.

mod feed;
mod functions;
pub mod fused_elementwise;
mod program;

pub use functions::FUSED_ELEMENTWISE_OPS;
pub use fused_elementwise::*;
