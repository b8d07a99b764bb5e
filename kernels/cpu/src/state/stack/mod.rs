//! Stacks: tensors of which the last pushed is the first popped, within a step.

mod tensors;

pub mod stack_close_v2;
pub mod stack_pop_v2;
pub mod stack_push_v2;
pub mod stack_v2;

pub use stack_close_v2::*;
pub use stack_pop_v2::*;
pub use stack_push_v2::*;
pub use stack_v2::*;
