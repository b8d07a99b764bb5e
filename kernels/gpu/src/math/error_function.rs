//! The error function, what is left of it to 1, and its inverse.
//!
//! Rational approximations of W. J. Cody, Rational Chebyshev approximations for the error function, Mathematics of
//! Computation 23 (1969), good to double precision; the inverse by M. Giles, Approximating the erfinv function, GPU
//! Computing Gems (2011), to single precision.
#![allow(clippy::excessive_precision, clippy::unreadable_literal, reason = "coefficients as they were published")]

use oplink::prelude::*;
use oplink_ops::math::{Erf, Erfc, Erfinv};

/// Both functions in one precision.
macro_rules! error_functions {
    ($float:ident, $erf:ident, $erfc:ident) => {
        /// `erf(x)` for `|x| <= 15/32`.
        #[device_fn]
        fn $erf(x: $float) -> $float {
            let s = x * x;
            let above = (((0.185777706184603153 * s + 3.16112374387056560) * s + 113.864154151050156) * s
                + 377.485237685302021)
                * s
                + 3209.37758913846947;
            let below = (((s + 23.6012909523441209) * s + 244.024637934444173) * s + 1282.61652607737228) * s
                + 2844.23683343917062;
            x * above / below
        }

        /// `erfc(y)` for `y > 15/32`.
        #[device_fn]
        fn $erfc(y: $float) -> $float {
            if y > 27.5 {
                return 0.0;
            }
            // exp(-y^2) by parts whose squares are exact.
            let head = (y * 16.0).trunc() / 16.0;
            let scale = (-head * head).exp() * (-(y - head) * (y + head)).exp();
            if y <= 4.0 {
                let above = ((((((((2.15311535474403846e-8 * y + 0.564188496988670089) * y + 8.88314979438837594)
                    * y
                    + 66.1191906371416295)
                    * y
                    + 298.635138197400131)
                    * y
                    + 881.952221241769090)
                    * y
                    + 1712.04761263407058)
                    * y
                    + 2051.07837782607147)
                    * y)
                    + 1230.33935479799725;
                let below = (((((((y + 15.7449261107098347) * y + 117.693950891312499) * y + 537.181101862009858)
                    * y
                    + 1621.38957456669019)
                    * y
                    + 3290.79923573345963)
                    * y
                    + 4362.61909014324716)
                    * y
                    + 3439.36767414372164)
                    * y
                    + 1230.33935480374942;
                return scale * above / below;
            }
            let s = 1.0 / (y * y);
            let above = ((((0.0163153871373020978 * s + 0.305326634961232344) * s + 0.360344899949804439) * s
                + 0.125781726111229246)
                * s
                + 0.0160837851487422766)
                * s
                + 0.000658749161529837803;
            let below = ((((s + 2.56852019228982242) * s + 1.87295284992346725) * s + 0.527905102951428412) * s
                + 0.0605183413124413191)
                * s
                + 0.00233520497626869185;
            scale * (0.564189583547756287 - s * above / below) / y
        }
    };
}

error_functions!(f32, near_zero, far_from_zero);
error_functions!(f64, near_zero_of_doubles, far_from_zero_of_doubles);

/// The error function.
#[kernel(Erf, device = GPU, T = [f16, bf16, f32], uses = [near_zero, far_from_zero])]
fn erf<T: Float>(x: T) -> T {
    let x = x.to_f32();
    let y = x.abs();
    let value = if y <= 0.46875 {
        near_zero(x)
    } else if y.is_nan() {
        x
    } else {
        (1.0 - far_from_zero(y)).copysign(x)
    };
    T::from_f32(value)
}

/// The error function.
#[kernel(Erf, device = GPU, T = [f64], uses = [near_zero_of_doubles, far_from_zero_of_doubles])]
fn erf_of_doubles(x: f64) -> f64 {
    let y = x.abs();
    if y <= 0.46875 {
        near_zero_of_doubles(x)
    } else if y.is_nan() {
        x
    } else {
        (1.0 - far_from_zero_of_doubles(y)).copysign(x)
    }
}

/// One less the error function.
#[kernel(Erfc, device = GPU, T = [f16, bf16, f32], uses = [near_zero, far_from_zero])]
fn erfc<T: Float>(x: T) -> T {
    let x = x.to_f32();
    let y = x.abs();
    let value = if y <= 0.46875 {
        1.0 - near_zero(x)
    } else if y.is_nan() {
        x
    } else if x < 0.0 {
        2.0 - far_from_zero(y)
    } else {
        far_from_zero(y)
    };
    T::from_f32(value)
}

/// One less the error function.
#[kernel(Erfc, device = GPU, T = [f64], uses = [near_zero_of_doubles, far_from_zero_of_doubles])]
fn erfc_of_doubles(x: f64) -> f64 {
    let y = x.abs();
    if y <= 0.46875 {
        1.0 - near_zero_of_doubles(x)
    } else if y.is_nan() {
        x
    } else if x < 0.0 {
        2.0 - far_from_zero_of_doubles(y)
    } else {
        far_from_zero_of_doubles(y)
    }
}

/// What has the error function `x`, to single precision.
#[device_fn]
fn inverse(x: f32) -> f32 {
    let w = -((1.0 - x) * (1.0 + x)).ln();
    if w < 5.0 {
        let w = w - 2.5;
        let p = (((2.81022636e-8 * w + 3.43273939e-7) * w - 3.5233877e-6) * w - 4.39150654e-6) * w + 0.00021858087;
        return ((((p * w - 0.00125372503) * w - 0.00417768164) * w + 0.246640727) * w + 1.50140941) * x;
    }
    let w = w.sqrt() - 3.0;
    let p = (((-0.000200214257 * w + 0.000100950558) * w + 0.00134934322) * w - 0.00367342844) * w + 0.00573950773;
    ((((p * w - 0.0076224613) * w + 0.00943887047) * w + 1.00167406) * w + 2.83297682) * x
}

/// The inverse of the error function: infinities at -1 and 1, NaN outside of them.
#[kernel(Erfinv, device = GPU, T = [f16, bf16, f32], uses = [inverse])]
fn erfinv<T: Float>(x: T) -> T {
    let x = x.to_f32();
    let value = if x.abs() > 1.0 || x.is_nan() {
        f32::NAN
    } else if x.abs() == 1.0 {
        f32::INFINITY.copysign(x)
    } else {
        inverse(x)
    };
    T::from_f32(value)
}
