//! Comparisons, whose shapes broadcast.

use oplink::prelude::*;
use oplink_ops::math::{ApproximateEqual, Equal, NotEqual};

/// `x == y`. Shapes that do not broadcast are an error, whatever `incompatible_shape_error` is.
#[kernel(Equal, device = GPU, T = [floats, bool, u8, u16, u32, u64, i8, i16, i64])]
fn is_equal<T: Element + Copy + PartialEq>(x: T, y: T) -> bool {
    x == y
}

/// `x != y`. Shapes that do not broadcast are an error, whatever `incompatible_shape_error` is.
#[kernel(NotEqual, device = GPU, T = [floats, bool, u8, u16, u32, u64, i8, i16, i64])]
fn is_not_equal<T: Element + Copy + PartialEq>(x: T, y: T) -> bool {
    x != y
}

/// Whether the difference is below `tolerance`.
#[kernel(ApproximateEqual, device = GPU, T = [floats])]
fn is_near<T: Float>(x: T, y: T, tolerance: f32) -> bool {
    (x - y).abs() < T::from_f32(tolerance)
}
