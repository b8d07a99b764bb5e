//! The incomplete gamma functions.

use super::density::gamma_density;
use super::quadrature::{integrate, reach};

/// From here on the density is integrated, as series and fraction need as many terms as its width.
const WIDE: f64 = 100.0;
/// Terms after which a series or a fraction is given up; none needs so many below `WIDE`.
const MOST_TERMS: usize = 2000;

/// The regularised lower incomplete gamma function `P(a, x)`; NaN where `a <= 0` or `x < 0`, but 0 for `x = 0`.
pub fn igamma(a: f64, x: f64) -> f64 {
    match edge(a, x) {
        _ if x == 0.0 && !a.is_nan() => 0.0,
        Some(upper) if a.is_infinite() => upper * 0.0,
        Some(upper) => 1.0 - upper,
        None if a >= WIDE => wide(a, x, false),
        None if x > 1.0 && x > a => 1.0 - upper_fraction(a, x),
        None => lower_series(a, x),
    }
}

/// The regularised upper incomplete gamma function `Q(a, x) = 1 - P(a, x)`; NaN where `a <= 0` or `x < 0`.
pub fn igammac(a: f64, x: f64) -> f64 {
    match edge(a, x) {
        Some(upper) => upper,
        None if a >= WIDE => wide(a, x, true),
        None if x < 1.0 || x < a => 1.0 - lower_series(a, x),
        None => upper_fraction(a, x),
    }
}

/// `Q` where it is not computed.
fn edge(a: f64, x: f64) -> Option<f64> {
    if a.is_nan() || x.is_nan() || a <= 0.0 || x < 0.0 {
        return Some(f64::NAN);
    }
    match (a.is_infinite(), x.is_infinite()) {
        (_, true) => Some(0.0),
        (true, false) => Some(1.0),
        _ if x == 0.0 => Some(1.0),
        _ => None,
    }
}

/// `P` by DLMF 8.11.4.
fn lower_series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for n in 1..MOST_TERMS {
        term *= x / (a + n as f64);
        sum += term;
        if term < sum * 1e-17 {
            break;
        }
    }
    gamma_density(a, x) * sum
}

/// `Q` by DLMF 8.9.2, evaluated by Lentz's method.
fn upper_fraction(a: f64, x: f64) -> f64 {
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / f64::MIN_POSITIVE;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for n in 1..MOST_TERMS {
        let n = n as f64;
        let numerator = n * (a - n);
        b += 2.0;
        d = 1.0 / nonzero(numerator * d + b);
        c = nonzero(b + numerator / c);
        let step = c * d;
        fraction *= step;
        if (step - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    gamma_density(a, x) * a * fraction
}

/// A number that can be divided by.
pub(super) fn nonzero(x: f64) -> f64 {
    if x.abs() < f64::MIN_POSITIVE { f64::MIN_POSITIVE } else { x }
}

/// `P`, or `Q` where `upper`, as the integral of the density over the tail beyond `x`.
fn wide(a: f64, x: f64, upper: bool) -> f64 {
    let a1 = a - 1.0;
    let distance = reach(a1 / x - 1.0, a1 / (x * x));
    let above = x > a1;
    let end = if above { x + distance } else { (x - distance).max(0.0) };
    let tail = integrate(x.min(end), x.max(end), |t| gamma_density(a1, t));
    if above == upper { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_known() {
        for (a, x, p) in
            [(1.0, 2.0, 1.0 - (-2.0f64).exp()), (2.0, 3.0, 1.0 - 4.0 * (-3.0f64).exp()), (0.5, 0.25, libm::erf(0.5))]
        {
            assert!((igamma(a, x) - p).abs() < 2e-15 && (igammac(a, x) - (1.0 - p)).abs() < 2e-15, "{a} {x}");
        }
        assert!((igammac(1e-20, 1.0) / 2.193_839_343_955_203e-21 - 1.0).abs() < 1e-13);
    }

    #[test]
    fn the_integral_agrees_with_series_and_fraction() {
        for (a, ratio) in [(100.0, 0.5), (100.0, 0.97), (150.0, 1.02), (150.0, 1.6), (120.0, 0.05), (130.0, 6.0)] {
            let x = a * ratio;
            let plain = if ratio < 1.0 { lower_series(a, x) } else { upper_fraction(a, x) };
            let integral = wide(a, x, ratio > 1.0);
            assert!((integral / plain - 1.0).abs() < 1e-12, "{a} {x}: {integral:e} {plain:e}");
        }
        // The median is close to a - 1/3 (DLMF 8.10.13).
        assert!((igamma(1e8, 1e8 - 1.0 / 3.0) - 0.5).abs() < 1e-9);
    }
}
