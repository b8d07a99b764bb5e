//! Gradient descent, plain and with shrinking. Steps from several threads follow one after the other.
//!
//! - `ApplyGradientDescent` and `ResourceApplyGradientDescent`: `var -= alpha * delta`; `delta` has the variable's
//!   shape, `alpha` is a scalar.
//! - `ApplyProximalGradientDescent` and its resource and sparse forms, forward-backward splitting:
//!   `prox = var - alpha * delta`, `var = sign(prox) * max(|prox| - alpha * l1, 0) / (1 + l2 * alpha)`, without the
//!   maximum where `l1` is 0.

use super::dtype::{RealTrainableDType, TrainableDType};
use super::slots::{Scalar, forward_reference};
use super::update::update;
use oplink::prelude::*;
use oplink_ops::training::{
    ApplyGradientDescent, ApplyProximalGradientDescent, ResourceApplyGradientDescent,
    ResourceApplyProximalGradientDescent, ResourceSparseApplyProximalGradientDescent,
    SparseApplyProximalGradientDescent,
};

/// Gradient descent of floating-point and complex numbers.
#[kernel(ApplyGradientDescent, device = CPU, T = [floats, complex])]
#[kernel(ResourceApplyGradientDescent, device = CPU, T = [floats, complex])]
pub fn apply_gradient_descent_cpu<T: TrainableDType>(
    var: Input<'_>,
    alpha: Scalar<T>,
    delta: &Tensor,
    out: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    update::<T, _>([&var], delta, None, &env, |[var], delta| [var - delta * alpha.0])?;
    forward_reference(var, out);
    Ok(())
}

/// Proximal gradient descent of whole variables.
#[kernel(ApplyProximalGradientDescent, device = CPU, T = [f32, f64])]
#[kernel(ResourceApplyProximalGradientDescent, device = CPU, T = [f32, f64])]
pub fn apply_proximal_gradient_descent_cpu<T: RealTrainableDType>(
    var: Input<'_>,
    alpha: Scalar<T>,
    l1: Scalar<T>,
    l2: Scalar<T>,
    delta: &Tensor,
    out: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    update::<T, _>([&var], delta, None, &env, |[var], delta| [shrink(var - delta * alpha.0, alpha.0, l1.0, l2.0)])?;
    forward_reference(var, out);
    Ok(())
}

/// Proximal gradient descent of rows.
#[kernel(SparseApplyProximalGradientDescent, device = CPU, T = [f32, f64], Tindices = any)]
#[kernel(ResourceSparseApplyProximalGradientDescent, device = CPU, T = [f32, f64], Tindices = any)]
pub fn sparse_apply_proximal_gradient_descent_cpu<T: RealTrainableDType>(
    var: Input<'_>,
    alpha: Scalar<T>,
    l1: Scalar<T>,
    l2: Scalar<T>,
    grad: &Tensor,
    indices: &Tensor,
    out: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    update::<T, _>([&var], grad, Some(indices), &env, |[var], grad| {
        [shrink(var - grad * alpha.0, alpha.0, l1.0, l2.0)]
    })?;
    forward_reference(var, out);
    Ok(())
}

/// A value of a variable shrunk after a step of size `rate`.
pub(super) fn shrink<T: RealTrainableDType>(value: T, rate: T, l1: T, l2: T) -> T {
    let scale = T::one() + l2 * rate;
    if l1 > T::zero() {
        value.sign() * (value.magnitude() - rate * l1).at_least(T::zero()) / scale
    } else {
        value / scale
    }
}
