//! `ResourceApplyFtrl`, `ResourceApplyFtrlV2` and their forms for rows: follow the regularised leader.
//!
//! Formulas are those of the ops' declarations. Scalars are read in the device's memory, where nobody checks their
//! signs. A row that does not exist is left out. f16 is computed in f16.
#![allow(clippy::too_many_arguments, reason = "an optimiser has as many arguments as its op")]

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink::program;
use oplink_ops::training::{
    ResourceApplyFtrl, ResourceApplyFtrlV2, ResourceSparseApplyFtrl, ResourceSparseApplyFtrlV2,
};

use super::rows::{Rows, apply_rows};
use super::slots::apply;

/// A step for a gradient: `values` are those of `var`, `accum` and `linear`.
#[device_fn]
fn ftrl_step<T: Float>(values: &mut [T], grad: T, lr: T, l1: T, l2: T, l2_shrinkage: T, lr_power: T, is_scaled: bool) {
    let new = values[1] + grad * grad;
    let mut power = new.sqrt();
    let mut old_power = values[1].sqrt();
    if lr_power != T::from_f32(-0.5) {
        power = new.powf(T::zero() - lr_power);
        old_power = values[1].powf(T::zero() - lr_power);
    }
    let mut scale = T::one();
    let mut divisor = lr;
    if is_scaled {
        scale = lr;
        divisor = T::one();
    }
    let two = T::one() + T::one();
    let shrunk = grad + two * l2_shrinkage * values[0];
    let linear = values[2] + shrunk * scale - (power - old_power) / divisor * values[0];
    let bound = l1 * scale;
    let mut weight = T::zero();
    if linear.abs() > bound {
        weight = (bound * linear.signum() - linear) / (power / divisor + two * l2 * scale);
    }
    values[0] = weight;
    values[1] = new;
    values[2] = linear;
}

/// A step at each position.
#[program(block = 256, T = [f32, f16], uses = [ftrl_step])]
fn ftrl<T: Float>(
    var: &mut [T],
    accum: &mut [T],
    linear: &mut [T],
    grad: &[T],
    lr: &[T],
    l1: &[T],
    l2: &[T],
    l2_shrinkage: &[T],
    lr_power: &[T],
    shrinks: bool,
    is_scaled: bool,
) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for at in (first..grad.len()).step_by(grid_dim().x * block_dim().x) {
        let mut values = [var[at], accum[at], linear[at]];
        let mut shrinkage = T::zero();
        if shrinks {
            shrinkage = l2_shrinkage[0];
        }
        ftrl_step(&mut values, grad[at], lr[0], l1[0], l2[0], shrinkage, lr_power[0], is_scaled);
        var[at] = values[0];
        accum[at] = values[1];
        linear[at] = values[2];
    }
}

/// A step for each gradient of a row, by the threads of its first one.
#[program(block = 256, T = [f32, f16], uses = [ftrl_step])]
fn ftrl_rows<T: Float>(
    var: &mut [T],
    accum: &mut [T],
    linear: &mut [T],
    grad: &[T],
    lr: &[T],
    l1: &[T],
    l2: &[T],
    l2_shrinkage: &[T],
    lr_power: &[T],
    numbers: &[u32],
    firsts: &[u32],
    lasts: &[u32],
    length: u32,
    total: u32,
    shrinks: bool,
    is_scaled: bool,
) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for at in (first..total as usize).step_by(grid_dim().x * block_dim().x) {
        let row = at as u32 / length;
        let column = at as u32 % length;
        let number = numbers[row as usize];
        if number != u32::MAX && firsts[number as usize] == row {
            let place = (number * length + column) as usize;
            let last = lasts[number as usize];
            let mut values = [var[place], accum[place], linear[place]];
            let mut shrinkage = T::zero();
            if shrinks {
                shrinkage = l2_shrinkage[0];
            }
            let mut other = row;
            while other <= last {
                if numbers[other as usize] == number {
                    let gradient = grad[(other * length + column) as usize];
                    ftrl_step(&mut values, gradient, lr[0], l1[0], l2[0], shrinkage, lr_power[0], is_scaled);
                }
                other += 1;
            }
            var[place] = values[0];
            accum[place] = values[1];
            linear[place] = values[2];
        }
    }
}

/// `ResourceApplyFtrl` and `ResourceApplyFtrlV2` in the device's memory.
#[kernel(ResourceApplyFtrl, device = GPU, T = [f32, f16])]
#[kernel(ResourceApplyFtrlV2, device = GPU, T = [f32, f16])]
pub fn ftrl_gpu(
    var: Input<'_>,
    accum: Input<'_>,
    linear: Input<'_>,
    grad: &Tensor,
    lr: Input<'_>,
    l1: Input<'_>,
    l2: Input<'_>,
    l2_shrinkage: Option<Input<'_>>,
    lr_power: Input<'_>,
    multiply_linear_by_lr: bool,
    env: Env<'_>,
) -> Result<()> {
    let (shrinkage, shrinks) = (l2_shrinkage.as_ref().unwrap_or(&l2), l2_shrinkage.is_some());
    let scalars = [&lr, &l1, &l2, shrinkage, &lr_power];
    apply([&var, &accum, &linear], scalars, grad, env, |on, [var, accum, linear]| {
        ftrl {
            var,
            accum,
            linear,
            grad,
            lr: &lr,
            l1: &l1,
            l2: &l2,
            l2_shrinkage: shrinkage,
            lr_power: &lr_power,
            shrinks,
            is_scaled: multiply_linear_by_lr,
        }
        .launch(on.device, on.dtype, ftrl::blocks(on.count))
    })
}

/// `ResourceSparseApplyFtrl` and `ResourceSparseApplyFtrlV2` in the device's memory.
#[kernel(ResourceSparseApplyFtrl, device = GPU, T = [f32, f16], Tindices = any)]
#[kernel(ResourceSparseApplyFtrlV2, device = GPU, T = [f32, f16], Tindices = any)]
pub fn sparse_ftrl_gpu(
    var: Input<'_>,
    accum: Input<'_>,
    linear: Input<'_>,
    grad: &Tensor,
    indices: &Tensor,
    lr: Input<'_>,
    l1: Input<'_>,
    l2: Input<'_>,
    l2_shrinkage: Option<Input<'_>>,
    lr_power: Input<'_>,
    multiply_linear_by_lr: bool,
    env: Env<'_>,
) -> Result<()> {
    let (shrinkage, shrinks) = (l2_shrinkage.as_ref().unwrap_or(&l2), l2_shrinkage.is_some());
    let scalars = [&lr, &l1, &l2, shrinkage, &lr_power];
    apply_rows([&var, &accum, &linear], scalars, [grad, indices], env, |on, [var, accum, linear]| {
        let Rows { device, dtype, numbers, firsts, lasts, length, total } = on;
        ftrl_rows {
            var,
            accum,
            linear,
            grad,
            lr: &lr,
            l1: &l1,
            l2: &l2,
            l2_shrinkage: shrinkage,
            lr_power: &lr_power,
            numbers,
            firsts,
            lasts,
            length: *length,
            total: *total,
            shrinks,
            is_scaled: multiply_linear_by_lr,
        }
        .launch(*device, *dtype, ftrl_rows::blocks(*total as usize))
    })
}
