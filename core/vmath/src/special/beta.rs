//! The incomplete beta function, by the series and the fractions of the Cephes library (Moshier, `incbet.c` and
//! `incbetf.c`, 1987-1992). The algorithm for single precision chooses among them in another way than that for double
//! precision.

use super::precision::Precision;

/// Terms after which a series is given up.
const MOST_TERMS: usize = 20_000;

/// The regularised incomplete beta function `I_x(a, b)`; NaN where `a` or `b` is not positive, or `x` not in [0, 1].
pub fn betainc<T: Precision>(a: T, b: T, x: T) -> T {
    let (zero, one) = (T::zero(), T::one());
    if a <= zero || b <= zero || x < zero || x > one {
        return T::nan();
    }
    if x == zero || x == one {
        return x;
    }
    if T::IS_SINGLE { single(a, b, x) } else { double(a, b, x) }
}

/// In double precision, for `0 < x < 1`.
fn double<T: Precision>(a: T, b: T, x: T) -> T {
    let (one, most) = (T::one(), T::of(0.95));
    if b * x <= one && x <= most {
        return series(a, b, x);
    }
    let is_upper = x > a / (a + b);
    let (a, b, x, rest) = if is_upper { (b, a, one - x, x) } else { (a, b, x, one - x) };
    let part = if is_upper && b * x <= one && x <= most {
        series(a, b, x)
    } else {
        let direct = x * (a + b - T::of(2.0)) - (a - one) < T::zero();
        let value = fraction(a, b, x, direct);
        let value = if direct { value } else { value / rest };
        let logs = a * x.ln() + (b * rest.ln() + log_inverse_beta(a, b));
        (logs + (value / a).ln()).exp()
    };
    match part {
        part if !is_upper => part,
        part if part <= T::ROUNDING => one - T::ROUNDING,
        part => one - part,
    }
}

/// In single precision, for `0 < x < 1`.
fn single<T: Precision>(a: T, b: T, x: T) -> T {
    let one = T::one();
    if a > one {
        return single_above_one(a, b, x);
    }
    // DLMF 8.17.20.
    let step = a * x.ln() + b * (-x).ln_1p() + (a + b).ln_gamma() - (a + one).ln_gamma() - b.ln_gamma();
    single_above_one(a + one, b, x) + step.exp()
}

fn single_above_one<T: Precision>(a: T, b: T, x: T) -> T {
    let (one, two) = (T::one(), T::of(2.0));
    let is_upper = x > a / (a + b);
    let (a, b, x, rest) = if is_upper { (b, a, one - x, x) } else { (a, b, x, one - x) };
    let part = if b > T::of(10.0) && (b * x / a).abs() < T::of(0.3) {
        finite_series(a, b, x)
    } else {
        let direct = x * (a + b - two) / (a - one) < one;
        let power = if direct { b } else { b - one };
        let value = fraction(a, b, x, direct);
        let logs = a * x.ln() + (a + b).ln_gamma() - a.ln_gamma() - b.ln_gamma();
        (power * rest.ln() + logs + (value / a).ln()).exp()
    };
    if is_upper { one - part } else { part }
}

/// `ln(Gamma(a + b) / (Gamma(a) Gamma(b)))`.
fn log_inverse_beta<T: Precision>(a: T, b: T) -> T {
    (a + b).ln_gamma() - a.ln_gamma() - b.ln_gamma()
}

/// The power series of `x` (DLMF 8.17.7), for `b * x` of at most 1.
fn series<T: Precision>(a: T, b: T, x: T) -> T {
    let (one, inverse) = (T::one(), T::one() / a);
    let mut term = (one - b) * x;
    let first = term / (a + one);
    let (mut part, mut sum, mut n) = (first, T::zero(), T::of(2.0));
    for _ in 0..MOST_TERMS {
        if part.abs() <= T::ROUNDING * inverse || part.is_nan() {
            break;
        }
        term = term * ((n - b) * x / n);
        part = term / (a + n);
        sum = sum + part;
        n = n + one;
    }
    let sum = sum + first + inverse;
    (log_inverse_beta(a, b) + a * x.ln() + sum.ln()).exp()
}

/// The series of `x / (1 - x)` that a whole `b` ends, for a small `b * x / a`.
fn finite_series<T: Precision>(a: T, b: T, x: T) -> T {
    let one = T::one();
    let logs = a * x.ln() + (b - one) * (-x).ln_1p() - a.ln();
    let logs = logs - (a.ln_gamma() + b.ln_gamma()) + (a + b).ln_gamma();
    let (odds, mut above, mut below) = (x / (one - x), b, a);
    let (mut term, mut sum) = (one, T::zero());
    for _ in 0..MOST_TERMS {
        above = above - one;
        if above == T::zero() {
            break;
        }
        below = below + one;
        term = term * (odds * above / below);
        sum = sum + term;
        if term.abs() <= T::ROUNDING || term.is_nan() {
            break;
        }
    }
    logs.exp() * (one + sum)
}

/// The continued fraction in `x` (`direct`), or that in `x / (1 - x)`, by the recurrence of its convergents.
fn fraction<T: Precision>(a: T, b: T, x: T, direct: bool) -> T {
    let (terms, limit) = if T::IS_SINGLE { (100, T::ROUNDING) } else { (300, T::of(3.0) * T::ROUNDING) };
    let (zero, one, two) = (T::zero(), T::one(), T::of(2.0));
    let (mut rising, mut falling, step, x) =
        if direct { (a + b, b - one, one, x) } else { (b - one, a + b, -one, x / (one - x)) };
    let (mut k, mut odd, mut n) = (a, a, one);
    let (mut numerators, mut denominators, mut value) = ([zero, one], [one, one], one);
    for _ in 0..terms {
        for coefficient in [-(x * k * rising) / (odd * (odd + one)), (x * n * falling) / ((odd + one) * (odd + two))] {
            let next = |pair: [T; 2]| [pair[1], pair[1] + pair[0] * coefficient];
            (numerators, denominators) = (next(numerators), next(denominators));
        }
        if denominators[1] != zero {
            let last = numerators[1] / denominators[1];
            if (value - last).abs() < last.abs() * limit {
                return last;
            }
            value = last;
        }
        (k, n, odd, rising, falling) = (k + one, n + one, odd + two, rising + step, falling - step);
        let (above, below) = (numerators[1].abs(), denominators[1].abs());
        let mut scale = |by: T| (numerators, denominators) = (numerators.map(|p| p * by), denominators.map(|p| p * by));
        if above + below > T::LARGE {
            scale(T::SMALL);
        }
        if above < T::SMALL || below < T::SMALL {
            scale(T::LARGE);
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_known() {
        for (a, b, x, value) in
            [(1.0f64, 1.0, 0.3, 0.3), (2.0, 3.0, 0.3, 0.3483), (2.0, 1.0, 0.5, 0.25), (0.5, 0.5, 0.5, 0.5)]
        {
            assert!((betainc(a, b, x) - value).abs() < 2e-15, "{a} {b} {x}");
            assert!((betainc(a as f32, b as f32, x as f32) - value as f32).abs() < 1e-6, "{a} {b} {x}");
        }
        assert!(betainc(0.0f64, 1.0, 0.5).is_nan() && betainc(1.0f64, 1.0, 1.5).is_nan());
        assert!(betainc(1.0, f64::NAN, 0.5).is_nan() && betainc(1.0f32, 1.0, f32::NAN).is_nan());
    }

    #[test]
    fn the_ways_of_computing_agree() {
        for (a, b, x) in [(3.0f64, 4.0, 0.2), (30.0, 40.0, 0.4), (2.5, 60.0, 0.03), (60.0, 12.5, 0.8), (0.3, 7.0, 0.1)]
        {
            let value = double(a, b, x);
            assert!((double(b, a, 1.0 - x) + value - 1.0).abs() < 1e-13, "{a} {b} {x}");
            assert!(b * x > 2.0 || (series(a, b, x) / value - 1.0).abs() < 1e-13, "{a} {b} {x}");
            assert!((f64::from(single(a as f32, b as f32, x as f32)) - value).abs() < 3e-5, "{a} {b} {x}");
        }
    }

    #[test]
    fn extreme_parameters_end() {
        let extremes = [1e-38f32, 0.5, 14.5, 1e5, 1e30, f32::MAX, f32::INFINITY];
        for (a, b) in extremes.iter().flat_map(|&a| extremes.map(|b| (a, b))) {
            for x in [1e-30f32, 0.3, 0.9, 0.999_999_9] {
                betainc(a, b, x);
                betainc(f64::from(a), f64::from(b), f64::from(x));
            }
        }
    }
}
