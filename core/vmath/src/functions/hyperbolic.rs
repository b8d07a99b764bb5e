//! Hyperbolic functions and their inverses.

use super::double::{exp_f64, log_f64};
use super::exponential::expm1;
use crate::loops::multiply_add_f64;

/// Below it, the first terms of a series are exact to single precision.
const SMALL: f64 = 0.01;

/// Hyperbolic tangent; error below 2.5.
#[inline(always)]
pub fn tanh<const FUSED: bool>(x: f32) -> f32 {
    let magnitude = x.abs();
    let e = expm1::<FUSED>(2.0 * if magnitude > 9.1 { 9.1 } else { magnitude });
    (e / (e + 2.0)).copysign(x)
}

/// `a + b * a^3 + c * a^5` below [`SMALL`], `value` above, with the sign of `x`.
#[inline(always)]
fn odd<const FUSED: bool>(x: f32, a: f64, [b, c]: [f64; 2], value: f64) -> f32 {
    let square = a * a;
    let series = a * multiply_add_f64::<FUSED>(square, multiply_add_f64::<FUSED>(square, c, b), 1.0);
    (if a < SMALL { series } else { value } as f32).copysign(x)
}

/// Hyperbolic sine; error below 1.
#[inline(always)]
pub fn sinh<const FUSED: bool>(x: f32) -> f32 {
    let a = f64::from(x.abs());
    let e = exp_f64::<FUSED>(if a > 100.0 { 100.0 } else { a });
    odd::<FUSED>(x, a, [1.0 / 6.0, 1.0 / 120.0], 0.5 * (e - 1.0 / e))
}

/// Hyperbolic cosine; error below 1.
#[inline(always)]
pub fn cosh<const FUSED: bool>(x: f32) -> f32 {
    let a = f64::from(x.abs());
    let e = exp_f64::<FUSED>(if a > 100.0 { 100.0 } else { a });
    (0.5 * (e + 1.0 / e)) as f32
}

/// Inverse hyperbolic sine; error below 1.
#[inline(always)]
pub fn asinh<const FUSED: bool>(x: f32) -> f32 {
    let a = f64::from(x.abs());
    let value = log_f64::<FUSED>(a + multiply_add_f64::<FUSED>(a, a, 1.0).sqrt());
    odd::<FUSED>(x, a, [-1.0 / 6.0, 3.0 / 40.0], value)
}

/// Inverse hyperbolic cosine, NaN below 1; error below 1.
#[inline(always)]
pub fn acosh<const FUSED: bool>(x: f32) -> f32 {
    let x = f64::from(x);
    let value = log_f64::<FUSED>(x + multiply_add_f64::<FUSED>(x, x, -1.0).sqrt());
    if x < 1.0 { f32::NAN } else { value as f32 }
}

/// Inverse hyperbolic tangent, NaN beyond -1 and 1; error below 1.
#[inline(always)]
pub fn atanh<const FUSED: bool>(x: f32) -> f32 {
    let a = f64::from(x.abs());
    let value = 0.5 * log_f64::<FUSED>((1.0 + a) / (1.0 - a));
    odd::<FUSED>(x, a, [1.0 / 3.0, 1.0 / 5.0], if a > 1.0 { f64::NAN } else { value })
}
