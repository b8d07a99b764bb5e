//! Checks what an op is made of against each other: kernels, shape function, gradient, declaration.
//!
//! Calls are drawn from the op's declaration, and those that its kernel takes become samples; where an op takes what
//! cannot be drawn, [`OpCheck::sample`] gives them. Every [`Check`] looks at every sample; what it finds is a message
//! and a program that shows it.
//!
//! ```no_run
//! use oplink_opcheck::OpCheck;
//!
//! # fn main() -> oplink_api::Result<()> {
//! OpCheck::new("ScaleShift").run()?.assert();
//! # Ok(()) }
//! ```
//!
//! `call` is a call and how it is run, `values` the elements of its tensors, `draw` makes calls, `samples` keeps those
//! that serve, `checks` looks at them, `report` says what was found, `reproduce` writes the program; `record` keeps
//! them for other hosts of the same kernels.
#![warn(clippy::missing_errors_doc)]
#![forbid(unsafe_code)]

mod call;
mod checks;
mod draw;
mod op_check;
mod record;
mod report;
mod reproduce;
mod runner;
mod samples;
mod values;

pub use call::OpCall;
pub use checks::Check;
pub use op_check::OpCheck;
pub use record::Record;
pub use report::{Finding, Outcome, Report};
