//! Comparisons, whose shapes broadcast.

use oplink::prelude::*;
use oplink_ops::math::{Greater, GreaterEqual, Less, LessEqual};

/// `x < y`.
#[kernel(Less, device = CPU, scalar, T = [reals])]
pub fn is_less<T: Real>(x: T, y: T) -> bool {
    x < y
}

/// `x <= y`.
#[kernel(LessEqual, device = CPU, scalar, T = [reals])]
pub fn is_less_or_equal<T: Real>(x: T, y: T) -> bool {
    x <= y
}

/// `x > y`.
#[kernel(Greater, device = CPU, scalar, T = [reals])]
pub fn is_greater<T: Real>(x: T, y: T) -> bool {
    x > y
}

/// `x >= y`.
#[kernel(GreaterEqual, device = CPU, scalar, T = [reals])]
pub fn is_greater_or_equal<T: Real>(x: T, y: T) -> bool {
    x >= y
}
