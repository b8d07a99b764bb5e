//! Numbers beside each other: the next one, and those within a tolerance.

use oplink::prelude::*;
use oplink_ops::math::{ApproximateEqual, NextAfter};

/// The next number of single precision from `x1` towards `x2`.
#[kernel(NextAfter, device = CPU, scalar, T = [f32])]
pub fn next_single(x1: f32, x2: f32) -> f32 {
    libm::nextafterf(x1, x2)
}

/// The next number of double precision from `x1` towards `x2`.
#[kernel(NextAfter, device = CPU, scalar, T = [f64])]
pub fn next_double(x1: f64, x2: f64) -> f64 {
    libm::nextafter(x1, x2)
}

/// Whether `|x - y|` is at most the tolerance.
#[kernel(ApproximateEqual, device = CPU, scalar = same_shape, T = [f32, f64])]
pub fn is_near<T: Float>(x: T, y: T, tolerance: f32) -> bool {
    (x - y).abs() <= T::from_f32(tolerance)
}
