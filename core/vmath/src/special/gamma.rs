//! The incomplete gamma functions, by the series and the continued fraction of the Cephes library (Moshier, `igam.c`,
//! 1992).

use std::array::from_fn;

use super::precision::Precision;

/// Terms after which a series or a fraction is given up.
const MOST_TERMS: usize = 2000;

/// The regularised lower incomplete gamma function `P(a, x)`; NaN where `a <= 0` or `x < 0`, but 0 for `x = 0`.
pub fn igamma<T: Precision>(a: T, x: T) -> T {
    if x == T::zero() {
        T::zero()
    } else if is_outside(a, x) {
        T::nan()
    } else if x > T::one() && x > a {
        T::one() - upper_fraction(a, x)
    } else {
        lower_series(a, x)
    }
}

/// The regularised upper incomplete gamma function `Q(a, x) = 1 - P(a, x)`; NaN where `a <= 0` or `x < 0`.
pub fn igammac<T: Precision>(a: T, x: T) -> T {
    if is_outside(a, x) {
        T::nan()
    } else if x < T::one() || x < a {
        T::one() - lower_series(a, x)
    } else {
        upper_fraction(a, x)
    }
}

fn is_outside<T: Precision>(a: T, x: T) -> bool {
    a.is_nan() || x.is_nan() || a <= T::zero() || x < T::zero()
}

/// `x^a exp(-x) / Gamma(a)`; 0 where that is below the smallest normal numbers, or an infinite `a` leaves it undefined.
fn density<T: Precision>(a: T, x: T) -> T {
    let log = a * x.ln() - x - a.ln_gamma();
    if log < -T::max_value().ln() || log.is_nan() { T::zero() } else { log.exp() }
}

/// `P` by DLMF 8.11.4.
fn lower_series<T: Precision>(a: T, x: T) -> T {
    let factor = density(a, x);
    if factor == T::zero() {
        return factor;
    }
    let (mut base, mut term, mut sum) = (a, T::one(), T::one());
    for _ in 0..MOST_TERMS {
        base = base + T::one();
        term = term * (x / base);
        sum = sum + term;
        if term <= T::ROUNDING * sum {
            break;
        }
    }
    sum * (factor / a)
}

/// `Q` by the even part of DLMF 8.9.2: numerators and denominators of its convergents by their recurrence.
fn upper_fraction<T: Precision>(a: T, x: T) -> T {
    if x.is_infinite() {
        return T::zero();
    }
    let factor = density(a, x);
    if factor == T::zero() {
        return factor;
    }
    let (one, mut count, mut y) = (T::one(), T::zero(), T::one() - a);
    let mut z = x + y + one;
    let (mut before, mut last) = ([one, x], [x + one, z * x]);
    let mut value = last[0] / last[1];
    for _ in 0..MOST_TERMS {
        (count, y, z) = (count + one, y + one, z + one + one);
        let product = y * count;
        let next: [T; 2] = from_fn(|part| last[part] * z - before[part] * product);
        if next[1] != T::zero() {
            let previous = value;
            value = next[0] / next[1];
            if (previous - value).abs() <= T::ROUNDING * value.abs() {
                break;
            }
        }
        (before, last) = (last, next);
        if next[0].abs() > T::LARGE {
            (before, last) = (before.map(|part| part * T::SMALL), last.map(|part| part * T::SMALL));
        }
    }
    value * factor
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
            assert!((igamma(a as f32, x as f32) - p as f32).abs() < 1e-6, "{a} {x}");
        }
        assert!((igammac(1e-20f64, 1.0) / 2.193_839_343_955_203e-21 - 1.0).abs() < 1e-13);
    }

    #[test]
    fn series_and_fraction_meet() {
        for a in [1.5f64, 20.0, 90.0] {
            assert!((lower_series(a, a) + upper_fraction(a, a) - 1.0).abs() < 1e-13, "{a}");
        }
    }

    #[test]
    fn ends_of_the_ranges() {
        assert_eq!((igamma(2.0, 0.0), igammac(2.0, 0.0), igamma(2.0, f64::INFINITY)), (0.0, 1.0, 1.0));
        assert_eq!((igamma(f64::INFINITY, 2.0), igammac(f64::INFINITY, 2.0)), (0.0, 1.0));
        assert!(igamma(0.0f64, 1.0).is_nan() && igammac(1.0f64, -1.0).is_nan() && igamma(f32::NAN, 1.0).is_nan());
    }
}
