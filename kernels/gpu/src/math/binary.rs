//! Arithmetic of two tensors, whose shapes broadcast.
//!
//! Integers wrap around. A divisor of zero gives zero: no element of a device can be an error.

use oplink::prelude::*;
use oplink_ops::math::{
    Add, AddV2, Atan2, Div, DivNoNan, FloorDiv, FloorMod, Maximum, Minimum, Mod, Mul, MulNoNan, Pow, RealDiv,
    SquaredDifference, Sub, TruncateDiv, TruncateMod, Xdivy, Xlog1py, Xlogy,
};

/// `x + y`.
#[kernel(Add, device = GPU, T = [floats, u8, i8, i16, i64])]
#[kernel(AddV2, device = GPU, T = [floats, u8, u16, u32, u64, i8, i16, i64])]
fn sum<T: Number>(x: T, y: T) -> T {
    x + y
}

/// `x - y`.
#[kernel(Sub, device = GPU, T = [floats, u8, u16, u32, u64, i8, i16, i64])]
fn difference<T: Number>(x: T, y: T) -> T {
    x - y
}

/// `x * y`.
#[kernel(Mul, device = GPU, T = [floats, u8, u16, u32, u64, i8, i16, i64])]
fn product<T: Number>(x: T, y: T) -> T {
    x * y
}

/// `x / y`.
#[kernel(Div, device = GPU, T = [floats])]
#[kernel(RealDiv, device = GPU, T = [floats])]
fn quotient<T: Float>(x: T, y: T) -> T {
    x / y
}

/// `x / y` towards zero.
#[kernel(Div, device = GPU, T = [u8, u16, u32, u64, i8, i16, i64])]
#[kernel(TruncateDiv, device = GPU, T = [u8, u16, u32, u64, i8, i16, i64])]
fn whole_quotient<T: Integer>(x: T, y: T) -> T {
    if y == T::zero() { T::zero() } else { x / y }
}

/// `x / y` towards zero: by `floor` and `ceil`, because `trunc` of doubles leaves them as they are on some drivers of Vulkan.
#[kernel(TruncateDiv, device = GPU, T = [floats])]
fn truncated_quotient<T: Float>(x: T, y: T) -> T {
    let quotient = x / y;
    if quotient < T::zero() { quotient.ceil() } else { quotient.floor() }
}

/// `x / y` towards negative infinity.
#[kernel(FloorDiv, device = GPU, T = [floats])]
fn floor_quotient<T: Float>(x: T, y: T) -> T {
    (x / y).floor()
}

/// `x / y` towards negative infinity.
#[kernel(FloorDiv, device = GPU, T = [u8, u16, u32, u64, i8, i16, i64])]
fn floor_quotient_of_integers<T: Integer>(x: T, y: T) -> T {
    if y == T::zero() {
        return T::zero();
    }
    let quotient = x / y;
    if quotient * y != x && (x < T::zero()) != (y < T::zero()) { quotient - T::one() } else { quotient }
}

/// The remainder with the sign of `x`.
#[kernel(Mod, device = GPU, T = [f32, f64])]
#[kernel(TruncateMod, device = GPU, T = [f32, f64])]
fn remainder<T: Float>(x: T, y: T) -> T {
    x % y
}

/// The remainder with the sign of `x`.
#[kernel(Mod, device = GPU, T = [i64])]
#[kernel(TruncateMod, device = GPU, T = [i64])]
fn remainder_of_integers<T: Integer>(x: T, y: T) -> T {
    if y == T::zero() { T::zero() } else { x - x / y * y }
}

/// The remainder with the sign of `y`.
#[kernel(FloorMod, device = GPU, T = [floats])]
fn floor_remainder<T: Float>(x: T, y: T) -> T {
    let rest = x % y;
    if rest != T::zero() && (rest < T::zero()) != (y < T::zero()) { rest + y } else { rest }
}

/// The remainder with the sign of `y`.
#[kernel(FloorMod, device = GPU, T = [u8, u16, u32, u64, i8, i16, i64])]
fn floor_remainder_of_integers<T: Integer>(x: T, y: T) -> T {
    if y == T::zero() {
        return T::zero();
    }
    let rest = x - x / y * y;
    if rest != T::zero() && (rest < T::zero()) != (y < T::zero()) { rest + y } else { rest }
}

/// The larger one; NaN where either is.
#[kernel(Maximum, device = GPU, T = [floats, u8, u16, u32, u64, i8, i16, i64])]
fn larger<T: Real>(x: T, y: T) -> T {
    if x > y || x.is_nan_value() { x } else { y }
}

/// The smaller one; NaN where either is.
#[kernel(Minimum, device = GPU, T = [floats, u8, u16, u32, u64, i8, i16, i64])]
fn smaller<T: Real>(x: T, y: T) -> T {
    if x < y || x.is_nan_value() { x } else { y }
}

/// `(x - y)^2`.
#[kernel(SquaredDifference, device = GPU, T = [floats, i64])]
fn squared_difference<T: Number>(x: T, y: T) -> T {
    (x - y) * (x - y)
}

/// `x / y`, and 0 where `y` is 0.
#[kernel(DivNoNan, device = GPU, T = [floats])]
fn quotient_or_zero<T: Float>(x: T, y: T) -> T {
    if y == T::zero() { T::zero() } else { x / y }
}

/// `x * y`, and 0 where `y` is 0, whatever `x` is.
#[kernel(MulNoNan, device = GPU, T = [floats])]
fn product_or_zero<T: Float>(x: T, y: T) -> T {
    if y == T::zero() { T::zero() } else { x * y }
}

/// `x^y`.
#[kernel(Pow, device = GPU, T = [floats])]
fn power<T: Float>(x: T, y: T) -> T {
    x.powf(y)
}

/// `x^y` by squaring; of negative `y` the whole part of the quotient.
#[kernel(Pow, device = GPU, T = [i8, i16, i64])]
fn power_of_integers<T: Integer>(x: T, y: T) -> T {
    let two = T::one() + T::one();
    let is_odd = y - y / two * two != T::zero();
    let minus_one = T::zero() - T::one();
    if y < T::zero() {
        let sign = if is_odd { minus_one } else { T::one() };
        return if x == T::one() {
            T::one()
        } else if x == minus_one {
            sign
        } else {
            T::zero()
        };
    }
    let mut result = T::one();
    let mut base = x;
    let mut rest = y;
    while rest > T::zero() {
        let half = rest / two;
        if rest != half * two {
            result = result * base;
        }
        base = base * base;
        rest = half;
    }
    result
}

/// The angle of the point `(x, y)`.
#[kernel(Atan2, device = GPU, T = [floats])]
fn angle<T: Float>(y: T, x: T) -> T {
    y.atan2(x)
}

/// `x / y`, and 0 where `x` is 0.
#[kernel(Xdivy, device = GPU, T = [floats])]
fn zero_or_quotient<T: Float>(x: T, y: T) -> T {
    if x == T::zero() { x } else { x / y }
}

/// `x * log(y)`, and 0 where `x` is 0.
#[kernel(Xlogy, device = GPU, T = [floats])]
fn zero_or_logarithm<T: Float>(x: T, y: T) -> T {
    if x == T::zero() { x } else { x * y.ln() }
}

/// `x * log(1 + y)`, and 0 where `x` is 0.
#[kernel(Xlog1py, device = GPU, T = [floats])]
fn zero_or_logarithm_of_one_more<T: Float>(x: T, y: T) -> T {
    if x == T::zero() { x } else { x * y.ln_1p() }
}
