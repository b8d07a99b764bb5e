//! Adam: steps scaled by running means of the gradient and of its square. Each as a reference and as a resource form,
//! but the last.
//!
//! - `ApplyAdam`: `alpha = lr * sqrt(1 - beta2_power) / (1 - beta1_power)`, `m += (1 - beta1) * (grad - m)`,
//!   `v += (1 - beta2) * (grad^2 - v)`, `var -= alpha * m / (sqrt(v) + epsilon)`; with the attr `use_nesterov`,
//!   `beta1 * m + (1 - beta1) * grad` in place of `m`. The caller advances the powers of `beta1` and `beta2`.
//! - `ApplyAdaMax`, a decaying maximum in place of the mean of squares: `m += (1 - beta1) * (grad - m)`,
//!   `v = max(beta2 * v, |grad|)`, `var -= lr / (1 - beta1_power) * m / (v + epsilon)`.
//! - `ResourceApplyAdamWithAmsgrad`: as `ResourceApplyAdam`, with `vhat = max(vhat, v)` in place of `v` in the step.

use super::dtype::{RealTrainableDType, TrainableDType};
use super::slots::{Scalar, forward_reference};
use super::update::update;
use oplink::prelude::*;
use oplink_ops::training::{
    ApplyAdaMax, ApplyAdam, ResourceApplyAdaMax, ResourceApplyAdam, ResourceApplyAdamWithAmsgrad,
};

/// Adam of floating-point and complex numbers.
#[kernel(ApplyAdam, device = CPU, T = [floats, complex])]
#[kernel(ResourceApplyAdam, device = CPU, T = [floats, complex])]
pub fn apply_adam_cpu<T: TrainableDType>(
    var: Input<'_>,
    m: Input<'_>,
    v: Input<'_>,
    beta1_power: Scalar<T>,
    beta2_power: Scalar<T>,
    lr: Scalar<T>,
    beta1: Scalar<T>,
    beta2: Scalar<T>,
    epsilon: Scalar<T>,
    grad: &Tensor,
    use_nesterov: bool,
    out: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    let (Scalar(lr), Scalar(beta1), Scalar(beta2), Scalar(epsilon)) = (lr, beta1, beta2, epsilon);
    let one = T::one();
    let alpha = lr * (one - beta2_power.0).root() / (one - beta1_power.0);
    update::<T, _>([&var, &m, &v], grad, None, &env, |[var, m, v], grad| {
        let m = m + (grad - m) * (one - beta1);
        let v = v + (grad * grad - v) * (one - beta2);
        let mean = if use_nesterov { grad * (one - beta1) + beta1 * m } else { m };
        [var - mean * alpha / (v.root() + epsilon), m, v]
    })?;
    forward_reference(var, out);
    Ok(())
}

/// AdaMax of floating-point numbers.
#[kernel(ApplyAdaMax, device = CPU, T = [f16, f32, f64])]
#[kernel(ResourceApplyAdaMax, device = CPU, T = [f16, f32, f64])]
pub fn apply_ada_max_cpu<T: RealTrainableDType>(
    var: Input<'_>,
    m: Input<'_>,
    v: Input<'_>,
    beta1_power: Scalar<T>,
    lr: Scalar<T>,
    beta1: Scalar<T>,
    beta2: Scalar<T>,
    epsilon: Scalar<T>,
    grad: &Tensor,
    out: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    let (Scalar(lr), Scalar(beta1), Scalar(beta2), Scalar(epsilon)) = (lr, beta1, beta2, epsilon);
    let (one, Scalar(beta1_power)) = (T::one(), beta1_power);
    update::<T, _>([&var, &m, &v], grad, None, &env, |[var, m, v], grad| {
        let m = m + (grad - m) * (one - beta1);
        let v = (beta2 * v).at_least(grad.magnitude());
        [var - lr / (one - beta1_power) * (m / (v + epsilon)), m, v]
    })?;
    forward_reference(var, out);
    Ok(())
}

/// Adam with the largest mean of squares of floating-point numbers.
#[kernel(ResourceApplyAdamWithAmsgrad, device = CPU, T = [floats])]
pub fn resource_apply_adam_with_amsgrad_cpu<T: RealTrainableDType>(
    var: Input<'_>,
    m: Input<'_>,
    v: Input<'_>,
    vhat: Input<'_>,
    beta1_power: Scalar<T>,
    beta2_power: Scalar<T>,
    lr: Scalar<T>,
    beta1: Scalar<T>,
    beta2: Scalar<T>,
    epsilon: Scalar<T>,
    grad: &Tensor,
    env: Env<'_>,
) -> Result<()> {
    let (Scalar(lr), Scalar(beta1), Scalar(beta2), Scalar(epsilon)) = (lr, beta1, beta2, epsilon);
    let one = T::one();
    let alpha = lr * (one - beta2_power.0).root() / (one - beta1_power.0);
    update::<T, _>([&var, &m, &v, &vhat], grad, None, &env, |[var, m, v, vhat], grad| {
        let m = m + (grad - m) * (one - beta1);
        let v = v + (grad * grad - v) * (one - beta2);
        let vhat = vhat.at_least(v);
        [var - m * alpha / (vhat.root() + epsilon), m, v, vhat]
    })
}
