//! Steps scaled by running means of the gradient and of its square, or of its magnitude.
//!
//! Formulas are those of the ops' declarations. Scalars are read in the device's memory, so that powers and rates that
//! other kernels computed need not come to the host. f16 is computed in f16.
#![allow(clippy::too_many_arguments, reason = "an optimiser has as many arguments as its op")]

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink::program;
use oplink_ops::training::{ResourceApplyAdaMax, ResourceApplyAdam, ResourceApplyAdamWithAmsgrad};

use super::slots::apply;

/// A step of `ResourceApplyAdam` at each position.
#[program(block = 256, T = [f32, f16])]
fn adam<T: Float>(
    var: &mut [T],
    m: &mut [T],
    v: &mut [T],
    beta1_power: &[T],
    beta2_power: &[T],
    lr: &[T],
    beta1: &[T],
    beta2: &[T],
    epsilon: &[T],
    grad: &[T],
    use_nesterov: bool,
) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for at in (first..grad.len()).step_by(grid_dim().x * block_dim().x) {
        let alpha = lr[0] * (T::one() - beta2_power[0]).sqrt() / (T::one() - beta1_power[0]);
        let rest = T::one() - beta1[0];
        let mean = m[at] + (grad[at] - m[at]) * rest;
        let mean_square = v[at] + (grad[at] * grad[at] - v[at]) * (T::one() - beta2[0]);
        let mut step = mean;
        if use_nesterov {
            step = grad[at] * rest + beta1[0] * mean;
        }
        m[at] = mean;
        v[at] = mean_square;
        var[at] = var[at] - step * alpha / (mean_square.sqrt() + epsilon[0]);
    }
}

/// `ResourceApplyAdam` in the device's memory.
#[kernel(ResourceApplyAdam, device = GPU, T = [f32, f16])]
pub fn adam_gpu(
    var: Input<'_>,
    m: Input<'_>,
    v: Input<'_>,
    beta1_power: Input<'_>,
    beta2_power: Input<'_>,
    lr: Input<'_>,
    beta1: Input<'_>,
    beta2: Input<'_>,
    epsilon: Input<'_>,
    grad: &Tensor,
    use_nesterov: bool,
    env: Env<'_>,
) -> Result<()> {
    apply([&var, &m, &v], [&beta1_power, &beta2_power, &lr, &beta1, &beta2, &epsilon], grad, env, |on, [var, m, v]| {
        adam {
            var,
            m,
            v,
            beta1_power: &beta1_power,
            beta2_power: &beta2_power,
            lr: &lr,
            beta1: &beta1,
            beta2: &beta2,
            epsilon: &epsilon,
            grad,
            use_nesterov,
        }
        .launch(on.device, on.dtype, adam::blocks(on.count))
    })
}

/// A step of `ResourceApplyAdamWithAmsgrad` at each position.
#[program(block = 256, T = [f32, f16])]
fn adam_with_amsgrad<T: Float>(
    var: &mut [T],
    m: &mut [T],
    v: &mut [T],
    vhat: &mut [T],
    beta1_power: &[T],
    beta2_power: &[T],
    lr: &[T],
    beta1: &[T],
    beta2: &[T],
    epsilon: &[T],
    grad: &[T],
) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for at in (first..grad.len()).step_by(grid_dim().x * block_dim().x) {
        let alpha = lr[0] * (T::one() - beta2_power[0]).sqrt() / (T::one() - beta1_power[0]);
        let mean = m[at] + (grad[at] - m[at]) * (T::one() - beta1[0]);
        let mean_square = v[at] + (grad[at] * grad[at] - v[at]) * (T::one() - beta2[0]);
        let mut largest = mean_square;
        if vhat[at] > mean_square {
            largest = vhat[at];
        }
        m[at] = mean;
        v[at] = mean_square;
        vhat[at] = largest;
        var[at] = var[at] - mean * alpha / (largest.sqrt() + epsilon[0]);
    }
}

/// `ResourceApplyAdamWithAmsgrad` in the device's memory.
#[kernel(ResourceApplyAdamWithAmsgrad, device = GPU, T = [f32, f16])]
pub fn adam_with_amsgrad_gpu(
    var: Input<'_>,
    m: Input<'_>,
    v: Input<'_>,
    vhat: Input<'_>,
    beta1_power: Input<'_>,
    beta2_power: Input<'_>,
    lr: Input<'_>,
    beta1: Input<'_>,
    beta2: Input<'_>,
    epsilon: Input<'_>,
    grad: &Tensor,
    env: Env<'_>,
) -> Result<()> {
    apply(
        [&var, &m, &v, &vhat],
        [&beta1_power, &beta2_power, &lr, &beta1, &beta2, &epsilon],
        grad,
        env,
        |on, [var, m, v, vhat]| {
            adam_with_amsgrad {
                var,
                m,
                v,
                vhat,
                beta1_power: &beta1_power,
                beta2_power: &beta2_power,
                lr: &lr,
                beta1: &beta1,
                beta2: &beta2,
                epsilon: &epsilon,
                grad,
            }
            .launch(on.device, on.dtype, adam_with_amsgrad::blocks(on.count))
        },
    )
}

/// A step of `ResourceApplyAdaMax` at each position.
#[program(block = 256, T = [f32, f16])]
fn ada_max<T: Float>(
    var: &mut [T],
    m: &mut [T],
    v: &mut [T],
    beta1_power: &[T],
    lr: &[T],
    beta1: &[T],
    beta2: &[T],
    epsilon: &[T],
    grad: &[T],
) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for at in (first..grad.len()).step_by(grid_dim().x * block_dim().x) {
        let mean = m[at] + (grad[at] - m[at]) * (T::one() - beta1[0]);
        let magnitude = grad[at].abs();
        let mut largest = magnitude;
        if beta2[0] * v[at] > magnitude {
            largest = beta2[0] * v[at];
        }
        m[at] = mean;
        v[at] = largest;
        var[at] = var[at] - lr[0] / (T::one() - beta1_power[0]) * (mean / (largest + epsilon[0]));
    }
}

/// `ResourceApplyAdaMax` in the device's memory.
#[kernel(ResourceApplyAdaMax, device = GPU, T = [f32, f16])]
pub fn ada_max_gpu(
    var: Input<'_>,
    m: Input<'_>,
    v: Input<'_>,
    beta1_power: Input<'_>,
    lr: Input<'_>,
    beta1: Input<'_>,
    beta2: Input<'_>,
    epsilon: Input<'_>,
    grad: &Tensor,
    env: Env<'_>,
) -> Result<()> {
    apply([&var, &m, &v], [&beta1_power, &lr, &beta1, &beta2, &epsilon], grad, env, |on, [var, m, v]| {
        ada_max { var, m, v, beta1_power: &beta1_power, lr: &lr, beta1: &beta1, beta2: &beta2, epsilon: &epsilon, grad }
            .launch(on.device, on.dtype, ada_max::blocks(on.count))
    })
}
