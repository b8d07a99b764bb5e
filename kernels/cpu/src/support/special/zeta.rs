//! The Hurwitz zeta function and the derivatives of the digamma function.

use super::digamma;

/// Terms are added one by one up to this base; from there on by the Euler-Maclaurin formula.
const BASE: f64 = 12.0;

/// The Hurwitz zeta function, the sum of `(q + k)^-x` over k = 0, 1, …: infinite at `x = 1`, NaN for `x < 1`.
///
/// For `q` 0 or a negative integer it is infinite where `x` is even, otherwise NaN; for other negative `q` it is NaN
/// where `x` is no integer.
pub fn zeta(x: f64, q: f64) -> f64 {
    if x.is_nan() || q.is_nan() || x < 1.0 {
        return f64::NAN;
    }
    if x == 1.0 {
        return f64::INFINITY;
    }
    if q > 0.0 {
        return positive(x, q);
    }
    if q == q.floor() {
        return if x % 2.0 == 0.0 { f64::INFINITY } else { f64::NAN };
    }
    if x != x.floor() {
        return f64::NAN;
    }
    // The negative bases are those of two other sums, with the sign of an odd power.
    let first = q - q.floor();
    let negative = positive(x, 1.0 - first) - positive(x, 1.0 - q);
    positive(x, first) + if x % 2.0 == 0.0 { negative } else { -negative }
}

/// For `q > 0`, by the Euler-Maclaurin formula (DLMF 25.11.5 and 2.10.1).
fn positive(x: f64, q: f64) -> f64 {
    if q.is_infinite() {
        return 0.0;
    }
    if x.is_infinite() {
        return match q {
            1.0 => 1.0,
            q if q < 1.0 => f64::INFINITY,
            _ => 0.0,
        };
    }
    /// Bernoulli numbers of even index, from 2 on, over the factorial of the index.
    const BERNOULLI: [f64; 8] = [
        1.0 / 12.0,
        -1.0 / 720.0,
        1.0 / 30_240.0,
        -1.0 / 1_209_600.0,
        1.0 / 47_900_160.0,
        -691.0 / 1_307_674_368_000.0,
        1.0 / 74_724_249_600.0,
        -3617.0 / 10_670_622_842_880_000.0,
    ];
    let (mut base, mut sum) = (q, 0.0);
    while base < BASE {
        sum += base.powf(-x);
        base += 1.0;
    }
    let power = base.powf(-x);
    sum += power * base / (x - 1.0) + 0.5 * power;
    let mut factor = power * x / base;
    for (index, number) in BERNOULLI.iter().enumerate() {
        let term = factor * number;
        sum += term;
        if term.abs() < sum.abs() * 1e-17 {
            break;
        }
        let order = x + 2.0 * index as f64;
        factor *= (order + 1.0) * (order + 2.0) / (base * base);
    }
    sum
}

/// The derivative of order `n` of the digamma function; NaN where `n` is no integer or negative (DLMF 5.15.1).
pub fn polygamma(n: f64, x: f64) -> f64 {
    if n == 0.0 {
        return digamma(x);
    }
    if n != n.floor() {
        return f64::NAN;
    }
    let magnitude = libm::tgamma(n + 1.0) * zeta(n + 1.0, x);
    if n % 2.0 == 0.0 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    #[test]
    fn known_values() {
        let apery = 1.202_056_903_159_594_2;
        let cases = [
            (2.0, 1.0, PI * PI / 6.0),
            (4.0, 1.0, PI.powi(4) / 90.0),
            (3.0, 1.0, apery),
            (2.0, 0.5, PI * PI / 2.0),
            (2.0, -0.5, PI * PI / 2.0 + 4.0),
            (3.0, -0.5, 7.0 * apery - 8.0),
            (2.0, 1e9, 1e-9 + 0.5e-18),
        ];
        for (x, q, value) in cases {
            assert!((zeta(x, q) / value - 1.0).abs() < 4e-15, "{x} {q}: {}", zeta(x, q));
        }
        assert!((zeta(1.000_001, 3.0) / 999_999.077_215_631 - 1.0).abs() < 1e-9);
        assert!((polygamma(1.0, 1.0) - PI * PI / 6.0).abs() < 1e-15);
        assert!((polygamma(2.0, 1.0) + 2.0 * apery).abs() < 1e-14);
    }

    #[test]
    fn poles_and_what_is_undefined() {
        assert_eq!((zeta(1.0, -0.5), zeta(2.0, -3.0), zeta(2.0, 0.0)), (f64::INFINITY, f64::INFINITY, f64::INFINITY));
        for (x, q) in [(0.5, 1.0), (3.0, -1.0), (2.5, -0.5), (2.5, 0.0), (f64::NAN, 1.0), (2.0, f64::NAN)] {
            assert!(zeta(x, q).is_nan(), "{x} {q}");
        }
        assert!(polygamma(0.5, 1.0).is_nan() && polygamma(-1.0, 1.0).is_nan());
    }
}
