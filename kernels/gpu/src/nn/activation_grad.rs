//! Gradients of activations, element by element, in f32 where there is more than a choice.

use oplink::prelude::*;
use oplink_ops::{EluGrad, LeakyReluGrad, Relu6Grad, ReluGrad, SeluGrad, SoftplusGrad, SoftsignGrad};

/// `gradients` where `features` are above 0, `gradients * 0` elsewhere.
#[kernel(ReluGrad, device = GPU, T = [f16, bf16, f32, f64], scalar)]
pub fn relu_grad_gpu<T: Float>(gradients: T, features: T) -> T {
    if features > T::zero() { gradients } else { gradients * T::zero() }
}

/// `gradients` where `features` are between 0 and 6, `gradients * 0` elsewhere.
#[kernel(Relu6Grad, device = GPU, T = [f16, bf16, f32, f64], scalar)]
pub fn relu6_grad_gpu<T: Float>(gradients: T, features: T) -> T {
    if features > T::zero() && features < T::from_f32(6.0) { gradients } else { gradients * T::zero() }
}

/// `gradients * (outputs + 1)` where `outputs` are negative, `gradients` elsewhere.
#[kernel(EluGrad, device = GPU, T = [f16, bf16, f32], scalar)]
pub fn elu_grad_gpu<T: Float>(gradients: T, outputs: T) -> T {
    let y = outputs.to_f32();
    if y < 0.0 { T::from_f32((y + 1.0) * gradients.to_f32()) } else { gradients }
}

/// `gradients * (outputs + scale * alpha)` where `outputs` are negative, `gradients * scale` elsewhere.
#[kernel(SeluGrad, device = GPU, T = [f16, bf16, f32], scalar)]
pub fn selu_grad_gpu<T: Float>(gradients: T, outputs: T) -> T {
    const SCALE: f32 = 1.050_701;
    const SCALE_ALPHA: f32 = 1.758_099_3;
    let y = outputs.to_f32();
    T::from_f32(gradients.to_f32() * if y < 0.0 { y + SCALE_ALPHA } else { SCALE })
}

/// `gradients` where `features` are above 0, `alpha * gradients` elsewhere.
#[kernel(LeakyReluGrad, device = GPU, T = [f16, bf16, f32], scalar)]
pub fn leaky_relu_grad_gpu<T: Float>(gradients: T, features: T, alpha: f32) -> T {
    if features > T::zero() { gradients } else { T::from_f32(gradients.to_f32() * alpha) }
}

/// `gradients / (exp(-features) + 1)`.
#[kernel(SoftplusGrad, device = GPU, T = [f16, bf16, f32], scalar)]
pub fn softplus_grad_gpu<T: Float>(gradients: T, features: T) -> T {
    T::from_f32(gradients.to_f32() / ((-features.to_f32()).exp() + 1.0))
}

/// `gradients / (1 + |features|)^2`.
#[kernel(SoftsignGrad, device = GPU, T = [f16, bf16, f32], scalar)]
pub fn softsign_grad_gpu<T: Float>(gradients: T, features: T) -> T {
    let root = 1.0 + features.to_f32().abs();
    T::from_f32(gradients.to_f32() / (root * root))
}
