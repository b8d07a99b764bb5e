//! `ApplyPowerSign` and `ResourceApplyPowerSign`: steps that grow by a factor where the gradient keeps its sign.
//!
//! `m = beta * m + (1 - beta) * grad`, `var -= lr * exp(logbase * sign_decay * sign(grad) * sign(m)) * grad`.

use oplink::prelude::*;

use super::dense::apply;
use super::shapes;
use super::slots::scalars;
use super::weight::RealWeight;

/// Applies a step of PowerSign to the variable behind a reference.
#[op("ApplyPowerSign",
     input = "var: Ref(T)",
     input = "m: Ref(T)",
     input = "lr: T",
     input = "logbase: T",
     input = "sign_decay: T",
     input = "beta: T",
     input = "grad: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     shape = shapes::dense)]
pub struct ApplyPowerSign;

/// Applies a step of PowerSign to a resource variable.
#[op("ResourceApplyPowerSign",
     input = "var: resource",
     input = "m: resource",
     input = "lr: T",
     input = "logbase: T",
     input = "sign_decay: T",
     input = "beta: T",
     input = "grad: T",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     stateful,
     shape = shapes::dense)]
pub struct ResourceApplyPowerSign;

/// PowerSign of floating-point numbers.
#[kernel(ApplyPowerSign, device = CPU, T = [floats])]
#[kernel(ResourceApplyPowerSign, device = CPU, T = [floats])]
pub fn apply_power_sign_cpu<T: RealWeight>(context: &mut KernelContext<'_>) -> Result<()> {
    let [lr, logbase, sign_decay, beta] = scalars::<T, 4>(context, 2)?;
    apply::<T, 2>(context, 6, |[var, m], grad| {
        let m = m * beta + grad * (T::one() - beta);
        let scale = (logbase * sign_decay * (grad.sign() * m.sign())).exponential();
        [var - lr * scale * grad, m]
    })
}
