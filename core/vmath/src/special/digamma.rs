//! The logarithmic derivative of the gamma function.

use std::f64::consts::PI;

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
