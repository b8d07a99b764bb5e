//! The transform of Box and Muller in a program, with a logarithm, a sine and a cosine of its own: those of devices may
//! be off in the fourth place, and double precision has none by Vulkan.
//!
//! Angles and radii are those of the CPU's kernels up to the last places: a sum of powers after the argument was
//! brought near 0, with as many terms as the precision needs.
#![allow(
    clippy::excessive_precision,
    clippy::unreadable_literal,
    reason = "coefficients to the last digit that counts"
)]

use oplink::prelude::*;

/// The logarithm of the number in `[0, 1)` whose significand ends in these bits, at least that of 1e-7.
#[device_fn]
pub(super) fn logarithm(bits: u32) -> f32 {
    let number = ((bits & 0x007F_FFFF) as f32 * 1.1920929e-7).max(1.0e-7);
    let all = number.to_bits();
    let mut exponent = (all >> 23) as f32 - 127.0;
    let mut significand = f32::from_bits((all & 0x007F_FFFF) | 0x3F80_0000);
    if significand > std::f32::consts::SQRT_2 {
        significand *= 0.5;
        exponent += 1.0;
    }
    let f = significand - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let rest = z * (0.6666667 + z * (0.4 + z * (0.2857143 + z * (0.22222222 + z * 0.18181819))));
    let half = 0.5 * f * f;
    exponent * 0.693359375 - ((half - (s * (half + rest) - exponent * 2.12194442e-4)) - f)
}

/// The sine and the cosine of as many turns as the number in `[0, 1)` says whose significand ends in these bits.
#[device_fn]
pub(super) fn sine_and_cosine(bits: u32) -> (f32, f32) {
    // 2 pi times the number, by parts of 12 bits whose products are exact, and what their sum loses: rounded once, as
    // the product in double precision is, but for one angle in many thousands.
    let head = ((bits & 0x007F_FFFF) >> 11) as f32 * 2.44140625e-4;
    let tail = (bits & 0x07FF) as f32 * 1.1920929e-7;
    let near = head * 6.283203125;
    let far = tail * 6.283203125;
    let sum = near + far;
    let angle = sum + (((near - sum) + far) - (head + tail) * 1.7817820413e-5);
    let quarter = (angle * 2.0 * std::f32::consts::FRAC_1_PI + 0.5) as u32;
    let turned = quarter as f32;
    let x = ((angle - turned * 1.5703125) - turned * 4.837512969970703e-4) - turned * 7.549789954891882e-8;
    let z = x * x;
    let sine = x + x * z * (z * (0.008333334 - z * (1.9841270e-4 - z * 2.7557319e-6)) - 0.16666667);
    let cosine = 1.0 - z * (0.5 - z * (0.041666668 - z * (0.0013888889 - z * (2.4801587e-5 - z * 2.7557319e-7))));
    let is_swapped = quarter & 1 == 1;
    let high = if is_swapped { cosine } else { sine };
    let wide = if is_swapped { sine } else { cosine };
    let sine = if quarter & 2 == 2 { -high } else { high };
    let cosine = if (quarter + 1) & 2 == 2 { -wide } else { wide };
    (sine, cosine)
}

/// The two normal numbers that two drawn ones give.
#[device_fn]
pub(super) fn normal_pair(first: u32, second: u32) -> [f32; 2] {
    let radius = (-2.0 * logarithm(first)).sqrt();
    let (sine, cosine) = sine_and_cosine(second);
    [sine * radius, cosine * radius]
}

/// The number in `[0, 1)` whose significand ends in these bits.
#[device_fn]
pub(super) fn double(high: u32, low: u32) -> f64 {
    f64::from(high & 0x000F_FFFF) * 9.5367431640625e-7 + f64::from(low) * 2.220446049250313e-16
}

/// The logarithm of a number in `[0, 1)`, at least that of 1e-7.
#[device_fn]
pub(super) fn logarithm_of_double(number: f64) -> f64 {
    let number = number.max(1.0e-7);
    let near = number as f32;
    let places = near.to_bits() >> 23;
    let mut exponent = f64::from(places) - 127.0;
    let mut significand = number * f64::from(f32::from_bits((254 - places) << 23));
    if significand > std::f64::consts::SQRT_2 {
        significand *= 0.5;
        exponent += 1.0;
    }
    let f = significand - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let mut rest = 0.09523809523809523;
    rest = rest * z + 0.10526315789473684;
    rest = rest * z + 0.11764705882352941;
    rest = rest * z + 0.13333333333333333;
    rest = rest * z + 0.15384615384615385;
    rest = rest * z + 0.18181818181818182;
    rest = rest * z + 0.22222222222222222;
    rest = rest * z + 0.2857142857142857;
    rest = rest * z + 0.4;
    rest = rest * z + 0.6666666666666666;
    let half = 0.5 * f * f;
    let low = exponent * 1.9082149292705877e-10;
    exponent * 0.6931471803691238 - ((half - (s * (half + rest * z) + low)) - f)
}

/// The sine and the cosine of as many turns as the number in `[0, 1)` says.
#[device_fn]
pub(super) fn sine_and_cosine_of_double(number: f64) -> (f64, f64) {
    let angle = std::f64::consts::TAU * number;
    let quarter = (number as f32 * 4.0 + 0.5) as u32;
    let turned = f64::from(quarter);
    let x = ((angle - turned * 1.5707963267341256) - turned * 6.077100506303966e-11) - turned * 2.0222662487959506e-21;
    let z = x * x;
    let mut sine = 2.8114572543455206e-15;
    sine = sine * z - 7.647163731819816e-13;
    sine = sine * z + 1.6059043836821613e-10;
    sine = sine * z - 2.505210838544172e-8;
    sine = sine * z + 2.7557319223985893e-6;
    sine = sine * z - 1.984126984126984e-4;
    sine = sine * z + 8.333333333333333e-3;
    sine = sine * z - 0.16666666666666666;
    sine = x + x * z * sine;
    let mut cosine = 4.779477332387385e-14;
    cosine = cosine * z - 1.1470745597729725e-11;
    cosine = cosine * z + 2.08767569878681e-9;
    cosine = cosine * z - 2.755731922398589e-7;
    cosine = cosine * z + 2.48015873015873e-5;
    cosine = cosine * z - 1.388888888888889e-3;
    cosine = cosine * z + 4.1666666666666664e-2;
    cosine = cosine * z - 0.5;
    cosine = 1.0 + z * cosine;
    let is_swapped = quarter & 1 == 1;
    let high = if is_swapped { cosine } else { sine };
    let wide = if is_swapped { sine } else { cosine };
    let sine = if quarter & 2 == 2 { -high } else { high };
    let cosine = if (quarter + 1) & 2 == 2 { -wide } else { wide };
    (sine, cosine)
}

/// The two normal numbers that the four drawn ones of a block give.
#[device_fn]
pub(super) fn normal_pair_of_doubles(block: [u32; 4]) -> [f64; 2] {
    let [a, b, c, d] = block;
    let radius = (-2.0 * logarithm_of_double(double(a, b))).sqrt();
    let (sine, cosine) = sine_and_cosine_of_double(double(c, d));
    [sine * radius, cosine * radius]
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::f64::consts::TAU;

    use super::*;

    /// The largest error over numbers whose significands are spread over all.
    fn largest(error: impl Fn(u32) -> f64) -> f64 {
        let near_ends = (0..3000).flat_map(|at| [at, 0x007F_FFFF - at, (1 << 21) + at, (3 << 21) - at]);
        (0..0x0080_0000).step_by(13).chain(near_ends).map(error).fold(0.0, f64::max)
    }

    fn number(bits: u32) -> f64 {
        f64::from(bits) / f64::from(1 << 23)
    }

    #[test]
    fn logarithms_are_within_two_units() {
        let error = largest(|bits| {
            let exact = number(bits).max(f64::from(1.0e-7_f32)).ln();
            (f64::from(logarithm(bits)) - exact).abs() / exact.abs()
        });
        assert!(error < 2.0 * f64::from(f32::EPSILON), "{error:e}");
        let error = largest(|bits| {
            let number = double(bits >> 3, bits.wrapping_mul(0x9E37_79B9));
            let exact = number.max(1.0e-7).ln();
            (logarithm_of_double(number) - exact).abs() / exact.abs()
        });
        assert!(error < 2.0 * f64::EPSILON, "{error:e}");
    }

    #[test]
    fn sines_and_cosines_are_those_of_the_rounded_angle() {
        let (all, others) = (Cell::new(0), Cell::new(0));
        let error = largest(|bits| {
            let (sine, cosine) = f64::from((TAU * number(bits)) as f32).sin_cos();
            let (high, wide) = sine_and_cosine(bits);
            let error = (f64::from(high) - sine).abs().max((f64::from(wide) - cosine).abs());
            all.set(all.get() + 1);
            others.set(others.get() + usize::from(error > 2.0 * f64::from(f32::EPSILON)));
            error
        });
        assert!(error < 5.0 * f64::from(f32::EPSILON), "{error:e}");
        assert!(others.get() * 10_000 < all.get(), "{} of {}", others.get(), all.get());
        let error = largest(|bits| {
            let number = double(bits >> 3, bits.wrapping_mul(0x9E37_79B9));
            let (sine, cosine) = (TAU * number).sin_cos();
            let (high, wide) = sine_and_cosine_of_double(number);
            (high - sine).abs().max((wide - cosine).abs())
        });
        assert!(error < 2.0 * f64::EPSILON, "{error:e}");
    }
}
