//! The engine of elementwise ops: dtypes, broadcasting, reuse of input memory, threads.
//!
//! For ops of numbers whose elements or arguments are checked first; others are formulas (`oplink::elementwise`). An op
//! gives the function of one element; [`unary`], [`binary`] and [`binary_into`] (other output dtype) do the rest. The
//! engine is compiled once for each dtype, only the innermost loops once for each op.

mod arithmetic;
mod binary;
mod broadcast;
mod choose;
mod computed;
mod divide;
mod float;
mod in_place;
mod operand;
mod strings;
mod unary;
mod walk;

pub use arithmetic::{Arithmetic, Ordered, Signed};
pub use binary::{Pair, PairLoop, binary, binary_into};
pub use broadcast::Broadcast;
pub use choose::choose;
pub use computed::Computed;
pub use divide::{Divide, Quotient, check_divisors};
pub use float::ComputeFloat;
pub use in_place::combine;
pub use operand::store;
pub use strings::binary_cloned;
pub use unary::{UnaryLoop, unary};

/// Elements that one thread should at least have of a cheap function.
pub const GRAIN: usize = 32 * 1024;
/// Elements of the buffers on the stack through which values are widened or read before they are overwritten.
pub const BLOCK: usize = 512;
