//! The Hurwitz zeta function and the derivatives of the digamma function, by the Euler-Maclaurin formula as the Cephes
//! library has it (Moshier, `zeta.c`, 1987).

use super::digamma;
use super::precision::Precision;

/// Terms that are added one by one at least; in double precision also all of bases up to this number.
const LEAST_TERMS: u16 = 9;
/// Below this `q` the sum is taken by reflection instead of term by term.
const LEAST_DIRECT: f64 = -1000.0;

/// The Hurwitz zeta function, the sum of `(q + k)^-x` over k = 0, 1, …: infinite at `x = 1`, NaN for `x < 1`.
///
/// For `q` 0 or a negative integer it is infinite where `x` is even, otherwise NaN; for other negative `q` it is NaN
/// where `x` is no integer.
pub fn zeta<T: Precision>(x: T, q: T) -> T {
    // The pole, whatever `q` is.
    if x == T::one() {
        return T::infinity();
    }
    if x.is_nan() || q.is_nan() || x < T::one() {
        return T::nan();
    }
    let half = T::of(0.5) * x;
    let is_even = half == half.floor();
    if q > T::zero() {
        return sum(x, q);
    }
    if q == q.floor() {
        return if is_even { T::infinity() } else { T::nan() };
    }
    if x != x.floor() {
        return T::nan();
    }
    if T::IS_SINGLE || q < T::of(LEAST_DIRECT) {
        return T::of(reflected(x.double(), q.double(), is_even));
    }
    sum(x, q)
}

/// The negative bases are those of two other sums, with the sign of an odd power.
fn reflected(x: f64, q: f64, is_even: bool) -> f64 {
    let first = q - q.floor();
    let negative = sum(x, 1.0 - first) - sum(x, 1.0 - q);
    sum(x, first) + if is_even { negative } else { -negative }
}

/// Inverses of the Bernoulli numbers of even index, from 2 on, over the factorial of the index.
const DIVISORS: [f64; 12] = [
    12.0,
    -720.0,
    30_240.0,
    -1_209_600.0,
    47_900_160.0,
    -1_307_674_368_000.0 / 691.0,
    74_724_249_600.0,
    -10_670_622_842_880_000.0 / 3617.0,
    5_109_094_217_170_944_000.0 / 43_867.0,
    -802_857_662_698_291_200_000.0 / 174_611.0,
    1.551_121_004_333_098_6e23 / 854_513.0,
    -1.693_824_136_731_743_7e27 / 236_364_091.0,
];

/// The sum term by term, then its rest by DLMF 25.11.5 and 2.10.1; each part ends where it no longer changes the value.
fn sum<T: Precision>(x: T, q: T) -> T {
    let (mut base, mut power, mut sum) = (q, T::zero(), q.powf(-x));
    let mut terms = 0;
    while terms < LEAST_TERMS || !T::IS_SINGLE && base <= T::of(f64::from(LEAST_TERMS)) {
        terms += 1;
        base = base + T::one();
        power = base.powf(-x);
        sum = sum + power;
        if (power / sum).abs() < T::ROUNDING {
            return sum;
        }
    }
    if power == T::zero() {
        return sum;
    }
    sum = sum + power * base / (x - T::one());
    sum = sum - T::of(0.5) * power;
    let (mut factor, mut order) = (T::one(), T::zero());
    for divisor in DIVISORS {
        factor = factor * (x + order);
        power = power / base;
        let term = factor * power / T::of(divisor);
        sum = sum + term;
        if (term / sum).abs() < T::ROUNDING {
            break;
        }
        order = order + T::one();
        factor = factor * (x + order);
        power = power / base;
        order = order + T::one();
    }
    sum
}

/// The derivative of order `n` of the digamma function; NaN where `n` is no integer or negative (DLMF 5.15.1).
pub fn polygamma<T: Precision>(n: T, x: T) -> T {
    if n == T::zero() {
        return T::of(digamma(x.double()));
    }
    if n != n.floor() || n < T::zero() {
        return T::nan();
    }
    let order = n + T::one();
    let sign = (-T::one()).powf(order);
    sign * order.ln_gamma().exp() * zeta(order, x)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    #[test]
    fn known_values() {
        let apery = 1.202_056_903_159_594_2;
        let cases = [
            (2.0f64, 1.0, PI * PI / 6.0),
            (4.0, 1.0, PI.powi(4) / 90.0),
            (3.0, 1.0, apery),
            (2.0, 0.5, PI * PI / 2.0),
            (2.0, -0.5, PI * PI / 2.0 + 4.0),
            (3.0, -0.5, 7.0 * apery - 8.0),
            (2.0, 1e9, 1e-9 + 0.5e-18),
        ];
        for (x, q, value) in cases {
            assert!((zeta(x, q) / value - 1.0).abs() < 4e-15, "{x} {q}: {}", zeta(x, q));
            assert!((f64::from(zeta(x as f32, q as f32)) / value - 1.0).abs() < 1e-6, "{x} {q}");
        }
        assert!((zeta(1.000_001f64, 3.0) / 999_999.077_215_631 - 1.0).abs() < 1e-9);
        assert!((polygamma(1.0f64, 1.0) - PI * PI / 6.0).abs() < 1e-14);
        assert!((polygamma(2.0f64, 1.0) + 2.0 * apery).abs() < 1e-13);
    }

    #[test]
    fn sums_from_far_below_zero_end() {
        let direct: f64 = sum(2.0, -999.5);
        assert!((direct / reflected(2.0, -999.5, true) - 1.0).abs() < 1e-12);
        assert!((zeta(2.0f64, -1e15 - 0.5) - PI * PI).abs() < 1e-9);
        assert!(zeta(2.0f32, -1000.5).is_finite() && zeta(3.0f64, -1e300).is_nan());
    }

    #[test]
    fn poles_and_what_is_undefined() {
        assert_eq!((zeta(1.0, -0.5), zeta(2.0, -3.0), zeta(2.0, 0.0)), (f64::INFINITY, f64::INFINITY, f64::INFINITY));
        for (x, q) in [(0.5f64, 1.0), (3.0, -1.0), (2.5, -0.5), (2.5, 0.0), (f64::NAN, 1.0), (2.0, f64::NAN)] {
            assert!(zeta(x, q).is_nan(), "{x} {q}");
        }
        assert!(polygamma(0.5f64, 1.0).is_nan() && polygamma(-1.0f64, 1.0).is_nan());
    }
}
