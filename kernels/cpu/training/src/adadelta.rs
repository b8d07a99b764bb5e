//! `ApplyAdadelta` and its resource and sparse forms: steps scaled by running means of squares.
//!
//! `accum = rho * accum + (1 - rho) * grad^2`, `update = sqrt(accum_update + epsilon) / sqrt(accum + epsilon) * grad`,
//! `var -= lr * update`, `accum_update = rho * accum_update + (1 - rho) * update^2`.

use super::dtype::TrainableDType;
use super::slots::{Scalar, forward_reference};
use super::update::update;
use oplink::prelude::*;
use oplink_ops::training::{ApplyAdadelta, ResourceApplyAdadelta, ResourceSparseApplyAdadelta, SparseApplyAdadelta};

/// Adadelta of whole variables and of rows.
#[kernel(ApplyAdadelta, device = CPU, T = [floats, complex])]
#[kernel(ResourceApplyAdadelta, device = CPU, T = [floats, complex])]
#[kernel(SparseApplyAdadelta, device = CPU, T = [floats, complex], Tindices = any)]
#[kernel(ResourceSparseApplyAdadelta, device = CPU, T = [floats, complex], Tindices = any)]
pub fn apply_adadelta_cpu<T: TrainableDType>(
    var: Input<'_>,
    accum: Input<'_>,
    accum_update: Input<'_>,
    lr: Scalar<T>,
    rho: Scalar<T>,
    epsilon: Scalar<T>,
    grad: &Tensor,
    indices: Option<&Tensor>,
    out: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    let (Scalar(lr), Scalar(rho), Scalar(epsilon)) = (lr, rho, epsilon);
    let rest = T::one() - rho;
    update::<T, _>([&var, &accum, &accum_update], grad, indices, &env, |[var, accum, accum_update], grad| {
        let accum = accum * rho + grad * grad * rest;
        let update = (accum_update + epsilon).root() * (T::one() / (accum + epsilon).root()) * grad;
        [var - update * lr, accum, accum_update * rho + update * update * rest]
    })?;
    forward_reference(var, out);
    Ok(())
}
