//! The engine of elementwise ops: dtypes, broadcasting, reuse of input memory, threads.
//!
//! An op gives the function of one element; [`unary`], [`binary`] and their `_into` forms (other output dtype) do the
//! rest. The engine is compiled once for each dtype, only the innermost loops once for each op.

mod arithmetic;
mod binary;
mod broadcast;
mod choose;
mod divide;
mod float;
mod in_place;
mod lanes;
mod operand;
mod strings;
mod unary;
mod walk;

pub use arithmetic::{Arithmetic, Bits, Negate, Ordered, RoundEven, Signed};
pub use binary::{
    Pair, PairLoop, binary, binary_function, binary_into, binary_loops, binary_loops_into, pair_loop, same_size_binary,
};
pub use broadcast::Broadcast;
pub use choose::choose;
pub use divide::{Divide, check_divisors};
pub use float::{ComplexLane, FloatLane};
pub use in_place::combine;
pub use lanes::Lanes;
pub use strings::binary_cloned;
pub use unary::{UnaryLoop, map_tensor, unary, unary_function, unary_into, unary_loops, unary_loops_into};

/// Elements that one thread should at least have of a cheap function.
pub const GRAIN: usize = 32 * 1024;
/// Elements that one thread should at least have of a function of some ten operations or more.
pub const COSTLY_GRAIN: usize = 8 * 1024;
/// Elements of the buffers on the stack through which values are widened or read before they are overwritten.
pub const BLOCK: usize = 512;
