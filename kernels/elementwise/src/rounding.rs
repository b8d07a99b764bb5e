//! Rounding to whole numbers, and what numbers are.

use oplink::prelude::*;
use oplink_ops::math::{Ceil, Floor, IsFinite, IsInf, IsNan, Rint, Round};

/// Towards negative infinity.
#[kernel(Floor, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn floor<T: Float>(x: T) -> T {
    x.floor()
}

/// Towards infinity.
#[kernel(Ceil, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn ceil<T: Float>(x: T) -> T {
    x.ceil()
}

/// To the nearest whole number, of two equally near ones to the even one.
#[kernel(Rint, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [f32, f64])]
#[kernel(Round, device = [CPU, #[cfg(feature = "gpu")] GPU(T = [floats])], scalar, T = [f16, bf16, f32, f64])]
pub fn rint<T: Float>(x: T) -> T {
    x.round_ties_even()
}

/// Integers are whole.
#[kernel(Round, device = [CPU, #[cfg(feature = "gpu")] GPU(T = [i64])], scalar, T = [i32, i64])]
pub fn whole<T: Integer>(x: T) -> T {
    x
}

/// Whether it is NaN.
#[kernel(IsNan, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn is_nan<T: Float>(x: T) -> bool {
    x.is_nan()
}

/// Whether it is an infinity.
#[kernel(IsInf, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn is_infinite<T: Float>(x: T) -> bool {
    x.is_infinite()
}

/// Whether it is neither NaN nor an infinity.
#[kernel(IsFinite, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn is_finite<T: Float>(x: T) -> bool {
    x.is_finite()
}
