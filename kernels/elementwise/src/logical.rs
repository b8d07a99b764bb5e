//! Logic of bools.

use oplink::prelude::*;
use oplink_ops::math::{LogicalAnd, LogicalNot, LogicalOr};

/// `x && y`.
#[kernel(LogicalAnd, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar)]
pub fn both(x: bool, y: bool) -> bool {
    x & y
}

/// `x || y`.
#[kernel(LogicalOr, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar)]
pub fn either(x: bool, y: bool) -> bool {
    x | y
}

/// `!x`.
#[kernel(LogicalNot, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar)]
pub fn negated(x: bool) -> bool {
    !x
}
