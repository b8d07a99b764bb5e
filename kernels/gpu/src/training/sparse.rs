//! Steps of rows: the optimisers of `descent`, `adagrad` and `rms_prop` for gradients that have only some rows.
//!
//! Formulas are those of the ops' declarations. Indices and scalars are in the device's memory. A row that does not
//! exist is left out: the host does not see the indices. f16 is computed in f16.
#![allow(clippy::too_many_arguments, reason = "an optimiser has as many arguments as its op")]

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink::program;
use oplink_ops::training::*;

use super::rows::{Rows, apply_rows, rows_kernel};

rows_kernel! {
    #[kernel(ResourceSparseApplyMomentum, device = GPU, T = [f32, f16], Tindices = any)]
    sparse_momentum_gpu by momentum_rows(var: weight, accum: sum; lr, momentum; use_nesterov), |grad| {
        sum = sum * momentum[0] + grad;
        if use_nesterov {
            weight = weight - (grad * lr[0] + sum * momentum[0] * lr[0]);
        } else {
            weight = weight - sum * lr[0];
        }
    }
}

rows_kernel! {
    #[kernel(ResourceSparseApplyKerasMomentum, device = GPU, T = [f32, f16], Tindices = any)]
    sparse_keras_momentum_gpu by keras_momentum_rows(var: weight, accum: sum; lr, momentum; use_nesterov), |grad| {
        sum = sum * momentum[0] - grad * lr[0];
        if use_nesterov {
            weight = weight + (sum * momentum[0] - grad * lr[0]);
        } else {
            weight = weight + sum;
        }
    }
}

rows_kernel! {
    #[kernel(ResourceSparseApplyAdagrad, device = GPU, T = [f32, f16], Tindices = any)]
    sparse_adagrad_gpu by adagrad_rows(var: weight, accum: sum; lr; update_slots), |grad| {
        if update_slots {
            sum = sum + grad * grad;
        }
        weight = weight - grad * lr[0] * (T::one() / sum.sqrt());
    }
}

rows_kernel! {
    #[kernel(ResourceSparseApplyAdagradV2, device = GPU, T = [f32, f16], Tindices = any)]
    sparse_adagrad_v2_gpu by adagrad_v2_rows(var: weight, accum: sum; lr, epsilon; update_slots), |grad| {
        if update_slots {
            sum = sum + grad * grad;
        }
        weight = weight - grad * lr[0] / (sum.sqrt() + epsilon[0]);
    }
}

rows_kernel! {
    #[kernel(ResourceSparseApplyAdadelta, device = GPU, T = [f32, f16], Tindices = any)]
    sparse_adadelta_gpu by adadelta_rows(var: weight, accum: mean, accum_update: last_update; lr, rho, epsilon;), |grad| {
        let rest = T::one() - rho[0];
        mean = mean * rho[0] + grad * grad * rest;
        let update = (last_update + epsilon[0]).sqrt() * (T::one() / (mean + epsilon[0]).sqrt()) * grad;
        last_update = last_update * rho[0] + update * update * rest;
        weight = weight - update * lr[0];
    }
}

rows_kernel! {
    #[kernel(ResourceSparseApplyRMSProp, device = GPU, T = [f32, f16], Tindices = any)]
    sparse_rms_prop_gpu by rms_prop_rows(var: weight, ms: mean, mom: step; lr, rho, momentum, epsilon;), |grad| {
        mean = mean * rho[0] + grad * grad * (T::one() - rho[0]);
        step = step * momentum[0] + T::one() / (mean + epsilon[0]).sqrt() * lr[0] * grad;
        weight = weight - step;
    }
}

rows_kernel! {
    #[kernel(ResourceSparseApplyCenteredRMSProp, device = GPU, T = [f32, f16], Tindices = any)]
    sparse_centered_rms_prop_gpu by centered_rms_prop_rows(var: weight, mg: mean, ms: mean_square, mom: step; lr, rho, momentum, epsilon;), |grad| {
        let rest = T::one() - rho[0];
        mean_square = mean_square * rho[0] + grad * grad * rest;
        mean = grad * rest + mean * rho[0];
        step = step * momentum[0] + T::one() / (mean_square + epsilon[0] - mean * mean).sqrt() * lr[0] * grad;
        weight = weight - step;
    }
}
