//! Steps scaled by sums and running means of the gradient's square.
//!
//! Formulas are those of the ops' declarations. Scalars are read in the device's memory, so that powers and rates that
//! other kernels computed need not come to the host. f16 is computed in f16.
#![allow(clippy::too_many_arguments, reason = "an optimiser has as many arguments as its op")]

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink::program;
use oplink_ops::training::{ResourceApplyAdadelta, ResourceApplyAdagrad, ResourceApplyAdagradV2};

use super::slots::apply;

/// A step of `ResourceApplyAdagrad` at each position.
#[program(block = 256, T = [f32, f16])]
fn adagrad<T: Float>(var: &mut [T], accum: &mut [T], lr: &[T], grad: &[T], update_slots: bool) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for at in (first..grad.len()).step_by(grid_dim().x * block_dim().x) {
        let mut sum = accum[at];
        if update_slots {
            sum = sum + grad[at] * grad[at];
            accum[at] = sum;
        }
        var[at] = var[at] - grad[at] * lr[0] * (T::one() / sum.sqrt());
    }
}

/// `ResourceApplyAdagrad` in the device's memory.
#[kernel(ResourceApplyAdagrad, device = GPU, T = [f32, f16])]
pub fn adagrad_gpu(
    var: Input<'_>,
    accum: Input<'_>,
    lr: Input<'_>,
    grad: &Tensor,
    update_slots: bool,
    env: Env<'_>,
) -> Result<()> {
    apply([&var, &accum], [&lr], grad, env, |on, [var, accum]| {
        adagrad { var, accum, lr: &lr, grad, update_slots }.launch(on.device, on.dtype, adagrad::blocks(on.count))
    })
}

/// A step of `ResourceApplyAdagradV2` at each position.
#[program(block = 256, T = [f32, f16])]
fn adagrad_v2<T: Float>(var: &mut [T], accum: &mut [T], lr: &[T], epsilon: &[T], grad: &[T], update_slots: bool) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for at in (first..grad.len()).step_by(grid_dim().x * block_dim().x) {
        let mut sum = accum[at];
        if update_slots {
            sum = sum + grad[at] * grad[at];
            accum[at] = sum;
        }
        var[at] = var[at] - grad[at] * lr[0] / (sum.sqrt() + epsilon[0]);
    }
}

/// `ResourceApplyAdagradV2` in the device's memory.
#[kernel(ResourceApplyAdagradV2, device = GPU, T = [f32, f16])]
pub fn adagrad_v2_gpu(
    var: Input<'_>,
    accum: Input<'_>,
    lr: Input<'_>,
    epsilon: Input<'_>,
    grad: &Tensor,
    update_slots: bool,
    env: Env<'_>,
) -> Result<()> {
    apply([&var, &accum], [&lr, &epsilon], grad, env, |on, [var, accum]| {
        adagrad_v2 { var, accum, lr: &lr, epsilon: &epsilon, grad, update_slots }.launch(
            on.device,
            on.dtype,
            adagrad_v2::blocks(on.count),
        )
    })
}

/// A step of `ResourceApplyAdadelta` at each position.
#[program(block = 256, T = [f32, f16])]
fn adadelta<T: Float>(
    var: &mut [T],
    accum: &mut [T],
    accum_update: &mut [T],
    lr: &[T],
    rho: &[T],
    epsilon: &[T],
    grad: &[T],
) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for at in (first..grad.len()).step_by(grid_dim().x * block_dim().x) {
        let rest = T::one() - rho[0];
        let mean = accum[at] * rho[0] + grad[at] * grad[at] * rest;
        let last = accum_update[at];
        let update = (last + epsilon[0]).sqrt() * (T::one() / (mean + epsilon[0]).sqrt()) * grad[at];
        accum[at] = mean;
        accum_update[at] = last * rho[0] + update * update * rest;
        var[at] = var[at] - update * lr[0];
    }
}

/// `ResourceApplyAdadelta` in the device's memory.
#[kernel(ResourceApplyAdadelta, device = GPU, T = [f32, f16])]
pub fn adadelta_gpu(
    var: Input<'_>,
    accum: Input<'_>,
    accum_update: Input<'_>,
    lr: Input<'_>,
    rho: Input<'_>,
    epsilon: Input<'_>,
    grad: &Tensor,
    env: Env<'_>,
) -> Result<()> {
    apply([&var, &accum, &accum_update], [&lr, &rho, &epsilon], grad, env, |on, [var, accum, accum_update]| {
        adadelta { var, accum, accum_update, lr: &lr, rho: &rho, epsilon: &epsilon, grad }.launch(
            on.device,
            on.dtype,
            adadelta::blocks(on.count),
        )
    })
}
