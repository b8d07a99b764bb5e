//! Steps of rows: the optimisers of `descent`, `adagrad` and `rms_prop` for gradients that have only some rows.
//!
//! Formulas are those of the ops' declarations. Indices and scalars are in the device's memory. A row that does not exist is left
//! out: the host does not see the indices. f16 is computed in f16.
#![allow(clippy::too_many_arguments, reason = "an optimiser has as many arguments as its op")]

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink::program;
use oplink_ops::training::*;

use super::rows::{Rows, apply_rows, rows_program};
use crate::host_fallback::kernels;

kernels! {
    #[kernel(ResourceSparseApplyMomentum, device = GPU, T = [f32, f16], Tindices = any)]
    sparse_momentum_gpu = momentum;
    #[kernel(ResourceSparseApplyKerasMomentum, device = GPU, T = [f32, f16], Tindices = any)]
    sparse_keras_momentum_gpu = keras_momentum;
    #[kernel(ResourceSparseApplyAdagrad, device = GPU, T = [f32, f16], Tindices = any)]
    sparse_adagrad_gpu = adagrad;
    #[kernel(ResourceSparseApplyAdagradV2, device = GPU, T = [f32, f16], Tindices = any)]
    sparse_adagrad_v2_gpu = adagrad_v2;
    #[kernel(ResourceSparseApplyAdadelta, device = GPU, T = [f32, f16], Tindices = any)]
    sparse_adadelta_gpu = adadelta;
    #[kernel(ResourceSparseApplyRMSProp, device = GPU, T = [f32, f16], Tindices = any)]
    sparse_rms_prop_gpu = rms_prop;
    #[kernel(ResourceSparseApplyCenteredRMSProp, device = GPU, T = [f32, f16], Tindices = any)]
    sparse_centered_rms_prop_gpu = centered_rms_prop;
}

rows_program! {
    /// Steps of `ResourceSparseApplyMomentum`.
    momentum_rows(var: weight, accum: sum; lr, momentum; use_nesterov), |grad| {
        sum = sum * momentum[0] + grad;
        if use_nesterov {
            weight = weight - (grad * lr[0] + sum * momentum[0] * lr[0]);
        } else {
            weight = weight - sum * lr[0];
        }
    }
}

rows_program! {
    /// Steps of `ResourceSparseApplyKerasMomentum`.
    keras_momentum_rows(var: weight, accum: sum; lr, momentum; use_nesterov), |grad| {
        sum = sum * momentum[0] - grad * lr[0];
        if use_nesterov {
            weight = weight + (sum * momentum[0] - grad * lr[0]);
        } else {
            weight = weight + sum;
        }
    }
}

rows_program! {
    /// Steps of `ResourceSparseApplyAdagrad`.
    adagrad_rows(var: weight, accum: sum; lr; update_slots), |grad| {
        if update_slots {
            sum = sum + grad * grad;
        }
        weight = weight - grad * lr[0] * (T::one() / sum.sqrt());
    }
}

rows_program! {
    /// Steps of `ResourceSparseApplyAdagradV2`.
    adagrad_v2_rows(var: weight, accum: sum; lr, epsilon; update_slots), |grad| {
        if update_slots {
            sum = sum + grad * grad;
        }
        weight = weight - grad * lr[0] / (sum.sqrt() + epsilon[0]);
    }
}

rows_program! {
    /// Steps of `ResourceSparseApplyAdadelta`.
    adadelta_rows(var: weight, accum: mean, accum_update: last_update; lr, rho, epsilon;), |grad| {
        let rest = T::one() - rho[0];
        mean = mean * rho[0] + grad * grad * rest;
        let update = (last_update + epsilon[0]).sqrt() * (T::one() / (mean + epsilon[0]).sqrt()) * grad;
        last_update = last_update * rho[0] + update * update * rest;
        weight = weight - update * lr[0];
    }
}

rows_program! {
    /// Steps of `ResourceSparseApplyRMSProp`.
    rms_prop_rows(var: weight, ms: mean, mom: step; lr, rho, momentum, epsilon;), |grad| {
        mean = mean * rho[0] + grad * grad * (T::one() - rho[0]);
        step = step * momentum[0] + T::one() / (mean + epsilon[0]).sqrt() * lr[0] * grad;
        weight = weight - step;
    }
}

rows_program! {
    /// Steps of `ResourceSparseApplyCenteredRMSProp`.
    centered_rms_prop_rows(var: weight, mg: mean, ms: mean_square, mom: step; lr, rho, momentum, epsilon;), |grad| {
        let rest = T::one() - rho[0];
        mean_square = mean_square * rho[0] + grad * grad * rest;
        mean = grad * rest + mean * rho[0];
        step = step * momentum[0] + T::one() / (mean_square + epsilon[0] - mean * mean).sqrt() * lr[0] * grad;
        weight = weight - step;
    }
}

fn momentum(context: &KernelContext<'_>) -> Result<()> {
    let (nesterov, input) = (context.attr("use_nesterov")?, |index| context.input(index));
    apply_rows(context, 3, 4, |on, [var, accum]| {
        let Rows { device, dtype, numbers, firsts, lasts, length, total } = on;
        let grid = momentum_rows::blocks(*total as usize);
        let (lr, momentum, grad) = (input(2), input(5), input(3));
        momentum_rows {
            var,
            accum,
            lr,
            momentum,
            gradients: grad,
            numbers,
            firsts,
            lasts,
            length: *length,
            total: *total,
            use_nesterov: nesterov,
        }
        .launch(*device, *dtype, grid)
    })
}

fn keras_momentum(context: &KernelContext<'_>) -> Result<()> {
    let (nesterov, input) = (context.attr("use_nesterov")?, |index| context.input(index));
    apply_rows(context, 3, 4, |on, [var, accum]| {
        let Rows { device, dtype, numbers, firsts, lasts, length, total } = on;
        let grid = keras_momentum_rows::blocks(*total as usize);
        let (lr, momentum, grad) = (input(2), input(5), input(3));
        keras_momentum_rows {
            var,
            accum,
            lr,
            momentum,
            gradients: grad,
            numbers,
            firsts,
            lasts,
            length: *length,
            total: *total,
            use_nesterov: nesterov,
        }
        .launch(*device, *dtype, grid)
    })
}

fn adagrad(context: &KernelContext<'_>) -> Result<()> {
    let (update, input) = (context.attr("update_slots")?, |index| context.input(index));
    apply_rows(context, 3, 4, |on, [var, accum]| {
        let Rows { device, dtype, numbers, firsts, lasts, length, total } = on;
        let grid = adagrad_rows::blocks(*total as usize);
        let (lr, grad) = (input(2), input(3));
        adagrad_rows {
            var,
            accum,
            lr,
            gradients: grad,
            numbers,
            firsts,
            lasts,
            length: *length,
            total: *total,
            update_slots: update,
        }
        .launch(*device, *dtype, grid)
    })
}

fn adagrad_v2(context: &KernelContext<'_>) -> Result<()> {
    let (update, input) = (context.attr("update_slots")?, |index| context.input(index));
    apply_rows(context, 4, 5, |on, [var, accum]| {
        let Rows { device, dtype, numbers, firsts, lasts, length, total } = on;
        let grid = adagrad_v2_rows::blocks(*total as usize);
        let (lr, epsilon, grad) = (input(2), input(3), input(4));
        adagrad_v2_rows {
            var,
            accum,
            lr,
            epsilon,
            gradients: grad,
            numbers,
            firsts,
            lasts,
            length: *length,
            total: *total,
            update_slots: update,
        }
        .launch(*device, *dtype, grid)
    })
}

fn adadelta(context: &KernelContext<'_>) -> Result<()> {
    let input = |index| context.input(index);
    apply_rows(context, 6, 7, |on, [var, accum, update]| {
        let Rows { device, dtype, numbers, firsts, lasts, length, total } = on;
        let grid = adadelta_rows::blocks(*total as usize);
        let (lr, rho, epsilon, grad) = (input(3), input(4), input(5), input(6));
        adadelta_rows {
            var,
            accum,
            accum_update: update,
            lr,
            rho,
            epsilon,
            gradients: grad,
            numbers,
            firsts,
            lasts,
            length: *length,
            total: *total,
        }
        .launch(*device, *dtype, grid)
    })
}

fn rms_prop(context: &KernelContext<'_>) -> Result<()> {
    let input = |index| context.input(index);
    apply_rows(context, 7, 8, |on, [var, ms, mom]| {
        let Rows { device, dtype, numbers, firsts, lasts, length, total } = on;
        let grid = rms_prop_rows::blocks(*total as usize);
        let (lr, rho, momentum, epsilon, grad) = (input(3), input(4), input(5), input(6), input(7));
        rms_prop_rows {
            var,
            ms,
            mom,
            lr,
            rho,
            momentum,
            epsilon,
            gradients: grad,
            numbers,
            firsts,
            lasts,
            length: *length,
            total: *total,
        }
        .launch(*device, *dtype, grid)
    })
}

fn centered_rms_prop(context: &KernelContext<'_>) -> Result<()> {
    let input = |index| context.input(index);
    apply_rows(context, 8, 9, |on, [var, mg, ms, mom]| {
        let Rows { device, dtype, numbers, firsts, lasts, length, total } = on;
        let grid = centered_rms_prop_rows::blocks(*total as usize);
        let (lr, rho, momentum, epsilon, grad) = (input(4), input(5), input(6), input(7), input(8));
        centered_rms_prop_rows {
            var,
            mg,
            ms,
            mom,
            lr,
            rho,
            momentum,
            epsilon,
            gradients: grad,
            numbers,
            firsts,
            lasts,
            length: *length,
            total: *total,
        }
        .launch(*device, *dtype, grid)
    })
}
