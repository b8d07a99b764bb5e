//! Activations, element by element. NaN stays NaN; those with exponentials are computed in f32.

use oplink::prelude::*;
use oplink_ops::{Elu, LeakyRelu, Relu, Relu6, Selu, Softplus, Softsign};

/// The larger of 0 and each feature.
#[kernel(Relu, device = GPU, T = [f16, bf16, f32, f64], scalar)]
pub fn relu_gpu<T: Float>(features: T) -> T {
    if features < T::zero() { T::zero() } else { features }
}

/// Each feature limited to 0..=6.
#[kernel(Relu6, device = GPU, T = [f16, bf16, f32, f64], scalar)]
pub fn relu6_gpu<T: Float>(features: T) -> T {
    let six = T::from_f32(6.0);
    let positive = if features < T::zero() { T::zero() } else { features };
    if positive > six { six } else { positive }
}

/// `exp(x) - 1` for negative features, the feature otherwise.
#[kernel(Elu, device = GPU, T = [f16, bf16, f32], scalar)]
pub fn elu_gpu<T: Float>(features: T) -> T {
    let x = features.to_f32();
    if x < 0.0 { T::from_f32(x.exp_m1()) } else { features }
}

/// `scale * alpha * (exp(x) - 1)` for negative features, `scale * x` otherwise.
#[kernel(Selu, device = GPU, T = [f16, bf16, f32], scalar)]
pub fn selu_gpu<T: Float>(features: T) -> T {
    const SCALE: f32 = 1.050_701;
    const SCALE_ALPHA: f32 = 1.758_099_3;
    let x = features.to_f32();
    T::from_f32(if x < 0.0 { SCALE_ALPHA * x.exp_m1() } else { SCALE * x })
}

/// Each feature, those that are not above 0 multiplied by `alpha`.
#[kernel(LeakyRelu, device = GPU, T = [f16, bf16, f32], scalar)]
pub fn leaky_relu_gpu<T: Float>(features: T, alpha: f32) -> T {
    let x = features.to_f32();
    if x > 0.0 { features } else { T::from_f32(x * alpha) }
}

/// `log(exp(x) + 1)`.
#[kernel(Softplus, device = GPU, T = [f16, bf16, f32], scalar)]
pub fn softplus_gpu<T: Float>(features: T) -> T {
    let x = features.to_f32();
    let rest = (-x.abs()).exp().ln_1p();
    T::from_f32(if x > 0.0 { x + rest } else { rest })
}

/// `x / (|x| + 1)`.
#[kernel(Softsign, device = GPU, T = [f16, bf16, f32], scalar)]
pub fn softsign_gpu<T: Float>(features: T) -> T {
    let x = features.to_f32();
    T::from_f32(x / (x.abs() + 1.0))
}
