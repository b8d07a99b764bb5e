//! Inverses of the error function and of the normal distribution.

use std::f64::consts::{FRAC_2_SQRT_PI, PI, SQRT_2};

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

/// The number below which a normal variable lies with probability `p`: infinite at 0 and 1, NaN beyond.
///
/// Around 1/2 by [`erfinv`], in the tails by Newton's method on the logarithm of `erfc`.
pub fn ndtri(p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if (0.25..=0.75).contains(&p) {
        return SQRT_2 * erfinv(2.0 * p - 1.0);
    }
    let tail = 2.0 * p.min(1.0 - p);
    let size = if tail == 0.0 { f64::INFINITY } else { SQRT_2 * erfc_inverse(tail) };
    if p < 0.5 { -size } else { size }
}

/// The `y` with `erfc(y) = tail`, which lies in (0, 1/2].
fn erfc_inverse(tail: f64) -> f64 {
    let log = tail.ln();
    // The leading term of the asymptotic expansion (DLMF 7.17.3).
    let mut y = (-log - 0.5 * (-PI * log).ln().max(0.0)).max(0.2).sqrt();
    for _ in 0..6 {
        let value = libm::erfc(y);
        y += (value.ln() - log) * value / (FRAC_2_SQRT_PI * (-y * y).exp());
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_the_normal_distribution() {
        for p in [1e-300, 1e-100, 1e-20, 1e-5, 0.01, 0.2, 0.25, 0.3, 0.4999, 0.5] {
            let x = ndtri(p);
            assert!((0.5 * libm::erfc(-x / SQRT_2) / p - 1.0).abs() < 1e-12, "{p}: {x}");
            assert!(p < 1e-10 || (ndtri(1.0 - p) + x).abs() < 1e-9 * (1.0 + x.abs()), "{p}: {x}");
        }
        assert_eq!((ndtri(0.0), ndtri(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        assert!(ndtri(-0.1).is_nan() && ndtri(1.1).is_nan() && ndtri(f64::NAN).is_nan());
    }
}
