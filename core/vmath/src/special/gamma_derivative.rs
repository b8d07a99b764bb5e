//! Derivatives of the incomplete gamma function by its order: those of the series and of the continued fraction of the
//! Cephes library (Moshier, `igam.c`, 1992), step by step.

use std::array::from_fn;

use super::digamma;
use super::precision::Precision;

/// The derivative of the regularised lower incomplete gamma function `P(a, x)` by `a`; NaN where `a <= 0` or `x < 0`.
pub fn igamma_grad_a<T: Precision>(a: T, x: T) -> T {
    by_order(a, x, |sums, density| sums * density)
}

/// The derivative of a sample `x` of the gamma distribution by its shape `a`: that of `P` by `a` over that by `x`,
/// negative (Figurnov, Mohamed and Mnih, "Implicit Reparameterization Gradients", 2018).
pub fn random_gamma_grad<T: Precision>(a: T, x: T) -> T {
    by_order(a, x, |sums, _| -sums * x)
}

/// What `finish` makes of the derivative of `P` by `a` over a density, and of that density: `x^a exp(-x) / Gamma(a)`.
/// 0 where that is below the smallest normal numbers, or an infinite `a` leaves it undefined.
fn by_order<T: Precision>(a: T, x: T, finish: impl Fn(T, T) -> T) -> T {
    if x == T::zero() {
        return T::zero();
    }
    if a.is_nan() || x.is_nan() || a <= T::zero() || x < T::zero() {
        return T::nan();
    }
    let is_upper = x > T::one() && x > a;
    if is_upper && x.is_infinite() {
        return -T::zero();
    }
    let log = a * x.ln() - x - a.ln_gamma();
    if log < -T::max_value().ln() || log.is_nan() {
        return T::zero();
    }
    let density = log.exp();
    let slope = |a: T| x.ln() - T::of(digamma(a.double()));
    if is_upper {
        let (sum, derivative) = upper_fraction(a, x);
        return finish(-(derivative + sum * slope(a)), density);
    }
    let (sum, derivative) = lower_series(a, x);
    finish((derivative + sum * slope(a + T::one())) / a, density)
}

/// Terms after which a series or a fraction is given up.
fn most_terms<T: Precision>() -> usize {
    if T::IS_SINGLE { 200 } else { 500 }
}

/// The sum of DLMF 8.11.4, `1 + x / (a + 1) + …`, and its derivative by `a`.
fn lower_series<T: Precision>(a: T, x: T) -> (T, T) {
    let (mut base, mut term, mut sum) = (a, T::one(), T::one());
    let (mut term_by_a, mut sum_by_a) = (T::zero(), T::zero());
    for _ in 0..most_terms::<T>() {
        base = base + T::one();
        let factor = x / base;
        term_by_a = factor * term_by_a - factor / base * term;
        term = term * factor;
        sum = sum + term;
        sum_by_a = sum_by_a + term_by_a;
        if term_by_a.abs() <= T::ROUNDING * sum_by_a.abs() {
            break;
        }
    }
    (sum, sum_by_a)
}

/// The even part of the fraction of DLMF 8.9.2 by the recurrence of its convergents, and its derivative by `a`.
fn upper_fraction<T: Precision>(a: T, x: T) -> (T, T) {
    let (one, zero, mut count, mut y) = (T::one(), T::zero(), T::zero(), T::one() - a);
    let mut z = x + y + one;
    let (mut before, mut last) = ([one, x], [x + one, z * x]);
    let (mut before_by_a, mut last_by_a) = ([zero, zero], [zero, -x]);
    let mut value = last[0] / last[1];
    let mut value_by_a = (last_by_a[0] - value * last_by_a[1]) / last[1];
    for _ in 0..most_terms::<T>() {
        (count, y, z) = (count + one, y + one, z + one + one);
        let product = y * count;
        let next: [T; 2] = from_fn(|part| last[part] * z - before[part] * product);
        let next_by_a: [T; 2] =
            from_fn(|part| last_by_a[part] * z - last[part] - before_by_a[part] * product + before[part] * count);
        if next[1] != zero {
            let previous = value_by_a;
            value = next[0] / next[1];
            value_by_a = (next_by_a[0] - value * next_by_a[1]) / next[1];
            if (value_by_a - previous).abs() <= T::ROUNDING {
                break;
            }
        }
        (before, last) = (last, next);
        (before_by_a, last_by_a) = (last_by_a, next_by_a);
        if next[0].abs() > T::LARGE {
            for parts in [&mut before, &mut last, &mut before_by_a, &mut last_by_a] {
                *parts = parts.map(|part| part * T::SMALL);
            }
        }
    }
    (value, value_by_a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::igamma;

    #[test]
    fn they_are_the_quotients_of_small_differences() {
        for (a, x) in [(0.5f64, 0.5f64), (2.0, 3.0), (10.0, 9.0), (30.0, 31.0), (0.1, 4.0)] {
            let step = 1e-5;
            let by_a = (igamma(a + step, x) - igamma(a - step, x)) / (2.0 * step);
            let by_x = (igamma(a, x + step) - igamma(a, x - step)) / (2.0 * step);
            assert!((igamma_grad_a(a, x) / by_a - 1.0).abs() < 1e-7, "{a} {x}");
            assert!((random_gamma_grad(a, x) / (-by_a / by_x) - 1.0).abs() < 1e-7, "{a} {x}");
            assert!((f64::from(igamma_grad_a(a as f32, x as f32)) / by_a - 1.0).abs() < 1e-4, "{a} {x}");
        }
    }

    #[test]
    fn ends_of_the_ranges() {
        assert_eq!((igamma_grad_a(2.0f64, 0.0), igamma_grad_a(2.0f64, f64::INFINITY)), (0.0, 0.0));
        assert!(igamma_grad_a(0.0f64, 1.0).is_nan() && random_gamma_grad(1.0f32, -1.0).is_nan());
    }
}
