//! Quotients, remainders and powers of integers, and whole quotients; shapes broadcast.
//!
//! Integers wrap around. A divisor of zero gives zero: no element of a device can be an error.

use oplink::prelude::*;
use oplink_ops::math::{Div, FloorDiv, FloorMod, Mod, Pow, TruncateDiv, TruncateMod};

/// `x / y` towards zero.
#[kernel(Div, device = GPU, T = [u8, u16, u32, u64, i8, i16, i64])]
#[kernel(TruncateDiv, device = GPU, T = [u8, u16, u32, u64, i8, i16, i64])]
fn whole_quotient<T: Integer>(x: T, y: T) -> T {
    if y == T::zero() { T::zero() } else { x / y }
}

/// `x / y` towards zero: by `floor` and `ceil`, because `trunc` of doubles leaves them as they are on some drivers of
/// Vulkan.
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
#[kernel(Mod, device = GPU, T = [i64])]
#[kernel(TruncateMod, device = GPU, T = [i64])]
fn remainder_of_integers<T: Integer>(x: T, y: T) -> T {
    if y == T::zero() { T::zero() } else { x - x / y * y }
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
