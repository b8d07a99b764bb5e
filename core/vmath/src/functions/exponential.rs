//! The exponential function and its kin.

use super::polynomial;
use crate::loops::multiply_add;

/// Adding it to a number of small magnitude leaves the nearest integer in the low bits of the sum.
const SHIFTER: f32 = 12_582_912.0;
/// ln 2 in two parts; products of the high one and small integers are exact.
const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];

/// `x = n * ln 2 + r` with an integer `n` and `|r| <= ln 2 / 2`: `(n, r)`. For `|x| < 2^20`.
#[inline(always)]
fn reduce<const FUSED: bool>(x: f32) -> (i32, f32) {
    let shifted = multiply_add::<FUSED>(x, std::f32::consts::LOG2_E, SHIFTER);
    let n = shifted - SHIFTER;
    let r = multiply_add::<FUSED>(n, -LN_2[1], multiply_add::<FUSED>(n, -LN_2[0], x));
    (shifted.to_bits().wrapping_sub(SHIFTER.to_bits()) as i32, r)
}

/// 2 to the power `n`, for `-126 <= n <= 127`.
#[inline(always)]
fn power_of_two(n: i32) -> f32 {
    f32::from_bits((n.wrapping_add(127) as u32) << 23)
}

#[inline(always)]
fn clamp(x: f32, low: f32, high: f32) -> f32 {
    let x = if x > high { high } else { x };
    if x < low { low } else { x }
}

/// `exp(r)` for `|r| <= ln 2 / 2`.
#[inline(always)]
fn exp_of_remainder<const FUSED: bool>(r: f32) -> f32 {
    let q = polynomial::<FUSED, 5>(r, [0.5, 0.166_665_17, 0.041_666_196, 0.008_369_09, 0.001_395_112_4]);
    multiply_add::<FUSED>(r * r, q, r) + 1.0
}

/// `e` to the power `x`; error below 1.1.
#[inline(always)]
pub fn exp<const FUSED: bool>(x: f32) -> f32 {
    let (n, r) = reduce::<FUSED>(clamp(x, -104.0, 89.0));
    let half = n >> 1;
    exp_of_remainder::<FUSED>(r) * power_of_two(half) * power_of_two(n.wrapping_sub(half))
}

/// `e` to the power `x`, for `-87 <= x <= 89`; error below 1.1. It is infinite from 88.4 on.
#[inline(always)]
pub(super) fn exp_of_small<const FUSED: bool>(x: f32) -> f32 {
    let (n, r) = reduce::<FUSED>(x);
    exp_of_remainder::<FUSED>(r) * power_of_two(n)
}

/// `exp(x) - 1`; error below 1.5.
#[inline(always)]
pub fn expm1<const FUSED: bool>(x: f32) -> f32 {
    let (n, r) = reduce::<FUSED>(clamp(x, -18.0, 89.0));
    let q =
        polynomial::<FUSED, 6>(r, [0.5, 0.166_666_67, 0.041_666_35, 0.008_333_272, 0.001_394_131_1, 1.991_466_5e-4]);
    let less_one = multiply_add::<FUSED>(r * r, q, r);
    let half = power_of_two(n.wrapping_sub(1));
    let value = 2.0 * multiply_add::<FUSED>(half, less_one, half - 0.5);
    if x.abs() < 2e-8 { x } else { value }
}

/// `1 / (1 + exp(-x))`; error below 2.5.
#[inline(always)]
pub fn sigmoid<const FUSED: bool>(x: f32) -> f32 {
    let small = exp::<FUSED>(-x.abs());
    let above = if x < 0.0 { small } else { 1.0 };
    above / (1.0 + small)
}

/// `x / (1 + exp(-x))`; error below 3, where `x > -87`. What is left of smaller values is below 1e-35 and goes to zero.
#[inline(always)]
pub fn swish<const FUSED: bool>(x: f32) -> f32 {
    x / (1.0 + exp_of_small::<FUSED>(clamp(-x, -87.0, 89.0)))
}
