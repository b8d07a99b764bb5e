//! Gradients of functions of one tensor, from their results `y` and the gradients `dy` of these.

use oplink::prelude::*;
use oplink_ops::math::{InvGrad, ReciprocalGrad, RsqrtGrad, SigmoidGrad, SqrtGrad, TanhGrad};

/// `dy * (1 - y^2)`.
#[kernel(
    TanhGrad,
    device = [CPU, #[cfg(feature = "gpu")] GPU(T = [floats])],
    scalar = same_size,
    T = [floats, complex]
)]
pub fn tanh_grad<T: Number>(y: T, dy: T) -> T {
    dy * (T::one() - y * y)
}

/// `dy * y * (1 - y)`.
#[kernel(
    SigmoidGrad,
    device = [CPU, #[cfg(feature = "gpu")] GPU(T = [floats])],
    scalar = same_size,
    T = [floats, complex]
)]
pub fn sigmoid_grad<T: Number>(y: T, dy: T) -> T {
    dy * y * (T::one() - y)
}

/// `-dy * y^3 / 2`; 0 where `dy` is.
#[kernel(RsqrtGrad, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar = same_size, T = [floats])]
pub fn rsqrt_grad<T: Float>(y: T, dy: T) -> T {
    if dy == T::zero() { dy } else { dy * T::from_float(-0.5) * y * (y * y) }
}

/// `dy / 2 / y`; 0 where `dy` is.
#[kernel(SqrtGrad, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar = same_size, T = [floats])]
pub fn sqrt_grad<T: Float>(y: T, dy: T) -> T {
    if dy == T::zero() { dy } else { dy * T::from_float(0.5) / y }
}

/// `-dy * y^2`; 0 where `dy` is.
#[kernel(ReciprocalGrad, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar = same_size, T = [floats])]
#[kernel(InvGrad, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar = same_size, T = [floats])]
pub fn reciprocal_grad<T: Float>(y: T, dy: T) -> T {
    if dy == T::zero() { dy } else { -dy * (y * y) }
}
