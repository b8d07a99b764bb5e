//! Sums, products, quotients, and what numbers are compared by. Integers wrap around.

use oplink::prelude::*;
use oplink_ops::math::{
    Abs, Add, AddV2, Div, DivNoNan, FloorMod, Inv, Maximum, Minimum, Mod, Mul, MulNoNan, Neg, RealDiv, Reciprocal,
    Sign, Square, SquaredDifference, Sub, TruncateMod, Xdivy,
};

/// `x + y`.
#[kernel(
    Add,
    device = [CPU, #[cfg(feature = "gpu")] GPU(T = [floats, u8, i8, i16, i64])],
    scalar,
    T = [f16, bf16, f32, f64, u8, i8, i16, i32, i64, complex]
)]
#[kernel(
    AddV2,
    device = [CPU, #[cfg(feature = "gpu")] GPU(T = [floats, u8, u16, u32, u64, i8, i16, i64])],
    scalar,
    T = [numbers]
)]
pub fn sum<T: Number>(x: T, y: T) -> T {
    x + y
}

/// `x - y`.
#[kernel(
    Sub,
    device = [CPU, #[cfg(feature = "gpu")] GPU(T = [floats, u8, u16, u32, u64, i8, i16, i64])],
    scalar,
    T = [numbers]
)]
pub fn difference<T: Number>(x: T, y: T) -> T {
    x - y
}

/// `x * y`.
#[kernel(
    Mul,
    device = [CPU, #[cfg(feature = "gpu")] GPU(T = [floats, u8, u16, u32, u64, i8, i16, i64])],
    scalar,
    T = [numbers]
)]
pub fn product<T: Number>(x: T, y: T) -> T {
    x * y
}

/// `x / y`.
#[kernel(Div, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
#[kernel(RealDiv, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn quotient<T: Float>(x: T, y: T) -> T {
    x / y
}

/// `x / y`, and 0 where `y` is 0.
#[kernel(DivNoNan, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn quotient_or_zero<T: Float>(x: T, y: T) -> T {
    if y == T::zero() { T::zero() } else { x / y }
}

/// `x * y`, and 0 where `y` is 0, whatever `x` is.
#[kernel(MulNoNan, device = [CPU, #[cfg(feature = "gpu")] GPU(T = [floats])], scalar, T = [floats, complex])]
pub fn product_or_zero<T: Number>(x: T, y: T) -> T {
    if y == T::zero() { T::zero() } else { x * y }
}

/// `x / y`, and 0 where `x` is 0.
#[kernel(Xdivy, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn zero_or_quotient<T: Float>(x: T, y: T) -> T {
    if x == T::zero() { x } else { x / y }
}

/// The remainder with the sign of `x`.
#[kernel(Mod, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [f32, f64])]
#[kernel(TruncateMod, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [f32, f64])]
pub fn remainder<T: Float>(x: T, y: T) -> T {
    x % y
}

/// The remainder with the sign of `y`.
#[kernel(FloorMod, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn floor_remainder<T: Float>(x: T, y: T) -> T {
    let rest = x % y;
    if (rest != T::zero()) & ((rest < T::zero()) != (y < T::zero())) { rest + y } else { rest }
}

/// The square of `x - y`.
#[kernel(
    SquaredDifference,
    device = [CPU, #[cfg(feature = "gpu")] GPU(T = [floats, i64])],
    scalar,
    T = [f16, bf16, f32, f64, i32, i64]
)]
pub fn squared_difference<T: Number>(x: T, y: T) -> T {
    let difference = x - y;
    difference * difference
}

/// The larger one; NaN where either is.
#[kernel(
    Maximum,
    device = [CPU, #[cfg(feature = "gpu")] GPU(T = [floats, u8, u16, u32, u64, i8, i16, i64])],
    scalar,
    T = [reals]
)]
pub fn larger<T: Real>(x: T, y: T) -> T {
    if (x > y) | x.is_nan_value() { x } else { y }
}

/// The smaller one; NaN where either is.
#[kernel(
    Minimum,
    device = [CPU, #[cfg(feature = "gpu")] GPU(T = [floats, u8, u16, u32, u64, i8, i16, i64])],
    scalar,
    T = [reals]
)]
pub fn smaller<T: Real>(x: T, y: T) -> T {
    if (x < y) | x.is_nan_value() { x } else { y }
}

/// `x^2`.
#[kernel(
    Square,
    device = [CPU, #[cfg(feature = "gpu")] GPU(T = [floats, u8, u16, u32, u64, i8, i16, i64])],
    scalar,
    T = [numbers]
)]
pub fn square<T: Number>(x: T) -> T {
    x * x
}

/// `1 / x`.
#[kernel(Reciprocal, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
#[kernel(Inv, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn reciprocal<T: Float>(x: T) -> T {
    T::one() / x
}

/// `-x`.
#[kernel(Neg, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn negative<T: Float>(x: T) -> T {
    -x
}

/// `-x`; of the smallest integer itself.
#[kernel(Neg, device = [CPU, #[cfg(feature = "gpu")] GPU(T = [i8, i16, i64])], scalar, T = [i8, i16, i32, i64])]
pub fn negative_of_integers<T: Integer>(x: T) -> T {
    T::zero() - x
}

/// `|x|`.
#[kernel(Abs, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn magnitude<T: Float>(x: T) -> T {
    x.abs()
}

/// `|x|`; of the smallest integer itself.
#[kernel(Abs, device = [CPU, #[cfg(feature = "gpu")] GPU(T = [i8, i16, i64])], scalar, T = [i8, i16, i32, i64])]
pub fn magnitude_of_integers<T: Integer>(x: T) -> T {
    if x < T::zero() { T::zero() - x } else { x }
}

/// -1, 0 or 1; NaN of NaN.
#[kernel(
    Sign,
    device = [CPU, #[cfg(feature = "gpu")] GPU(T = [floats, i8, i16, i64])],
    scalar,
    T = [floats, i8, i16, i32, i64]
)]
pub fn sign<T: Real>(x: T) -> T {
    let above = if x > T::zero() { T::one() } else { T::zero() };
    let sign = if x < T::zero() { T::zero() - T::one() } else { above };
    if x.is_nan_value() { x } else { sign }
}
