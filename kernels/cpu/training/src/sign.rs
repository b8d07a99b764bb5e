//! Steps that depend on whether the gradient keeps its sign. Each as a reference and as a resource form.
//!
//! With `m = beta * m + (1 - beta) * grad`:
//! - `ApplyAddSign`: `var -= lr * (alpha + sign_decay * sign(grad) * sign(m)) * grad`.
//! - `ApplyPowerSign`: `var -= lr * exp(logbase * sign_decay * sign(grad) * sign(m)) * grad`.

use super::dtype::RealTrainableDType;
use super::slots::{Scalar, forward_reference};
use super::update::update;
use oplink::prelude::*;
use oplink_ops::training::{ApplyAddSign, ApplyPowerSign, ResourceApplyAddSign, ResourceApplyPowerSign};

/// AddSign of floating-point numbers.
#[kernel(ApplyAddSign, device = CPU, T = [floats])]
#[kernel(ResourceApplyAddSign, device = CPU, T = [floats])]
pub fn apply_add_sign_cpu<T: RealTrainableDType>(
    var: Input<'_>,
    m: Input<'_>,
    lr: Scalar<T>,
    alpha: Scalar<T>,
    sign_decay: Scalar<T>,
    beta: Scalar<T>,
    grad: &Tensor,
    out: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    let (Scalar(lr), Scalar(alpha), Scalar(sign_decay), Scalar(beta)) = (lr, alpha, sign_decay, beta);
    update::<T, _>([&var, &m], grad, None, &env, |[var, m], grad| {
        let m = m * beta + grad * (T::one() - beta);
        let agreement = grad.sign() * m.sign();
        [var - lr * (alpha + sign_decay * agreement) * grad, m]
    })?;
    forward_reference(var, out);
    Ok(())
}

/// PowerSign of floating-point numbers.
#[kernel(ApplyPowerSign, device = CPU, T = [floats])]
#[kernel(ResourceApplyPowerSign, device = CPU, T = [floats])]
pub fn apply_power_sign_cpu<T: RealTrainableDType>(
    var: Input<'_>,
    m: Input<'_>,
    lr: Scalar<T>,
    logbase: Scalar<T>,
    sign_decay: Scalar<T>,
    beta: Scalar<T>,
    grad: &Tensor,
    out: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    let (Scalar(lr), Scalar(logbase), Scalar(sign_decay), Scalar(beta)) = (lr, logbase, sign_decay, beta);
    update::<T, _>([&var, &m], grad, None, &env, |[var, m], grad| {
        let m = m * beta + grad * (T::one() - beta);
        let scale = (logbase * sign_decay * (grad.sign() * m.sign())).exponential();
        [var - lr * scale * grad, m]
    })?;
    forward_reference(var, out);
    Ok(())
}
