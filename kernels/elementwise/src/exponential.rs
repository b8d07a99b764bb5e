//! Exponential functions, logarithms, roots and powers.

use oplink::prelude::*;
use oplink_ops::math::{Exp, Expm1, Log, Log1p, Pow, Rsqrt, Sigmoid, Sqrt, Xlog1py, Xlogy};

/// `e^x`.
#[kernel(Exp, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn exponential<T: Float>(x: T) -> T {
    x.exp()
}

/// `e^x - 1`.
#[kernel(Expm1, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn exponential_less_one<T: Float>(x: T) -> T {
    x.exp_m1()
}

/// The natural logarithm.
#[kernel(Log, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn logarithm<T: Float>(x: T) -> T {
    x.ln()
}

/// The natural logarithm of `1 + x`.
#[kernel(Log1p, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn logarithm_of_one_more<T: Float>(x: T) -> T {
    x.ln_1p()
}

/// `1 / (1 + e^-x)`.
#[kernel(Sigmoid, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn sigmoid<T: Float>(x: T) -> T {
    x.sigmoid()
}

/// The square root.
#[kernel(Sqrt, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn root<T: Float>(x: T) -> T {
    x.sqrt()
}

/// `1 / sqrt(x)`.
#[kernel(Rsqrt, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn reciprocal_root<T: Float>(x: T) -> T {
    T::one() / x.sqrt()
}

/// `x^y`.
#[kernel(Pow, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn power<T: Float>(x: T, y: T) -> T {
    x.powf(y)
}

/// `x * log(y)`, and 0 where `x` is 0.
#[kernel(Xlogy, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn zero_or_logarithm<T: Float>(x: T, y: T) -> T {
    let product = x * y.ln();
    if x == T::zero() { x } else { product }
}

/// `x * log(1 + y)`, and 0 where `x` is 0.
#[kernel(Xlog1py, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn zero_or_logarithm_of_one_more<T: Float>(x: T, y: T) -> T {
    let product = x * y.ln_1p();
    if x == T::zero() { x } else { product }
}
