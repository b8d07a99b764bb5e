//! Logic of bools.

use oplink::prelude::*;
use oplink_ops::math::{LogicalAnd, LogicalNot, LogicalOr};

/// `x && y`.
#[kernel(LogicalAnd, device = GPU)]
fn both(x: bool, y: bool) -> bool {
    x && y
}

/// `x || y`.
#[kernel(LogicalOr, device = GPU)]
fn either(x: bool, y: bool) -> bool {
    x || y
}

/// `!x`.
#[kernel(LogicalNot, device = GPU)]
fn negated(x: bool) -> bool {
    !x
}
