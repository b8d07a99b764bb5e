//! Gradients of functions of one tensor, from their results `y` and the gradients `dy` of these.

use oplink::prelude::*;
use oplink_ops::math::{InvGrad, ReciprocalGrad, RsqrtGrad, SigmoidGrad, SqrtGrad, TanhGrad};

/// `dy * (1 - y^2)`.
#[kernel(TanhGrad, device = GPU, T = [floats])]
fn tanh_grad<T: Float>(y: T, dy: T) -> T {
    dy * (T::one() - y * y)
}

/// `dy * y * (1 - y)`.
#[kernel(SigmoidGrad, device = GPU, T = [floats])]
fn sigmoid_grad<T: Float>(y: T, dy: T) -> T {
    dy * y * (T::one() - y)
}

/// `dy * -y^3 / 2`.
#[kernel(RsqrtGrad, device = GPU, T = [floats])]
fn rsqrt_grad<T: Float>(y: T, dy: T) -> T {
    T::from_f32(-0.5) * (dy * y) * (y * y)
}

/// `dy / 2 / y`.
#[kernel(SqrtGrad, device = GPU, T = [floats])]
fn sqrt_grad<T: Float>(y: T, dy: T) -> T {
    dy * T::from_f32(0.5) / y
}

/// `-dy * y^2`.
#[kernel(ReciprocalGrad, device = GPU, T = [floats])]
#[kernel(InvGrad, device = GPU, T = [floats])]
fn reciprocal_grad<T: Float>(y: T, dy: T) -> T {
    -dy * y * y
}
