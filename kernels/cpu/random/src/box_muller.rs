//! The transform of Box and Muller: two uniform numbers become two of the standard normal distribution.

use std::f64::consts::PI;

use oplink_ops::philox::{double, single};

/// Smallest number that the logarithm is taken of.
const SMALLEST: f64 = 1.0e-7;

/// Two normal numbers of single precision.
#[inline]
pub(super) fn singles(bits: [u32; 2]) -> [f32; 2] {
    let radius = (-2.0 * single(bits[0]).max(SMALLEST as f32).ln()).sqrt();
    let angle = (2.0 * PI * f64::from(single(bits[1]))) as f32;
    let (sin, cos) = angle.sin_cos();
    [sin * radius, cos * radius]
}

/// Two normal numbers of double precision.
#[inline]
pub(super) fn doubles(bits: [u32; 4]) -> [f64; 2] {
    let radius = (-2.0 * double(bits[0], bits[1]).max(SMALLEST).ln()).sqrt();
    let (sin, cos) = (2.0 * PI * double(bits[2], bits[3])).sin_cos();
    [sin * radius, cos * radius]
}
