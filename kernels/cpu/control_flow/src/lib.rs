//! Calls of functions, conditions and loops: as ops that call functions, and as ops that steer the dataflow.
//!
//! The ops that call functions have kernels here, which reach the bodies through the step. The dataflow executor runs
//! the others itself.
#![deny(unsafe_code)]
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]
#![allow(clippy::return_self_not_must_use, reason = "arithmetic that nobody calls for an effect")]
#![cfg_attr(test, allow(clippy::approx_constant, reason = "tables hold what TensorFlow printed"))]

mod call;
pub mod calls;
pub mod conditions;
pub mod loops;

pub use calls::*;
pub use conditions::*;
pub use loops::*;

oplink::anchor!(ops = 0, kernels = 15);
