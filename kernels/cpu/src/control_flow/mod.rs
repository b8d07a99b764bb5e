//! Calls of functions, conditions and loops: as ops that call functions, and as ops that steer the dataflow.
//!
//! The ops that call functions have kernels here, which reach the bodies through the step. The dataflow executor runs the
//! others itself.

pub mod abort;
mod call;
pub mod case;
pub mod control_trigger;
pub mod enter;
pub mod exit;
pub mod fake_param;
pub mod for_loop;
pub mod if_else;
pub mod loop_cond;
pub mod merge;
pub mod next_iteration;
pub mod partitioned_call;
pub mod ref_enter;
pub mod ref_exit;
pub mod ref_merge;
pub mod ref_next_iteration;
pub mod ref_switch;
mod shapes;
pub mod stateful_partitioned_call;
pub mod stateless_case;
pub mod stateless_if;
pub mod stateless_while;
pub mod switch;
pub mod to_bool;
mod truth;
pub mod while_loop;

pub use abort::*;
pub use case::*;
pub use control_trigger::*;
pub use enter::*;
pub use exit::*;
pub use fake_param::*;
pub use for_loop::*;
pub use if_else::*;
pub use loop_cond::*;
pub use merge::*;
pub use next_iteration::*;
pub use partitioned_call::*;
pub use ref_enter::*;
pub use ref_exit::*;
pub use ref_merge::*;
pub use ref_next_iteration::*;
pub use ref_switch::*;
pub use stateful_partitioned_call::*;
pub use stateless_case::*;
pub use stateless_if::*;
pub use stateless_while::*;
pub use switch::*;
pub use to_bool::*;
pub use while_loop::*;
