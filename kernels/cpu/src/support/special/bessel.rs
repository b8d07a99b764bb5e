//! Modified Bessel functions of the first kind, scaled.

use std::f64::consts::TAU;

/// Up to here the power series is used, beyond it the asymptotic one, whose smallest term is below `exp(-2 * 20)` there.
const SERIES_LIMIT: f64 = 20.0;

/// `exp(-|x|)` times the modified Bessel function of the first kind of order 0.
pub fn bessel_i0e(x: f64) -> f64 {
    scaled(x.abs(), 0)
}

/// `exp(-|x|)` times the modified Bessel function of the first kind of order 1.
pub fn bessel_i1e(x: f64) -> f64 {
    scaled(x.abs(), 1).copysign(x)
}

/// The scaled function of order 0 or 1 at `x >= 0`.
fn scaled(x: f64, order: i32) -> f64 {
    match x {
        x if x <= SERIES_LIMIT => power_series(x, order) * (-x).exp(),
        x if x.is_infinite() => 0.0,
        x => asymptotic_series(x, order) / (TAU * x).sqrt(),
    }
}

/// DLMF 10.25.2, of positive terms.
fn power_series(x: f64, order: i32) -> f64 {
    let square = 0.25 * x * x;
    let mut term = (0.5 * x).powi(order);
    let mut sum = term;
    for k in 1..100 {
        term *= square / f64::from(k * (k + order));
        sum += term;
        if term < sum * 1e-17 {
            break;
        }
    }
    sum
}

/// DLMF 10.40.1 without its first factor.
fn asymptotic_series(x: f64, order: i32) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..40 {
        let odd = 2 * k - 1;
        term *= f64::from(odd * odd - 4 * order * order) / (8.0 * f64::from(k) * x);
        sum += term;
        if term.abs() < 1e-17 {
            break;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_series_meet() {
        for order in [0, 1] {
            let (power, asymptotic) = (power_series(20.0, order) * (-20.0f64).exp(), asymptotic_series(20.0, order));
            assert!((power * (TAU * 20.0).sqrt() / asymptotic - 1.0).abs() < 4e-15);
        }
    }

    #[test]
    fn the_wronskian_like_recurrence_holds() {
        // I0' = I1, by central differences of the scaled functions: (exp(x) I0e)' = exp(x) I1e.
        for x in [0.5, 3.0, 12.0, 30.0] {
            let h = 1e-5;
            let slope = (bessel_i0e(x + h) - bessel_i0e(x - h)) / (2.0 * h) + bessel_i0e(x);
            assert!((slope / bessel_i1e(x) - 1.0).abs() < 1e-9, "{x}");
        }
        assert_eq!((bessel_i0e(0.0), bessel_i1e(0.0), bessel_i0e(f64::INFINITY)), (1.0, 0.0, 0.0));
        assert!(bessel_i0e(f64::NAN).is_nan() && bessel_i1e(f64::NAN).is_nan());
    }
}
