//! Double-precision functions good to 1e-11 or better: what single-precision functions are computed through where their
//! own precision would not do.

use crate::loops::multiply_add_f64;

const SHIFTER: f64 = 6_755_399_441_055_744.0;
const LN_2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];

/// The polynomial with these coefficients, lowest power first.
#[inline(always)]
pub(super) fn polynomial_f64<const FUSED: bool, const N: usize>(x: f64, coefficients: [f64; N]) -> f64 {
    let mut sum = coefficients[N - 1];
    for i in (0..N - 1).rev() {
        sum = multiply_add_f64::<FUSED>(sum, x, coefficients[i]);
    }
    sum
}

/// The integer nearest to `x`, as number and modulo 2^32; for `|x| < 2^31`.
#[inline(always)]
pub(super) fn nearest(x: f64) -> (f64, u32) {
    let shifted = x + SHIFTER;
    (shifted - SHIFTER, shifted.to_bits() as u32)
}

/// `e` to the power `x`, for `|x| < 700`; NaN for NaN.
#[inline(always)]
pub(super) fn exp_f64<const FUSED: bool>(x: f64) -> f64 {
    let shifted = multiply_add_f64::<FUSED>(x, std::f64::consts::LOG2_E, SHIFTER);
    let n = shifted - SHIFTER;
    let r = multiply_add_f64::<FUSED>(n, -LN_2[1], multiply_add_f64::<FUSED>(n, -LN_2[0], x));
    let q = polynomial_f64::<FUSED, 8>(
        r,
        [
            0.499_999_999_995_969_3,
            0.166_666_666_665_645_72,
            0.041_666_666_993_793_26,
            0.008_333_333_389_966_327,
            0.001_388_880_674_562_833_9,
            1.984_116_131_491_508_3e-4,
            2.488_270_202_714_750_4e-5,
            2.764_442_786_383_336e-6,
        ],
    );
    let scale = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
    (multiply_add_f64::<FUSED>(r * r, q, r) + 1.0) * scale
}

/// The natural logarithm of a number that is not subnormal and above 0; infinity and NaN stay.
#[inline(always)]
pub(super) fn log_f64<const FUSED: bool>(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = ((bits >> 32) as i32).wrapping_sub(0x3fe6_a09e) >> 20;
    let mantissa = f64::from_bits(bits.wrapping_sub((i64::from(exponent) as u64) << 52));
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let q = polynomial_f64::<FUSED, 6>(
        s * s,
        [
            1.999_999_999_999_945_2,
            0.666_666_666_799_639_8,
            0.399_999_947_754_044_2,
            0.285_721_783_434_953_9,
            0.221_737_329_548_840_3,
            0.196_157_072_129_197_98,
        ],
    );
    let value = multiply_add_f64::<FUSED>(f64::from(exponent), std::f64::consts::LN_2, s * q);
    if x < f64::INFINITY { value } else { x }
}

/// The inverse tangent.
#[inline(always)]
pub(super) fn atan_f64<const FUSED: bool>(x: f64) -> f64 {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};
    const TAN_OF_EIGHTHS: [f64; 2] = [0.414_213_562_373_095_03, 2.414_213_562_373_095];
    let a = x.abs();
    let (large, medium) = (a > TAN_OF_EIGHTHS[1], a > TAN_OF_EIGHTHS[0]);
    let above = if medium { a - 1.0 } else { a };
    let below = if medium { a + 1.0 } else { 1.0 };
    let start = if medium { FRAC_PI_4 } else { 0.0 };
    let u = if large { -1.0 } else { above } / if large { a } else { below };
    let start = if large { FRAC_PI_2 } else { start };
    let square = u * u;
    let q = polynomial_f64::<FUSED, 7>(
        square,
        [
            -0.333_333_332_967_990_6,
            0.199_999_944_388_859_56,
            -0.142_854_276_670_703_03,
            0.111_040_716_890_283_9,
            -0.089_974_196_706_741,
            0.069_936_658_016_008_95,
            -0.037_964_889_163_506_52,
        ],
    );
    (start + multiply_add_f64::<FUSED>(u * square, q, u)).copysign(x)
}
