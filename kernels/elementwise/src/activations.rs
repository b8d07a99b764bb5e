//! Activations of neural networks and their gradients.

use oplink::prelude::*;
use oplink_ops::nn::{
    Elu, EluGrad, LeakyRelu, LeakyReluGrad, Relu, Relu6, Relu6Grad, ReluGrad, Selu, SeluGrad, Softplus, SoftplusGrad,
    Softsign, SoftsignGrad,
};

/// The larger of 0 and each feature; NaN stays.
#[kernel(Relu, device = [CPU, #[cfg(feature = "gpu")] GPU(T = [floats])], scalar, T = [reals])]
pub fn relu<T: Real>(features: T) -> T {
    if features < T::zero() { T::zero() } else { features }
}

/// The gradient where the feature is above 0.
#[kernel(ReluGrad, device = [CPU, #[cfg(feature = "gpu")] GPU(T = [floats])], scalar = same_shape, T = [reals])]
pub fn relu_grad<T: Real>(gradients: T, features: T) -> T {
    gradients * if features > T::zero() { T::one() } else { T::zero() }
}

/// Each feature limited to 0..=6; NaN stays.
#[kernel(Relu6, device = [CPU, #[cfg(feature = "gpu")] GPU(T = [floats])], scalar, T = [reals])]
pub fn relu6<T: Real>(features: T) -> T {
    let three = T::one() + T::one() + T::one();
    let six = three + three;
    let above = if features < T::zero() { T::zero() } else { features };
    if above > six { six } else { above }
}

/// The gradient where the feature is between 0 and 6.
#[kernel(Relu6Grad, device = [CPU, #[cfg(feature = "gpu")] GPU(T = [floats])], scalar = same_shape, T = [reals])]
pub fn relu6_grad<T: Real>(gradients: T, features: T) -> T {
    let three = T::one() + T::one() + T::one();
    let is_between = (features > T::zero()) & (features < three + three);
    gradients * if is_between { T::one() } else { T::zero() }
}

/// Negative features times `alpha`.
#[kernel(LeakyRelu, device = [CPU, #[cfg(feature = "gpu")] GPU(T = [f16, bf16, f32])], scalar, T = [floats])]
pub fn leaky_relu<T: Float>(features: T, alpha: f32) -> T {
    if features > T::zero() { features } else { features * T::from_f32(alpha) }
}

/// The gradient, times `alpha` where the feature is not above 0.
#[kernel(
    LeakyReluGrad,
    device = [CPU, #[cfg(feature = "gpu")] GPU(T = [f16, bf16, f32])],
    scalar = same_shape,
    T = [floats]
)]
pub fn leaky_relu_grad<T: Float>(gradients: T, features: T, alpha: f32) -> T {
    if features > T::zero() { gradients } else { gradients * T::from_f32(alpha) }
}

/// `exp(x) - 1` of negative features.
#[kernel(Elu, device = [CPU, #[cfg(feature = "gpu")] GPU(T = [f16, bf16, f32])], scalar, T = [floats])]
pub fn elu<T: Float>(features: T) -> T {
    if features < T::zero() { features.exp_m1() } else { features }
}

/// The gradient, times `y + 1` where the result `y` is negative.
#[kernel(EluGrad, device = [CPU, #[cfg(feature = "gpu")] GPU(T = [f16, bf16, f32])], scalar = same_shape, T = [floats])]
pub fn elu_grad<T: Float>(gradients: T, outputs: T) -> T {
    if outputs < T::zero() { (outputs + T::one()) * gradients } else { gradients }
}

/// `Elu` scaled, such that means and variances stay. The product of the rounded scale and alpha would be an ulp less.
#[kernel(Selu, device = [CPU, #[cfg(feature = "gpu")] GPU(T = [f16, bf16, f32])], scalar, T = [floats])]
pub fn selu<T: Float>(features: T) -> T {
    const SCALE: f64 = 1.050_700_987_355_480_5;
    const SCALE_ALPHA: f64 = 1.758_099_340_847_376_8;
    if features < T::zero() { T::from_float(SCALE_ALPHA) * features.exp_m1() } else { T::from_float(SCALE) * features }
}

/// The gradient times the slope of `Selu`, from its result.
#[kernel(
    SeluGrad,
    device = [CPU, #[cfg(feature = "gpu")] GPU(T = [f16, bf16, f32])],
    scalar = same_shape,
    T = [floats]
)]
pub fn selu_grad<T: Float>(gradients: T, outputs: T) -> T {
    const SCALE: f64 = 1.050_700_987_355_480_5;
    const SCALE_ALPHA: f64 = 1.758_099_340_847_376_8;
    let slope = if outputs < T::zero() { outputs + T::from_float(SCALE_ALPHA) } else { T::from_float(SCALE) };
    gradients * slope
}

/// `log(exp(x) + 1)`.
#[kernel(Softplus, device = [CPU, #[cfg(feature = "gpu")] GPU(T = [f16, bf16, f32])], scalar, T = [floats])]
pub fn softplus<T: Float>(features: T) -> T {
    let rest = (-features.abs()).exp().ln_1p();
    if features > T::zero() { features + rest } else { rest }
}

/// `gradient / (exp(-x) + 1)`.
#[kernel(
    SoftplusGrad,
    device = [CPU, #[cfg(feature = "gpu")] GPU(T = [f16, bf16, f32])],
    scalar = same_shape,
    T = [floats]
)]
pub fn softplus_grad<T: Float>(gradients: T, features: T) -> T {
    gradients / ((-features).exp() + T::one())
}

/// `x / (|x| + 1)`.
#[kernel(Softsign, device = [CPU, #[cfg(feature = "gpu")] GPU(T = [f16, bf16, f32])], scalar, T = [floats])]
pub fn softsign<T: Float>(features: T) -> T {
    features / (features.abs() + T::one())
}

/// `gradient / (|x| + 1)^2`.
#[kernel(
    SoftsignGrad,
    device = [CPU, #[cfg(feature = "gpu")] GPU(T = [f16, bf16, f32])],
    scalar = same_shape,
    T = [floats]
)]
pub fn softsign_grad<T: Float>(gradients: T, features: T) -> T {
    let root = T::one() + features.abs();
    gradients / (root * root)
}
