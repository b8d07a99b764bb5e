//! Steps scaled by a running mean of the gradient's square, with momentum.
//!
//! Formulas are those of the ops' declarations. Scalars are read in the device's memory, so that powers and rates that
//! other kernels computed need not come to the host. f16 is computed in f16.
#![allow(clippy::too_many_arguments, reason = "an optimiser has as many arguments as its op")]

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink::program;
use oplink_ops::training::{ResourceApplyCenteredRMSProp, ResourceApplyRMSProp};

use super::slots::apply;

/// A step of `ResourceApplyRMSProp` at each position.
#[program(block = 256, T = [f32, f16])]
fn rms_prop<T: Float>(
    var: &mut [T],
    ms: &mut [T],
    mom: &mut [T],
    lr: &[T],
    rho: &[T],
    momentum: &[T],
    epsilon: &[T],
    grad: &[T],
) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for at in (first..grad.len()).step_by(grid_dim().x * block_dim().x) {
        let mean = ms[at] + (grad[at] * grad[at] - ms[at]) * (T::one() - rho[0]);
        let step = mom[at] * momentum[0] + grad[at] * lr[0] / (mean + epsilon[0]).sqrt();
        ms[at] = mean;
        mom[at] = step;
        var[at] = var[at] - step;
    }
}

/// `ResourceApplyRMSProp` in the device's memory.
#[kernel(ResourceApplyRMSProp, device = GPU, T = [f32, f16])]
pub fn rms_prop_gpu(
    var: Input<'_>,
    ms: Input<'_>,
    mom: Input<'_>,
    lr: Input<'_>,
    rho: Input<'_>,
    momentum: Input<'_>,
    epsilon: Input<'_>,
    grad: &Tensor,
    env: Env<'_>,
) -> Result<()> {
    apply([&var, &ms, &mom], [&lr, &rho, &momentum, &epsilon], grad, env, |on, [var, ms, mom]| {
        rms_prop { var, ms, mom, lr: &lr, rho: &rho, momentum: &momentum, epsilon: &epsilon, grad }.launch(
            on.device,
            on.dtype,
            rms_prop::blocks(on.count),
        )
    })
}

/// A step of `ResourceApplyCenteredRMSProp` at each position.
#[program(block = 256, T = [f32, f16])]
fn centered_rms_prop<T: Float>(
    var: &mut [T],
    mg: &mut [T],
    ms: &mut [T],
    mom: &mut [T],
    lr: &[T],
    rho: &[T],
    momentum: &[T],
    epsilon: &[T],
    grad: &[T],
) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for at in (first..grad.len()).step_by(grid_dim().x * block_dim().x) {
        let rest = T::one() - rho[0];
        let mean_square = ms[at] + (grad[at] * grad[at] - ms[at]) * rest;
        let mean = mg[at] + (grad[at] - mg[at]) * rest;
        let step = mom[at] * momentum[0] + grad[at] * lr[0] / (mean_square - mean * mean + epsilon[0]).sqrt();
        ms[at] = mean_square;
        mg[at] = mean;
        mom[at] = step;
        var[at] = var[at] - step;
    }
}

/// `ResourceApplyCenteredRMSProp` in the device's memory.
#[kernel(ResourceApplyCenteredRMSProp, device = GPU, T = [f32, f16])]
pub fn centered_rms_prop_gpu(
    var: Input<'_>,
    mg: Input<'_>,
    ms: Input<'_>,
    mom: Input<'_>,
    lr: Input<'_>,
    rho: Input<'_>,
    momentum: Input<'_>,
    epsilon: Input<'_>,
    grad: &Tensor,
    env: Env<'_>,
) -> Result<()> {
    apply([&var, &mg, &ms, &mom], [&lr, &rho, &momentum, &epsilon], grad, env, |on, [var, mg, ms, mom]| {
        centered_rms_prop { var, mg, ms, mom, lr: &lr, rho: &rho, momentum: &momentum, epsilon: &epsilon, grad }.launch(
            on.device,
            on.dtype,
            centered_rms_prop::blocks(on.count),
        )
    })
}
