//! Bessel functions, incomplete gamma functions, the zeta function, quantiles: after the Cephes library.

use oplink::prelude::*;
use oplink_ops::math::{BesselI0e, BesselI1e, Igamma, IgammaGradA, Igammac, Ndtri, Polygamma, RandomGammaGrad, Zeta};

/// `exp(-|x|)` times the modified Bessel function of order 0.
#[kernel(BesselI0e, device = CPU, scalar, T = [f16, f32, f64])]
pub fn scaled_bessel_of_order_zero<T: Float>(x: T) -> T {
    x.bessel_i0e()
}

/// `exp(-|x|)` times the modified Bessel function of order 1.
#[kernel(BesselI1e, device = CPU, scalar, T = [f16, f32, f64])]
pub fn scaled_bessel_of_order_one<T: Float>(x: T) -> T {
    x.bessel_i1e()
}

/// The quantile of the normal distribution.
#[kernel(Ndtri, device = CPU, scalar, T = [f32, f64])]
pub fn normal_quantile<T: Float>(x: T) -> T {
    x.ndtri()
}

/// The regularized lower incomplete gamma function.
#[kernel(Igamma, device = CPU, scalar, T = [f32, f64])]
pub fn lower_incomplete_gamma<T: Float>(a: T, x: T) -> T {
    a.igamma(x)
}

/// The regularized upper incomplete gamma function.
#[kernel(Igammac, device = CPU, scalar, T = [f32, f64])]
pub fn upper_incomplete_gamma<T: Float>(a: T, x: T) -> T {
    a.igammac(x)
}

/// The derivative of the lower incomplete gamma function by its order.
#[kernel(IgammaGradA, device = CPU, scalar, T = [f32, f64])]
pub fn lower_incomplete_gamma_by_order<T: Float>(a: T, x: T) -> T {
    a.igamma_grad_a(x)
}

/// The derivative of a sample of the gamma distribution by its shape.
#[kernel(RandomGammaGrad, device = CPU, scalar, T = [f32, f64])]
pub fn gamma_sample_by_shape<T: Float>(alpha: T, sample: T) -> T {
    alpha.random_gamma_grad(sample)
}

/// The derivative of order `a` of the digamma function.
#[kernel(Polygamma, device = CPU, scalar, T = [f32, f64])]
pub fn derivative_of_digamma<T: Float>(a: T, x: T) -> T {
    a.polygamma(x)
}

/// The Hurwitz zeta function.
#[kernel(Zeta, device = CPU, scalar, T = [f32, f64])]
pub fn hurwitz_zeta<T: Float>(x: T, q: T) -> T {
    x.zeta(q)
}
