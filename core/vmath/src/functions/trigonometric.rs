//! Sine, cosine and tangent.

use std::f64::consts::FRAC_2_PI;

use super::double::{nearest, polynomial_f64};
use super::polynomial;
use crate::loops::{multiply_add, multiply_add_f64};

/// Arguments of larger magnitude need a reduction with more digits of pi than there are here.
pub const TRIGONOMETRIC_LIMIT: f32 = 1e6;

/// pi / 2 in two parts; products of the high one and integers up to 2^20 are exact.
const HALF_PI: [f64; 2] = [1.570_796_326_734_125_6, 6.077_100_506_506_192e-11];

/// `x = n * pi / 2 + r` with an integer `n` and `|r| <= pi / 4`: `(n, r)`.
#[inline(always)]
fn reduce<const FUSED: bool>(x: f32) -> (u32, f64) {
    let x = f64::from(x);
    let (n, quadrant) = nearest(x * FRAC_2_PI);
    (quadrant, multiply_add_f64::<FUSED>(n, -HALF_PI[1], multiply_add_f64::<FUSED>(n, -HALF_PI[0], x)))
}

/// The sine of `r + quadrant * pi / 2`.
#[inline(always)]
fn sine<const FUSED: bool>(quadrant: u32, r: f32) -> f32 {
    let square = r * r;
    let q = polynomial::<FUSED, 3>(square, [-0.166_666_55, 0.008_332_174, -1.951_671_1e-4]);
    let sin = multiply_add::<FUSED>(r * square, q, r);
    let q = polynomial::<FUSED, 3>(square, [0.041_666_647, -0.001_388_736_2, 2.443_782_5e-5]);
    let cos = multiply_add::<FUSED>(square * square, q, multiply_add::<FUSED>(square, -0.5, 1.0));
    let value = if quadrant & 1 == 0 { sin } else { cos };
    f32::from_bits(value.to_bits() ^ (quadrant & 2) << 30)
}

/// Sine, for magnitudes up to [`TRIGONOMETRIC_LIMIT`]; error below 1.6.
#[inline(always)]
pub fn sin<const FUSED: bool>(x: f32) -> f32 {
    let (quadrant, r) = reduce::<FUSED>(x);
    let value = sine::<FUSED>(quadrant, r as f32);
    if x == 0.0 { x } else { value }
}

/// Cosine, for magnitudes up to [`TRIGONOMETRIC_LIMIT`]; error below 1.6.
#[inline(always)]
pub fn cos<const FUSED: bool>(x: f32) -> f32 {
    let (quadrant, r) = reduce::<FUSED>(x);
    sine::<FUSED>(quadrant.wrapping_add(1), r as f32)
}

/// Tangent, for magnitudes up to [`TRIGONOMETRIC_LIMIT`]; error below 1.
#[inline(always)]
pub fn tan<const FUSED: bool>(x: f32) -> f32 {
    let (quadrant, r) = reduce::<FUSED>(x);
    let square = r * r;
    let q = polynomial_f64::<FUSED, 4>(
        square,
        [-0.166_666_666_414_558_77, 0.008_333_329_364_610_889, -1.983_932_770_307_875_2e-4, 2.718_241_588_016_676e-6],
    );
    let sin = multiply_add_f64::<FUSED>(r * square, q, r);
    let q = polynomial_f64::<FUSED, 4>(
        square,
        [0.041_666_666_622_608_23, -0.001_388_888_373_177_758_3, 2.479_951_379_055_1e-5, -2.720_969_191_24e-7],
    );
    let cos = multiply_add_f64::<FUSED>(square * square, q, multiply_add_f64::<FUSED>(square, -0.5, 1.0));
    let even = quadrant & 1 == 0;
    let value = if even { sin } else { -cos } / if even { cos } else { sin };
    if x == 0.0 { x } else { value as f32 }
}
