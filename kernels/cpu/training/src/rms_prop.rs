//! RMSProp: steps scaled by a running mean of squares. Each in its reference, resource and sparse forms.
//!
//! - `ApplyRMSProp`: `ms += (1 - rho) * (grad^2 - ms)`, `mom = momentum * mom + lr * grad / sqrt(ms + epsilon)`,
//!   `var -= mom`.
//! - `ApplyCenteredRMSProp`, a running variance: `mg += (1 - rho) * (grad - mg)` too, and
//!   `mom = momentum * mom + lr * grad / sqrt(ms - mg^2 + epsilon)`.
//!
//! The forms for rows compute the averages as weighted sums, `rho * ms + (1 - rho) * grad^2`, which rounds differently.

use super::dtype::TrainableDType;
use super::slots::{Scalar, forward_reference};
use super::update::update;
use oplink::prelude::*;
use oplink_ops::training::{
    ApplyCenteredRMSProp, ApplyRMSProp, ResourceApplyCenteredRMSProp, ResourceApplyRMSProp,
    ResourceSparseApplyCenteredRMSProp, ResourceSparseApplyRMSProp, SparseApplyCenteredRMSProp, SparseApplyRMSProp,
};

/// RMSProp of whole variables.
#[kernel(ApplyRMSProp, device = CPU, T = [floats, complex])]
#[kernel(ResourceApplyRMSProp, device = CPU, T = [floats, complex])]
pub fn apply_rms_prop_cpu<T: TrainableDType>(
    var: Input<'_>,
    ms: Input<'_>,
    mom: Input<'_>,
    lr: Scalar<T>,
    rho: Scalar<T>,
    momentum: Scalar<T>,
    epsilon: Scalar<T>,
    grad: &Tensor,
    out: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    let (Scalar(lr), Scalar(momentum), Scalar(epsilon)) = (lr, momentum, epsilon);
    let rest = T::one() - rho.0;
    update::<T, _>([&var, &ms, &mom], grad, None, &env, |[var, ms, mom], grad| {
        let ms = ms + (grad * grad - ms) * rest;
        let mom = mom * momentum + grad * lr / (ms + epsilon).root();
        [var - mom, ms, mom]
    })?;
    forward_reference(var, out);
    Ok(())
}

/// RMSProp of rows.
#[kernel(SparseApplyRMSProp, device = CPU, T = [f16, f32, f64, complex], Tindices = any)]
#[kernel(ResourceSparseApplyRMSProp, device = CPU, T = [f16, f32, f64, complex], Tindices = any)]
pub fn sparse_apply_rms_prop_cpu<T: TrainableDType>(
    var: Input<'_>,
    ms: Input<'_>,
    mom: Input<'_>,
    lr: Scalar<T>,
    rho: Scalar<T>,
    momentum: Scalar<T>,
    epsilon: Scalar<T>,
    grad: &Tensor,
    indices: &Tensor,
    out: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    let (Scalar(lr), Scalar(momentum), Scalar(epsilon)) = (lr, momentum, epsilon);
    let (Scalar(rho), rest) = (rho, T::one() - rho.0);
    update::<T, _>([&var, &ms, &mom], grad, Some(indices), &env, |[var, ms, mom], grad| {
        let ms = ms * rho + grad * grad * rest;
        let mom = mom * momentum + T::one() / (ms + epsilon).root() * lr * grad;
        [var - mom, ms, mom]
    })?;
    forward_reference(var, out);
    Ok(())
}

/// Centered RMSProp of whole variables.
#[kernel(ApplyCenteredRMSProp, device = CPU, T = [floats, complex])]
#[kernel(ResourceApplyCenteredRMSProp, device = CPU, T = [floats, complex])]
pub fn apply_centered_rms_prop_cpu<T: TrainableDType>(
    var: Input<'_>,
    mg: Input<'_>,
    ms: Input<'_>,
    mom: Input<'_>,
    lr: Scalar<T>,
    rho: Scalar<T>,
    momentum: Scalar<T>,
    epsilon: Scalar<T>,
    grad: &Tensor,
    out: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    let (Scalar(lr), Scalar(momentum), Scalar(epsilon)) = (lr, momentum, epsilon);
    let rest = T::one() - rho.0;
    update::<T, _>([&var, &mg, &ms, &mom], grad, None, &env, |[var, mg, ms, mom], grad| {
        let ms = ms + (grad * grad - ms) * rest;
        let mg = mg + (grad - mg) * rest;
        let mom = mom * momentum + grad * lr / (ms - mg * mg + epsilon).root();
        [var - mom, mg, ms, mom]
    })?;
    forward_reference(var, out);
    Ok(())
}

/// Centered RMSProp of rows.
#[kernel(SparseApplyCenteredRMSProp, device = CPU, T = [f16, f32, f64, complex], Tindices = any)]
#[kernel(ResourceSparseApplyCenteredRMSProp, device = CPU, T = [f16, f32, f64, complex], Tindices = any)]
pub fn sparse_apply_centered_rms_prop_cpu<T: TrainableDType>(
    var: Input<'_>,
    mg: Input<'_>,
    ms: Input<'_>,
    mom: Input<'_>,
    lr: Scalar<T>,
    rho: Scalar<T>,
    momentum: Scalar<T>,
    epsilon: Scalar<T>,
    grad: &Tensor,
    indices: &Tensor,
    out: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    let (Scalar(lr), Scalar(momentum), Scalar(epsilon)) = (lr, momentum, epsilon);
    let (Scalar(rho), rest) = (rho, T::one() - rho.0);
    update::<T, _>([&var, &mg, &ms, &mom], grad, Some(indices), &env, |[var, mg, ms, mom], grad| {
        let ms = ms * rho + grad * grad * rest;
        let mg = grad * rest + mg * rho;
        let mom = mom * momentum + T::one() / (ms + epsilon - mg * mg).root() * lr * grad;
        [var - mom, mg, ms, mom]
    })?;
    forward_reference(var, out);
    Ok(())
}
