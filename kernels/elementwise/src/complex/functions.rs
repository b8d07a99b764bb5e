//! Functions of complex numbers in double precision, accurate near zeros and branch points.
//!
//! The inverse functions follow Kahan, "Branch cuts for complex elementary functions" (1987): square roots of `1 - z`
//! and `1 + z` in place of that of `1 - z * z`, so that nothing cancels.

use std::f64::consts::FRAC_PI_2;

use oplink::prelude::Complex;

/// A number of double precision.
pub(super) type C = Complex<f64>;

/// `i * z`.
fn times_i(z: C) -> C {
    C::new(-z.im, z.re)
}

/// `-i * z`.
fn over_i(z: C) -> C {
    C::new(z.im, -z.re)
}

/// `x / y` by Smith's method, without overflow on the way.
pub(super) fn div(x: C, y: C) -> C {
    if y.re.abs() >= y.im.abs() {
        let ratio = y.im / y.re;
        let scale = y.re + y.im * ratio;
        C::new((x.re + x.im * ratio) / scale, (x.im - x.re * ratio) / scale)
    } else {
        let ratio = y.re / y.im;
        let scale = y.re * ratio + y.im;
        C::new((x.re * ratio + x.im) / scale, (x.im * ratio - x.re) / scale)
    }
}

/// The principal square root: real part not negative, cut along the negative real axis.
pub(super) fn sqrt(z: C) -> C {
    if z.re == 0.0 && z.im == 0.0 {
        return C::new(0.0, z.im);
    }
    if z.im.is_infinite() {
        return C::new(f64::INFINITY, z.im);
    }
    let root = f64::midpoint(z.re.abs(), z.norm()).sqrt();
    let other = z.im.abs() / (2.0 * root);
    let (re, im) = if z.re >= 0.0 { (root, other) } else { (other, root) };
    C::new(re, im.copysign(z.im))
}

/// `1 / sqrt(z)`; an infinite real part and no imaginary one for 0, 0 for infinities.
pub(super) fn rsqrt(z: C) -> C {
    if z == C::new(0.0, 0.0) {
        return C::new(f64::INFINITY, f64::NAN);
    }
    if z.re.is_infinite() || z.im.is_infinite() {
        return C::new(0.0, 0.0);
    }
    div(C::new(1.0, 0.0), sqrt(z))
}

/// `e` to the power `z`; 0 for a real part of minus infinity, whatever the imaginary one is.
pub(super) fn exp(z: C) -> C {
    if z.im == 0.0 {
        return C::new(z.re.exp(), z.im);
    }
    if z.re.is_infinite() && !z.im.is_finite() {
        return if z.re < 0.0 { C::new(0.0, 0.0f64.copysign(z.im)) } else { C::new(z.re, f64::NAN) };
    }
    C::from_polar(z.re.exp(), z.im)
}

/// `exp(z) - 1`.
pub(super) fn exp_m1(z: C) -> C {
    let half = (z.im / 2.0).sin();
    let (sin, cos) = z.im.sin_cos();
    let im = if z.im == 0.0 { z.im } else { z.re.exp() * sin };
    C::new(z.re.exp_m1() * cos - 2.0 * half * half, im)
}

/// The principal logarithm, cut along the negative real axis.
///
/// Near the unit circle the real part is half of `log1p(|z|^2 - 1)`, with the difference taken before it is rounded.
pub(super) fn ln(z: C) -> C {
    let norm = z.norm();
    let re = if (0.5..2.0).contains(&norm) {
        let (x, y) = (z.re.abs().max(z.im.abs()), z.re.abs().min(z.im.abs()));
        ((x - 1.0) * (x + 1.0) + y * y).ln_1p() / 2.0
    } else {
        norm.ln()
    };
    C::new(re, z.arg())
}

/// `log(1 + z)`.
pub(super) fn ln_1p(z: C) -> C {
    let re = if z.norm() < 0.5 { 0.5 * (z.re * (2.0 + z.re) + z.im * z.im).ln_1p() } else { (z + 1.0).norm().ln() };
    C::new(re, z.im.atan2(1.0 + z.re))
}

/// Hyperbolic sine.
pub(super) fn sinh(z: C) -> C {
    let (sin, cos) = z.im.sin_cos();
    C::new(z.re.sinh() * cos, if z.im == 0.0 { z.im } else { z.re.cosh() * sin })
}

/// Hyperbolic cosine.
pub(super) fn cosh(z: C) -> C {
    let (sin, cos) = z.im.sin_cos();
    C::new(z.re.cosh() * cos, z.re.sinh() * sin)
}

/// Hyperbolic tangent.
pub(super) fn tanh(z: C) -> C {
    if z.re == 0.0 && !z.im.is_finite() {
        return C::new(z.re, f64::NAN);
    }
    if z.re.abs() > 20.0 {
        if !z.im.is_finite() {
            let (re, im) = if z.re.is_infinite() { (1.0_f64.copysign(z.re), 0.0) } else { (f64::NAN, f64::NAN) };
            return C::new(re, im);
        }
        let im = 4.0 * z.im.sin() * z.im.cos() * (-2.0 * z.re.abs()).exp();
        return C::new(1.0_f64.copysign(z.re), im);
    }
    let (t, s, c) = (z.im.tan(), z.re.sinh(), z.re.cosh());
    let scale = 1.0 + t * t;
    if t.is_infinite() {
        return C::new(c / s, 1.0 / t);
    }
    let below = 1.0 + scale * s * s;
    C::new(scale * c * s / below, t / below)
}

/// Sine.
pub(super) fn sin(z: C) -> C {
    over_i(sinh(times_i(z)))
}

/// Cosine.
pub(super) fn cos(z: C) -> C {
    cosh(times_i(z))
}

/// Tangent.
pub(super) fn tan(z: C) -> C {
    over_i(tanh(times_i(z)))
}

/// `1 - z` with the sign of an imaginary part of zero turned too.
fn one_minus(z: C) -> C {
    C::new(1.0 - z.re, -z.im)
}

/// Inverse sine.
pub(super) fn asin(z: C) -> C {
    let (minus, plus) = (sqrt(one_minus(z)), sqrt(1.0 + z));
    C::new(z.re.atan2((minus * plus).re), libm::asinh((minus.conj() * plus).im))
}

/// Inverse cosine.
pub(super) fn acos(z: C) -> C {
    let (minus, plus) = (sqrt(one_minus(z)), sqrt(1.0 + z));
    C::new(2.0 * minus.re.atan2(plus.re), libm::asinh((plus.conj() * minus).im))
}

/// Inverse tangent.
pub(super) fn atan(z: C) -> C {
    over_i(atanh(times_i(z)))
}

/// Inverse hyperbolic sine.
pub(super) fn asinh(z: C) -> C {
    over_i(asin(times_i(z)))
}

/// Inverse hyperbolic cosine.
pub(super) fn acosh(z: C) -> C {
    let (minus, plus) = (sqrt(z - 1.0), sqrt(z + 1.0));
    C::new(libm::asinh((minus.conj() * plus).re), 2.0 * minus.im.atan2(plus.re))
}

/// Inverse hyperbolic tangent.
pub(super) fn atanh(z: C) -> C {
    if z.re.is_infinite() || z.im.is_infinite() {
        let im = if z.im.is_nan() { f64::NAN } else { FRAC_PI_2.copysign(z.im) };
        return C::new(0.0_f64.copysign(z.re), im);
    }
    let x = z.re.abs();
    let below = (1.0 - x) * (1.0 - x) + z.im * z.im;
    let re = ((4.0 * x / below).ln_1p() / 4.0).copysign(z.re);
    let im = (2.0 * z.im).atan2((1.0 - z.re) * (1.0 + z.re) - z.im * z.im) / 2.0;
    C::new(re, im)
}

/// `1 / (1 + exp(-z))`.
pub(super) fn sigmoid(z: C) -> C {
    if z.re < 0.0 {
        let power = exp(z);
        return div(power, 1.0 + power);
    }
    div(C::new(1.0, 0.0), 1.0 + exp(-z))
}

/// `z / |z|`; 0 for 0.
pub(super) fn sign(z: C) -> C {
    let norm = z.norm();
    if norm == 0.0 { C::new(0.0, 0.0) } else { z / norm }
}

/// `x` to the power `y`; `0` to a power is 0, but 1 to the power 0.
pub(super) fn pow(x: C, y: C) -> C {
    if x == C::new(0.0, 0.0) {
        return if y == x { C::new(1.0, 0.0) } else { C::new(0.0, 0.0) };
    }
    exp(y * ln(x))
}
