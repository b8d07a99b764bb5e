//! `LeftShift` and `RightShift`. A count outside of the bits counts as the nearest one inside.

use num_traits::AsPrimitive;
use oplink::prelude::*;
use oplink_ops::math::{LeftShift, RightShift};

/// A count of bits that there are.
#[device_fn]
fn bits<T: Integer + AsPrimitive<u32> + AsPrimitive<f32>>(y: T) -> u32 {
    // No constant: WGSL casts none of 64 bits.
    let most: f32 = ((y & T::zero()) | T::max_value()).as_();
    let mut last = 63_u32;
    if most < 5e9 {
        last = 31;
    }
    if most < 7e4 {
        last = 15;
    }
    if most < 300.0 {
        last = 7;
    }
    let low: u32 = y.as_();
    let mut count = low.min(last);
    if (y >> 6_usize) > T::zero() {
        count = last;
    }
    if y < T::zero() { 0 } else { count }
}

/// `x << y`.
#[kernel(LeftShift, device = GPU, scalar, T = [integers])]
fn shifted_left<T: Integer + AsPrimitive<u32> + AsPrimitive<f32>>(x: T, y: T) -> T {
    x << bits(y) as usize
}

/// `x >> y`, with copies of the sign where there is one.
#[kernel(RightShift, device = GPU, scalar, T = [integers])]
fn shifted_right<T: Integer + AsPrimitive<u32> + AsPrimitive<f32>>(x: T, y: T) -> T {
    x >> bits(y) as usize
}
