//! Inverse trigonometric functions.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use super::double::atan_f64;
use super::polynomial;
use crate::loops::multiply_add;

/// What [`FRAC_PI_2`] lacks to pi / 2.
const FRAC_PI_2_REST: f32 = -4.371_139e-8;
/// Tangents of pi / 8 and 3 pi / 8.
const TANGENTS: [f32; 2] = [0.414_213_57, 2.414_213_7];

/// Inverse tangent; error below 2.
#[inline(always)]
pub fn atan<const FUSED: bool>(x: f32) -> f32 {
    let a = x.abs();
    let (medium, large) = (a > TANGENTS[0], a > TANGENTS[1]);
    let above = if medium { a - 1.0 } else { a };
    let below = if medium { a + 1.0 } else { 1.0 };
    let u = if large { -1.0 } else { above } / if large { a } else { below };
    let start = if medium { FRAC_PI_4 } else { 0.0 };
    let start = if large { FRAC_PI_2 } else { start };
    let rest = start * (FRAC_PI_2_REST / FRAC_PI_2);
    let square = u * u;
    let q = polynomial::<FUSED, 5>(square, [-0.333_333_16, 0.199_984_93, -0.142_438_94, 0.105_962_63, -0.060_839_787]);
    let angle = u + multiply_add::<FUSED>(u * square, q, rest);
    (start + angle).copysign(x)
}

/// The inverse sine of `a` where `a <= 1/2`, otherwise half of its complement to pi / 2; for `a >= 0`.
#[inline(always)]
fn asin_or_half_acos<const FUSED: bool>(a: f32) -> f32 {
    let large = a > 0.5;
    let square = if large { 0.5 * (1.0 - a) } else { a * a };
    let root = if large { square.sqrt() } else { a };
    let q = polynomial::<FUSED, 5>(square, [0.166_667_55, 0.074_952_07, 0.045_482_207, 0.024_119_37, 0.042_271_067]);
    multiply_add::<FUSED>(root * square, q, root)
}

/// Inverse sine, NaN beyond -1 and 1; error below 2.
#[inline(always)]
pub fn asin<const FUSED: bool>(x: f32) -> f32 {
    let a = x.abs();
    let angle = asin_or_half_acos::<FUSED>(a);
    let complement = multiply_add::<FUSED>(angle, -2.0, FRAC_PI_2) + FRAC_PI_2_REST;
    (if a > 0.5 { complement } else { angle }).copysign(x)
}

/// Inverse cosine, NaN beyond -1 and 1; error below 2.
#[inline(always)]
pub fn acos<const FUSED: bool>(x: f32) -> f32 {
    let angle = asin_or_half_acos::<FUSED>(x.abs());
    let start = if x < -0.5 { 2.0 } else { 1.0 };
    let step = if x.abs() > 0.5 { -2.0 } else { -1.0 } * angle.copysign(x);
    let value = multiply_add::<FUSED>(start, FRAC_PI_2, if x < -0.5 { -step } else { step });
    let value = multiply_add::<FUSED>(start, FRAC_PI_2_REST, value);
    if x > 0.5 { 2.0 * angle } else { value }
}

/// The angle of the point `(x, y)`; error below 1.
#[inline(always)]
pub fn atan2<const FUSED: bool>(y: f32, x: f32) -> f32 {
    let (above, below) = (f64::from(y.abs()), f64::from(x.abs()));
    // 0 / 0 counts as 0, infinity / infinity as 1.
    let ratio = if above == below { f64::from(u8::from(above > 0.0)) } else { above / below };
    let angle = atan_f64::<FUSED>(ratio);
    let angle = if x.is_sign_negative() { std::f64::consts::PI - angle } else { angle };
    let value = (angle as f32).copysign(y);
    if x.is_nan() | y.is_nan() { f32::NAN } else { value }
}
