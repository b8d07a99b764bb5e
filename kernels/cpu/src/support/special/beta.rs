//! The incomplete beta function.

use super::density::beta_density;
use super::gamma::nonzero;
use super::quadrature::{integrate, reach};

/// Where both parameters are at least this large, the density is integrated.
const WIDE: f64 = 100.0;
/// Terms after which the fraction is given up: enough for one parameter of `1e8`.
const MOST_TERMS: usize = 20_000;

/// The regularised incomplete beta function `I_x(a, b)`; NaN where `a` or `b` is not positive and finite, or `x` not in
/// [0, 1].
pub fn betainc(a: f64, b: f64, x: f64) -> f64 {
    let inside = a > 0.0 && b > 0.0 && a.is_finite() && b.is_finite() && (0.0..=1.0).contains(&x);
    match x {
        _ if !inside => f64::NAN,
        0.0 | 1.0 => x,
        x if a.min(b) >= WIDE => wide(a, b, x),
        x if x > (a + 1.0) / (a + b + 2.0) => 1.0 - fraction(b, a, 1.0 - x),
        x => fraction(a, b, x),
    }
}

/// `I_x(a, b)` by DLMF 8.17.22, evaluated by Lentz's method.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let (mut c, mut d) = (1.0, 1.0 / nonzero(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for m in 1..MOST_TERMS {
        let m = m as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / nonzero(1.0 + even * d);
        c = nonzero(1.0 + even / c);
        fraction *= c * d;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / nonzero(1.0 + odd * d);
        c = nonzero(1.0 + odd / c);
        fraction *= c * d;
        if (c * d - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    beta_density(a, b, x) * b / (a + b) * fraction
}

/// The integral of the density over the tail beyond `x`, away from its peak.
fn wide(a: f64, b: f64, x: f64) -> f64 {
    let (a1, b1) = (a - 1.0, b - 1.0);
    let rest = 1.0 - x;
    let slope = a1 / x - b1 / rest;
    let distance = reach(slope, a1 / (x * x) + b1 / (rest * rest));
    // The density of a beta variable, from the binomial one with parameters less by one.
    let density = |t: f64| beta_density(a1, b1, t) * (a + b - 1.0);
    if slope > 0.0 {
        integrate((x - distance).max(0.0), x, density)
    } else {
        1.0 - integrate(x, (x + distance).min(1.0), density)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_known() {
        for (a, b, x, value) in
            [(1.0, 1.0, 0.3, 0.3), (2.0, 3.0, 0.3, 0.3483), (2.0, 1.0, 0.5, 0.25), (0.5, 0.5, 0.5, 0.5)]
        {
            assert!((betainc(a, b, x) - value).abs() < 2e-15, "{a} {b} {x}");
        }
        assert!(
            betainc(0.0, 1.0, 0.5).is_nan() && betainc(1.0, 1.0, 1.5).is_nan() && betainc(1.0, f64::NAN, 0.5).is_nan()
        );
    }

    #[test]
    fn the_integral_agrees_with_the_fraction() {
        for (a, b, x) in [(100.0, 120.0, 0.4), (100.0, 120.0, 0.2), (200.0, 100.0, 0.64), (150.0, 400.0, 0.05)] {
            assert!((wide(a, b, x) / fraction(a, b, x) - 1.0).abs() < 1e-12, "{a} {b} {x}");
            assert!((wide(b, a, 1.0 - x) + fraction(a, b, x) - 1.0).abs() < 1e-13, "{b} {a} {x}");
        }
        assert!((betainc(1e8, 1e8, 0.5) - 0.5).abs() < 1e-12);
    }
}
