//! Stacks: tensors of which the last pushed is the first popped, within a step.

mod stack_close_v2;
mod stack_pop_v2;
mod stack_push_v2;
mod stack_v2;

pub use stack_close_v2::*;
pub use stack_pop_v2::*;
pub use stack_push_v2::*;
pub use stack_v2::*;
