//! Trigonometric and hyperbolic functions and their inverses.

use oplink::prelude::*;
use oplink_ops::math::{Acos, Acosh, Asin, Asinh, Atan, Atan2, Atanh, Cos, Cosh, Sin, Sinh, Tan, Tanh};

/// Sine of radians.
#[kernel(Sin, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn sine<T: Float>(x: T) -> T {
    x.sin()
}

/// Cosine of radians.
#[kernel(Cos, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn cosine<T: Float>(x: T) -> T {
    x.cos()
}

/// Tangent of radians.
#[kernel(Tan, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn tangent<T: Float>(x: T) -> T {
    x.tan()
}

/// The angle of a sine.
#[kernel(Asin, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn arc_sine<T: Float>(x: T) -> T {
    x.asin()
}

/// The angle of a cosine.
#[kernel(Acos, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn arc_cosine<T: Float>(x: T) -> T {
    x.acos()
}

/// The angle of a tangent.
#[kernel(Atan, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn arc_tangent<T: Float>(x: T) -> T {
    x.atan()
}

/// The hyperbolic sine.
#[kernel(Sinh, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn hyperbolic_sine<T: Float>(x: T) -> T {
    x.sinh()
}

/// The hyperbolic cosine.
#[kernel(Cosh, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn hyperbolic_cosine<T: Float>(x: T) -> T {
    x.cosh()
}

/// The hyperbolic tangent.
#[kernel(Tanh, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn hyperbolic_tangent<T: Float>(x: T) -> T {
    x.tanh()
}

/// What has this hyperbolic sine.
#[kernel(Asinh, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn area_sine<T: Float>(x: T) -> T {
    x.asinh()
}

/// What has this hyperbolic cosine.
#[kernel(Acosh, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn area_cosine<T: Float>(x: T) -> T {
    x.acosh()
}

/// What has this hyperbolic tangent.
#[kernel(Atanh, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn area_tangent<T: Float>(x: T) -> T {
    x.atanh()
}

/// The angle of the point `(x, y)`.
#[kernel(Atan2, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [floats])]
pub fn angle<T: Float>(y: T, x: T) -> T {
    y.atan2(x)
}
