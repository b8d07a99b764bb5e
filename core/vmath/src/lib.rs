//! Mathematical functions for kernels: single-precision functions that compilers vectorise, loops compiled for each
//! instruction set, and special functions in any precision.
//!
//! The crate knows nothing of tensors or ops. Errors are stated in units in the last place against the exact value.
#![deny(unsafe_code)]
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]
#![allow(clippy::return_self_not_must_use, reason = "arithmetic that nobody calls for an effect")]
#![cfg_attr(test, allow(clippy::approx_constant, reason = "tables hold exact digits"))]

mod double;
pub mod functions;
pub mod half;
pub mod loops;
mod number;
mod single;
pub mod special;
mod wrapped;

pub use double::Double;
pub use single::Single;
pub use wrapped::Wrapped;
