//! Sums, products, extrema and scans along axes.
//!
//! `layout`, `engine`, `reduced` and `kept` serve the ops that make one value of all elements over axes, `axis` serves
//! the ops along one axis, `segments` those over rows by segment.
#![deny(unsafe_code)]
#![allow(clippy::inline_always, reason = "a loop is vectorised for an instruction set only with its body inlined")]
#![allow(clippy::return_self_not_must_use, reason = "arithmetic that nobody calls for an effect")]
#![cfg_attr(test, allow(clippy::approx_constant, reason = "tables hold what TensorFlow printed"))]

mod arg_extremum;
pub mod arg_max_min;
mod axis;
pub mod cumulative;
mod engine;
pub mod euclidean_norm;
pub mod extrema;
mod kept;
mod layout;
pub mod logical_reduce;
pub mod mean;
mod reduced;
mod scan;
pub mod segments;
mod strands;
pub mod sums;
pub mod top_k;

pub use arg_max_min::*;
pub use cumulative::*;
pub use euclidean_norm::*;
pub use extrema::*;
pub use logical_reduce::*;
pub use mean::*;
pub use segments::*;
pub use sums::*;
pub use top_k::*;

oplink::anchor!(ops = 0, kernels = 37);
