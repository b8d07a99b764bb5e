//! Bessel functions, and integrals of elementary functions: Dawson's, the exponential one, Fresnel's, the dilogarithm.

use oplink::prelude::*;
use oplink_ops::math::{
    BesselI0, BesselI1, BesselJ0, BesselJ1, BesselK0, BesselK0e, BesselK1, BesselK1e, BesselY0, BesselY1, Dawsn,
    Expint, FresnelCos, FresnelSin, Spence,
};

/// The modified Bessel function of the first kind of order 0.
#[kernel(BesselI0, device = CPU, scalar, T = [f16, f32, f64])]
pub fn modified_first_bessel_of_order_zero<T: Float>(x: T) -> T {
    x.bessel_i0()
}

/// The modified Bessel function of the first kind of order 1.
#[kernel(BesselI1, device = CPU, scalar, T = [f16, f32, f64])]
pub fn modified_first_bessel_of_order_one<T: Float>(x: T) -> T {
    x.bessel_i1()
}

/// The Bessel function of the first kind of order 0.
#[kernel(BesselJ0, device = CPU, scalar, T = [f16, f32, f64])]
pub fn first_bessel_of_order_zero<T: Float>(x: T) -> T {
    x.bessel_j0()
}

/// The Bessel function of the first kind of order 1.
#[kernel(BesselJ1, device = CPU, scalar, T = [f16, f32, f64])]
pub fn first_bessel_of_order_one<T: Float>(x: T) -> T {
    x.bessel_j1()
}

/// The modified Bessel function of the second kind of order 0.
#[kernel(BesselK0, device = CPU, scalar, T = [f16, f32, f64])]
pub fn modified_second_bessel_of_order_zero<T: Float>(x: T) -> T {
    x.bessel_k0()
}

/// `exp(x)` times the modified Bessel function of the second kind of order 0.
#[kernel(BesselK0e, device = CPU, scalar, T = [f16, f32, f64])]
pub fn scaled_modified_second_bessel_of_order_zero<T: Float>(x: T) -> T {
    x.bessel_k0e()
}

/// The modified Bessel function of the second kind of order 1.
#[kernel(BesselK1, device = CPU, scalar, T = [f16, f32, f64])]
pub fn modified_second_bessel_of_order_one<T: Float>(x: T) -> T {
    x.bessel_k1()
}

/// `exp(x)` times the modified Bessel function of the second kind of order 1.
#[kernel(BesselK1e, device = CPU, scalar, T = [f16, f32, f64])]
pub fn scaled_modified_second_bessel_of_order_one<T: Float>(x: T) -> T {
    x.bessel_k1e()
}

/// The Bessel function of the second kind of order 0.
#[kernel(BesselY0, device = CPU, scalar, T = [f16, f32, f64])]
pub fn second_bessel_of_order_zero<T: Float>(x: T) -> T {
    x.bessel_y0()
}

/// The Bessel function of the second kind of order 1.
#[kernel(BesselY1, device = CPU, scalar, T = [f16, f32, f64])]
pub fn second_bessel_of_order_one<T: Float>(x: T) -> T {
    x.bessel_y1()
}

/// Dawson's integral.
#[kernel(Dawsn, device = CPU, scalar, T = [f32, f64])]
pub fn dawson_integral<T: Float>(x: T) -> T {
    x.dawsn()
}

/// The exponential integral Ei.
#[kernel(Expint, device = CPU, scalar, T = [f32, f64])]
pub fn exponential_integral<T: Float>(x: T) -> T {
    x.expint()
}

/// The Fresnel integral of the cosine.
#[kernel(FresnelCos, device = CPU, scalar, T = [f32, f64])]
pub fn fresnel_cosine_integral<T: Float>(x: T) -> T {
    x.fresnel_cos()
}

/// The Fresnel integral of the sine.
#[kernel(FresnelSin, device = CPU, scalar, T = [f32, f64])]
pub fn fresnel_sine_integral<T: Float>(x: T) -> T {
    x.fresnel_sin()
}

/// The dilogarithm of `1 - x`.
#[kernel(Spence, device = CPU, scalar, T = [f32, f64])]
pub fn dilogarithm<T: Float>(x: T) -> T {
    x.spence()
}
