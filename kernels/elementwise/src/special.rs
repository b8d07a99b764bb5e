//! The error function, the gamma function, and their kin.

use oplink::prelude::*;
use oplink_ops::math::{Digamma, Erf, Erfc, Erfinv, Lgamma};

/// The Gauss error function.
#[kernel(Erf, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn error_function<T: Float>(x: T) -> T {
    x.erf()
}

/// `1 - erf(x)`.
#[kernel(Erfc, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn complementary_error_function<T: Float>(x: T) -> T {
    x.erfc()
}

/// What has this error function.
#[kernel(Erfinv, device = [CPU, #[cfg(feature = "gpu")] GPU(T = [f16, bf16, f32])], scalar, T = [f32, f64])]
pub fn inverse_error_function<T: Float>(x: T) -> T {
    x.erfinv()
}

/// The logarithm of the magnitude of the gamma function.
#[kernel(Lgamma, device = [CPU, #[cfg(feature = "gpu")] GPU(T = [f16, f32])], scalar, T = [f16, f32, f64])]
pub fn logarithm_of_gamma<T: Float>(x: T) -> T {
    x.lgamma()
}

/// The derivative of the logarithm of the gamma function.
#[kernel(Digamma, device = [CPU, #[cfg(feature = "gpu")] GPU(T = [f16, f32])], scalar, T = [f16, f32, f64])]
pub fn derivative_of_lgamma<T: Float>(x: T) -> T {
    x.digamma()
}
