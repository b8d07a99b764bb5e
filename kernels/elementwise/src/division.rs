//! Quotients of floats rounded to whole numbers. Those of 16-bit floats are rounded before, so that they are no
//! formulas.

use oplink::prelude::*;
use oplink_ops::math::{FloorDiv, TruncateDiv};

/// `x / y` rounded towards negative infinity.
#[kernel(FloorDiv, device = CPU, scalar, T = [f32, f64])]
pub fn floor_quotient<T: Float>(x: T, y: T) -> T {
    (x / y).floor()
}

/// `x / y` rounded towards zero.
#[kernel(TruncateDiv, device = CPU, scalar, T = [f32, f64])]
pub fn truncated_quotient<T: Float>(x: T, y: T) -> T {
    (x / y).trunc()
}
