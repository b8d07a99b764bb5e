//! The gamma and the binomial density without cancellation, after Loader, "Fast and Accurate Computation of Binomial
//! Probabilities" (2000).

use std::f64::consts::TAU;

/// From here on the gamma function is taken by Stirling's series.
const LARGE: f64 = 16.0;

/// `x^a exp(-x) / Gamma(a + 1)` for `a > 0` and `x > 0`.
pub(super) fn gamma_density(a: f64, x: f64) -> f64 {
    if a < LARGE {
        return (a * x.ln() - x - libm::lgamma(a + 1.0)).exp();
    }
    (-stirling_error(a) - deviance(a, x)).exp() / (TAU * a).sqrt()
}

/// `x^a (1 - x)^b Gamma(a + b + 1) / (Gamma(a + 1) Gamma(b + 1))` for `a, b > 0` and `0 < x < 1`.
pub(super) fn beta_density(a: f64, b: f64, x: f64) -> f64 {
    if a.min(b) < LARGE {
        let logs = a * x.ln() + b * (-x).ln_1p();
        let gammas = match a.max(b) {
            large if large < LARGE => libm::lgamma(a + b + 1.0) - libm::lgamma(large + 1.0),
            large => log_gamma_ratio(large, a.min(b)),
        };
        return (logs + gammas - libm::lgamma(a.min(b) + 1.0)).exp();
    }
    let n = a + b;
    let errors = stirling_error(n) - stirling_error(a) - stirling_error(b);
    (errors - deviance(a, n * x) - deviance(b, n * (1.0 - x))).exp() * (n / (TAU * a * b)).sqrt()
}

/// `ln(Gamma(n + k + 1) / Gamma(n + 1))` for a large `n`.
fn log_gamma_ratio(n: f64, k: f64) -> f64 {
    let stirling = stirling_error(n + k) - stirling_error(n);
    stirling + k * (n + k).ln() - k + (n + 0.5) * (k / n).ln_1p()
}

/// `ln(Gamma(n + 1))` beyond `(n + 1/2) ln(n) - n + ln(2 pi) / 2`, for `n >= LARGE` (DLMF 5.11.1).
fn stirling_error(n: f64) -> f64 {
    const SERIES: [f64; 6] = [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0];
    let square = 1.0 / (n * n);
    SERIES.iter().rev().fold(0.0, |sum, c| sum * square + c) / n
}

/// `x ln(x / mean) + mean - x`.
fn deviance(x: f64, mean: f64) -> f64 {
    if (x - mean).abs() >= 0.1 * (x + mean) {
        return x * (x / mean).ln() + mean - x;
    }
    let ratio = (x - mean) / (x + mean);
    let square = ratio * ratio;
    let mut sum = (x - mean) * ratio;
    let mut power = 2.0 * x * ratio;
    for odd in (3..1000).step_by(2) {
        power *= square;
        let next = sum + power / f64::from(odd);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_agree() {
        for (a, x) in [(16.0, 10.0), (40.0, 41.0), (300.0, 250.0)] {
            let plain = (a * f64::ln(x) - x - libm::lgamma(a + 1.0)).exp();
            assert!((gamma_density(a, x) / plain - 1.0).abs() < 1e-12, "{a} {x}");
        }
        for (a, b, x) in [(16.0, 20.0, 0.3), (100.0, 3.0, 0.9), (2.0, 50.0, 0.1), (5.0, 6.0, 0.5)] {
            let gammas = libm::lgamma(a + b + 1.0) - libm::lgamma(a + 1.0) - libm::lgamma(b + 1.0);
            let plain = (a * f64::ln(x) + b * f64::ln(1.0 - x) + gammas).exp();
            assert!((beta_density(a, b, x) / plain - 1.0).abs() < 1e-12, "{a} {b} {x}");
        }
    }
}
