//! Special functions in double precision that neither the standard library nor `libm` has.

use std::f64::consts::{FRAC_2_SQRT_PI, PI};

/// The inverse error function: infinite at -1 and 1, NaN beyond.
///
/// A first value from the expansion of Winitzki, then Halley's method on `erf(y) - x`, or on `erfc` in the tails.
pub fn erfinv(x: f64) -> f64 {
    if x.abs() >= 1.0 || x.is_nan() || x == 0.0 {
        return if x.abs() == 1.0 {
            x * f64::INFINITY
        } else if x == 0.0 {
            x
        } else {
            f64::NAN
        };
    }
    let (target, tail) = (x.abs(), 1.0 - x.abs());
    let log = (tail * (1.0 + target)).ln();
    let mean = 2.0 / (PI * 0.147) + log / 2.0;
    let mut y = ((mean * mean - log / 0.147).sqrt() - mean).sqrt();
    for _ in 0..3 {
        let difference = if target < 0.5 { libm::erf(y) - target } else { tail - libm::erfc(y) };
        let step = difference / (FRAC_2_SQRT_PI * (-y * y).exp());
        y -= step / (1.0 + y * step);
    }
    y.copysign(x)
}

/// The logarithmic derivative of the gamma function; NaN at 0 and the negative integers.
///
/// Reflection for negative arguments, recurrence up to 10, then the asymptotic series (DLMF 5.11.2).
pub fn digamma(x: f64) -> f64 {
    if x <= 0.0 {
        if x == x.floor() {
            return f64::NAN;
        }
        let fraction = x - x.round();
        return digamma(1.0 - x) - PI / (PI * fraction).tan();
    }
    let (mut x, mut below) = (x, 0.0);
    while x < 10.0 {
        below += 1.0 / x;
        x += 1.0;
    }
    const SERIES: [f64; 7] =
        [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32760.0, 1.0 / 12.0];
    let square = 1.0 / (x * x);
    let series = SERIES.iter().rev().fold(0.0, |sum, c| (sum + c) * square);
    if x.is_infinite() { x } else { x.ln() - 0.5 / x - series - below }
}
