//! Steps along the gradient, with and without momentum.
//!
//! Formulas are those of the ops' declarations. Scalars are read in the device's memory, so that powers and rates that
//! other kernels computed need not come to the host. f16 is computed in f16.
#![allow(clippy::too_many_arguments, reason = "an optimiser has as many arguments as its op")]

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink::program;
use oplink_ops::training::{ResourceApplyGradientDescent, ResourceApplyKerasMomentum, ResourceApplyMomentum};

use super::slots::apply;

/// A step of `ResourceApplyGradientDescent` at each position.
#[program(block = 256, T = [f32, f16])]
fn gradient_descent<T: Float>(var: &mut [T], alpha: &[T], delta: &[T]) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for at in (first..delta.len()).step_by(grid_dim().x * block_dim().x) {
        var[at] = var[at] - delta[at] * alpha[0];
    }
}

/// `ResourceApplyGradientDescent` in the device's memory.
#[kernel(ResourceApplyGradientDescent, device = GPU, T = [f32, f16])]
pub fn gradient_descent_gpu(var: Input<'_>, alpha: Input<'_>, delta: &Tensor, env: Env<'_>) -> Result<()> {
    apply([&var], [&alpha], delta, env, |on, [var]| {
        gradient_descent { var, alpha: &alpha, delta }.launch(on.device, on.dtype, gradient_descent::blocks(on.count))
    })
}

/// A step of `ResourceApplyMomentum` at each position.
#[program(block = 256, T = [f32, f16])]
fn momentum_step<T: Float>(var: &mut [T], accum: &mut [T], lr: &[T], momentum: &[T], grad: &[T], use_nesterov: bool) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for at in (first..grad.len()).step_by(grid_dim().x * block_dim().x) {
        let sum = accum[at] * momentum[0] + grad[at];
        let mut step = sum * lr[0];
        if use_nesterov {
            step = grad[at] * lr[0] + sum * momentum[0] * lr[0];
        }
        accum[at] = sum;
        var[at] = var[at] - step;
    }
}

/// `ResourceApplyMomentum` in the device's memory.
#[kernel(ResourceApplyMomentum, device = GPU, T = [f32, f16])]
pub fn momentum_step_gpu(
    var: Input<'_>,
    accum: Input<'_>,
    lr: Input<'_>,
    momentum: Input<'_>,
    grad: &Tensor,
    use_nesterov: bool,
    env: Env<'_>,
) -> Result<()> {
    apply([&var, &accum], [&lr, &momentum], grad, env, |on, [var, accum]| {
        momentum_step { var, accum, lr: &lr, momentum: &momentum, grad, use_nesterov }.launch(
            on.device,
            on.dtype,
            momentum_step::blocks(on.count),
        )
    })
}

/// A step of `ResourceApplyKerasMomentum` at each position.
#[program(block = 256, T = [f32, f16])]
fn keras_momentum<T: Float>(var: &mut [T], accum: &mut [T], lr: &[T], momentum: &[T], grad: &[T], use_nesterov: bool) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for at in (first..grad.len()).step_by(grid_dim().x * block_dim().x) {
        let mut step = accum[at] * momentum[0] - grad[at] * lr[0];
        accum[at] = step;
        if use_nesterov {
            step = step * momentum[0] - grad[at] * lr[0];
        }
        var[at] = var[at] + step;
    }
}

/// `ResourceApplyKerasMomentum` in the device's memory.
#[kernel(ResourceApplyKerasMomentum, device = GPU, T = [f32, f16])]
pub fn keras_momentum_gpu(
    var: Input<'_>,
    accum: Input<'_>,
    lr: Input<'_>,
    momentum: Input<'_>,
    grad: &Tensor,
    use_nesterov: bool,
    env: Env<'_>,
) -> Result<()> {
    apply([&var, &accum], [&lr, &momentum], grad, env, |on, [var, accum]| {
        keras_momentum { var, accum, lr: &lr, momentum: &momentum, grad, use_nesterov }.launch(
            on.device,
            on.dtype,
            keras_momentum::blocks(on.count),
        )
    })
}
