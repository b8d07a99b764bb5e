//! Natural logarithms.

use super::polynomial;
use crate::loops::multiply_add;

/// ln 2 in two parts; products of the high one and small integers are exact.
const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];

/// The natural logarithm; error below 1.5.
#[inline(always)]
pub fn log<const FUSED: bool>(x: f32) -> f32 {
    let subnormal = x < f32::MIN_POSITIVE;
    let bits = (if subnormal { x * 8_388_608.0 } else { x }).to_bits() as i32;
    // The mantissa is taken between sqrt(1/2) and sqrt(2).
    let exponent = bits.wrapping_sub(0x3f35_04f3) >> 23;
    let f = f32::from_bits(bits.wrapping_sub(exponent << 23) as u32) - 1.0;
    let exponent = exponent as f32 - if subnormal { 23.0 } else { 0.0 };
    let q = polynomial::<FUSED, 8>(
        f,
        [
            0.333_333_17,
            -0.250_008_15,
            0.200_023_04,
            -0.166_243_84,
            0.141_807_02,
            -0.131_301_42,
            0.128_857_36,
            -0.078_605_68,
        ],
    );
    let square = f * f;
    let low = multiply_add::<FUSED>(exponent, LN_2[1], f * square * q);
    let value = multiply_add::<FUSED>(exponent, LN_2[0], f + multiply_add::<FUSED>(square, -0.5, low));
    let positive = if x < f32::INFINITY { value } else { x };
    let others = if x == 0.0 { f32::NEG_INFINITY } else { f32::NAN };
    if x > 0.0 { positive } else { others }
}

/// `log(1 + x)`; error below 2.
#[inline(always)]
pub fn log1p<const FUSED: bool>(x: f32) -> f32 {
    let sum = 1.0 + x;
    let log = log::<FUSED>(sum);
    let lost = (x - (sum - 1.0)) / sum;
    let value = if sum > 0.0 && sum < f32::INFINITY { log + lost } else { log };
    if sum == 1.0 { x } else { value }
}
