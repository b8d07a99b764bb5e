//! Bits moved to either side. A count outside of the bits counts as the nearest one inside.

use oplink::prelude::*;
use oplink_ops::math::{LeftShift, RightShift};

/// `x << y`.
#[kernel(LeftShift, device = CPU, scalar, T = [integers])]
pub fn shifted_left<T: Integer>(x: T, y: T) -> T {
    x << y.to_usize().unwrap_or(0)
}

/// `x >> y`, with copies of the sign where there is one.
#[kernel(RightShift, device = CPU, scalar, T = [integers])]
pub fn shifted_right<T: Integer>(x: T, y: T) -> T {
    x >> y.to_usize().unwrap_or(0)
}
