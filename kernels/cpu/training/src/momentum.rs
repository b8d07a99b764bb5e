//! Steps that keep a part of the steps before.
//!
//! - `ApplyMomentum` and its resource and sparse forms: `accum = momentum * accum + grad` and `var -= lr * accum`; with
//!   the attr `use_nesterov`, `var -= lr * grad + lr * momentum * accum`.
//! - `ResourceApplyKerasMomentum` and `ResourceSparseApplyKerasMomentum`: `accum = momentum * accum - lr * grad` and
//!   `var += accum`; with the attr `use_nesterov`, `var += momentum * accum - lr * grad`.

use super::dtype::TrainableDType;
use super::slots::{Scalar, forward_reference};
use super::update::update;
use oplink::prelude::*;
use oplink_ops::training::{
    ApplyMomentum, ResourceApplyKerasMomentum, ResourceApplyMomentum, ResourceSparseApplyKerasMomentum,
    ResourceSparseApplyMomentum, SparseApplyMomentum,
};

/// Momentum of whole variables and of rows.
#[kernel(ApplyMomentum, device = CPU, T = [floats, complex])]
#[kernel(ResourceApplyMomentum, device = CPU, T = [floats, complex])]
#[kernel(SparseApplyMomentum, device = CPU, T = [floats, complex], Tindices = any)]
#[kernel(ResourceSparseApplyMomentum, device = CPU, T = [floats, complex], Tindices = any)]
pub fn apply_momentum_cpu<T: TrainableDType>(
    var: Input<'_>,
    accum: Input<'_>,
    lr: Scalar<T>,
    momentum: Scalar<T>,
    grad: &Tensor,
    indices: Option<&Tensor>,
    use_nesterov: bool,
    out: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    let (Scalar(lr), Scalar(momentum)) = (lr, momentum);
    update::<T, _>([&var, &accum], grad, indices, &env, |[var, accum], grad| {
        let accum = accum * momentum + grad;
        let step = if use_nesterov { grad * lr + accum * momentum * lr } else { accum * lr };
        [var - step, accum]
    })?;
    forward_reference(var, out);
    Ok(())
}

/// Momentum that has the rate in it, of whole variables and of rows.
#[kernel(ResourceApplyKerasMomentum, device = CPU, T = [floats, complex])]
#[kernel(ResourceSparseApplyKerasMomentum, device = CPU, T = [floats, complex], Tindices = any)]
pub fn resource_apply_keras_momentum_cpu<T: TrainableDType>(
    var: Input<'_>,
    accum: Input<'_>,
    lr: Scalar<T>,
    momentum: Scalar<T>,
    grad: &Tensor,
    indices: Option<&Tensor>,
    use_nesterov: bool,
    env: Env<'_>,
) -> Result<()> {
    let (Scalar(lr), Scalar(momentum)) = (lr, momentum);
    update::<T, _>([&var, &accum], grad, indices, &env, |[var, accum], grad| {
        let accum = accum * momentum - grad * lr;
        let step = if use_nesterov { accum * momentum - grad * lr } else { accum };
        [var + step, accum]
    })
}
