//! `ResourceApplyAdamWithAmsgrad`: Adam with the largest mean of squares so far.
//!
//! As `ResourceApplyAdam`, with `vhat = max(vhat, v)` in place of `v` in the step.

use oplink::prelude::*;

use super::dense::apply;
use super::shapes;
use super::slots::scalars;
use super::weight::RealWeight;

/// Applies a step of Adam to a resource variable.
#[op("ResourceApplyAdamWithAmsgrad",
     input = "var: resource",
     input = "m: resource",
     input = "v: resource",
     input = "vhat: resource",
     input = "beta1_power: T",
     input = "beta2_power: T",
     input = "lr: T",
     input = "beta1: T",
     input = "beta2: T",
     input = "epsilon: T",
     input = "grad: T",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     stateful,
     shape = shapes::dense)]
pub struct ResourceApplyAdamWithAmsgrad;

/// Adam with the largest mean of squares of floating-point numbers.
#[kernel(ResourceApplyAdamWithAmsgrad, device = CPU, T = [floats])]
pub fn resource_apply_adam_with_amsgrad_cpu<T: RealWeight>(context: &mut KernelContext<'_>) -> Result<()> {
    let [beta1_power, beta2_power, lr, beta1, beta2, epsilon] = scalars::<T, 6>(context, 4)?;
    let one = T::one();
    let alpha = lr * (one - beta2_power).root() / (one - beta1_power);
    apply::<T, 4>(context, 10, |[var, m, v, vhat], grad| {
        let m = m + (grad - m) * (one - beta1);
        let v = v + (grad * grad - v) * (one - beta2);
        let vhat = vhat.at_least(v);
        [var - m * alpha / (vhat.root() + epsilon), m, v, vhat]
    })
}
