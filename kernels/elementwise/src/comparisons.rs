//! Comparisons, whose shapes broadcast.

use oplink::prelude::*;
use oplink_ops::math::{Greater, GreaterEqual, Less, LessEqual};

/// `x < y`.
#[kernel(
    Less,
    device = [CPU, #[cfg(feature = "gpu")] GPU(T = [floats, u8, u16, u32, u64, i8, i16, i64])],
    scalar,
    T = [reals]
)]
pub fn is_less<T: Real>(x: T, y: T) -> bool {
    x < y
}

/// `x <= y`.
#[kernel(
    LessEqual,
    device = [CPU, #[cfg(feature = "gpu")] GPU(T = [floats, u8, u16, u32, u64, i8, i16, i64])],
    scalar,
    T = [reals]
)]
pub fn is_less_or_equal<T: Real>(x: T, y: T) -> bool {
    x <= y
}

/// `x > y`.
#[kernel(
    Greater,
    device = [CPU, #[cfg(feature = "gpu")] GPU(T = [floats, u8, u16, u32, u64, i8, i16, i64])],
    scalar,
    T = [reals]
)]
pub fn is_greater<T: Real>(x: T, y: T) -> bool {
    x > y
}

/// `x >= y`.
#[kernel(
    GreaterEqual,
    device = [CPU, #[cfg(feature = "gpu")] GPU(T = [floats, u8, u16, u32, u64, i8, i16, i64])],
    scalar,
    T = [reals]
)]
pub fn is_greater_or_equal<T: Real>(x: T, y: T) -> bool {
    x >= y
}
