//! Adagrad: a rate for each element that falls with the squares of its gradients. Each in its reference, resource and
//! sparse forms.
//!
//! `accum += grad^2`, except in the last form; `accum` stays where the attr `update_slots` is false.
//! - `ApplyAdagrad`: `var -= lr * grad / sqrt(accum)`.
//! - `ApplyAdagradV2`: `var -= lr * grad / (sqrt(accum) + epsilon)`.
//! - `ApplyProximalAdagrad`: `rate = lr / sqrt(accum)`, then the step and the shrinking of
//!   `ApplyProximalGradientDescent` with `rate` in place of `alpha`.
//! - `ApplyAdagradDA`, dual averaging: with `g` the sum of the gradients and `gg` that of their squares,
//!   `var = -lr * sign(g) * max(|g| - l1 * global_step, 0) / (l2 * global_step * lr + sqrt(gg))`, without the maximum
//!   where `l1` is 0.

use super::descent::shrink;
use super::dtype::{RealTrainableDType, TrainableDType};
use super::slots::{Scalar, forward_reference};
use super::update::update;
use oplink::prelude::*;
use oplink_ops::training::{
    ApplyAdagrad, ApplyAdagradDA, ApplyAdagradV2, ApplyProximalAdagrad, ResourceApplyAdagrad, ResourceApplyAdagradDA,
    ResourceApplyAdagradV2, ResourceApplyProximalAdagrad, ResourceSparseApplyAdagrad, ResourceSparseApplyAdagradDA,
    ResourceSparseApplyAdagradV2, ResourceSparseApplyProximalAdagrad, SparseApplyAdagrad, SparseApplyAdagradDA,
    SparseApplyAdagradV2, SparseApplyProximalAdagrad,
};

/// Adagrad of whole variables and of rows.
#[kernel(ApplyAdagrad, device = CPU, T = [floats, complex])]
#[kernel(ResourceApplyAdagrad, device = CPU, T = [floats, complex])]
#[kernel(SparseApplyAdagrad, device = CPU, T = [floats, complex], Tindices = any)]
#[kernel(ResourceSparseApplyAdagrad, device = CPU, T = [floats, complex], Tindices = any)]
pub fn apply_adagrad_cpu<T: TrainableDType>(
    var: Input<'_>,
    accum: Input<'_>,
    lr: Scalar<T>,
    grad: &Tensor,
    indices: Option<&Tensor>,
    update_slots: bool,
    out: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    update::<T, _>([&var, &accum], grad, indices, &env, |[var, accum], grad| {
        let accum = if update_slots { accum + grad * grad } else { accum };
        [var - grad * lr.0 * (T::one() / accum.root()), accum]
    })?;
    forward_reference(var, out);
    Ok(())
}

/// Adagrad with a bound on the rate, of whole variables and of rows.
#[kernel(ApplyAdagradV2, device = CPU, T = [floats, complex])]
#[kernel(ResourceApplyAdagradV2, device = CPU, T = [floats, complex])]
#[kernel(SparseApplyAdagradV2, device = CPU, T = [floats, complex], Tindices = any)]
#[kernel(ResourceSparseApplyAdagradV2, device = CPU, T = [floats, complex], Tindices = any)]
pub fn apply_adagrad_v2_cpu<T: TrainableDType>(
    var: Input<'_>,
    accum: Input<'_>,
    lr: Scalar<T>,
    epsilon: Scalar<T>,
    grad: &Tensor,
    indices: Option<&Tensor>,
    update_slots: bool,
    out: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    update::<T, _>([&var, &accum], grad, indices, &env, |[var, accum], grad| {
        let accum = if update_slots { accum + grad * grad } else { accum };
        [var - grad * lr.0 / (accum.root() + epsilon.0), accum]
    })?;
    forward_reference(var, out);
    Ok(())
}

/// Proximal Adagrad of whole variables and of rows.
#[kernel(ApplyProximalAdagrad, device = CPU, T = [f32, f64])]
#[kernel(ResourceApplyProximalAdagrad, device = CPU, T = [f32, f64])]
#[kernel(SparseApplyProximalAdagrad, device = CPU, T = [f32, f64], Tindices = any)]
#[kernel(ResourceSparseApplyProximalAdagrad, device = CPU, T = [f32, f64], Tindices = any)]
pub fn apply_proximal_adagrad_cpu<T: RealTrainableDType>(
    var: Input<'_>,
    accum: Input<'_>,
    lr: Scalar<T>,
    l1: Scalar<T>,
    l2: Scalar<T>,
    grad: &Tensor,
    indices: Option<&Tensor>,
    out: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    update::<T, _>([&var, &accum], grad, indices, &env, |[var, accum], grad| {
        let accum = accum + grad * grad;
        let rate = lr.0 / accum.root();
        [shrink(var - grad * rate, rate, l1.0, l2.0), accum]
    })?;
    forward_reference(var, out);
    Ok(())
}

/// Dual averaging of whole variables and of rows.
#[kernel(ApplyAdagradDA, device = CPU, T = [f32, f64])]
#[kernel(ResourceApplyAdagradDA, device = CPU, T = [f32, f64])]
#[kernel(SparseApplyAdagradDA, device = CPU, T = [f32, f64], Tindices = any)]
#[kernel(ResourceSparseApplyAdagradDA, device = CPU, T = [f32, f64], Tindices = any)]
pub fn apply_adagrad_da_cpu<T: RealTrainableDType>(
    var: Input<'_>,
    gradient_accumulator: Input<'_>,
    gradient_squared_accumulator: Input<'_>,
    lr: Scalar<T>,
    l1: Scalar<T>,
    l2: Scalar<T>,
    global_step: Scalar<i64>,
    grad: &Tensor,
    indices: Option<&Tensor>,
    out: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    let (Scalar(lr), Scalar(l1), Scalar(l2)) = (lr, l1, l2);
    let global_step = T::from_double(global_step.0 as f64);
    update::<T, _>(
        [&var, &gradient_accumulator, &gradient_squared_accumulator],
        grad,
        indices,
        &env,
        |[_, sum, squares], grad| {
            let (sum, squares) = (sum + grad, squares + grad * grad);
            let shrunk = (sum.magnitude() - l1 * global_step).at_least(T::zero());
            let kept = if l1 > T::zero() { sum.sign() * shrunk } else { sum };
            [T::zero() - lr * kept / (l2 * global_step * lr + squares.root()), sum, squares]
        },
    )?;
    forward_reference(var, out);
    Ok(())
}
