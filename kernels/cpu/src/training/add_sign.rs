//! `ApplyAddSign` and `ResourceApplyAddSign`: steps that grow where the gradient keeps its sign.
//!
//! `m = beta * m + (1 - beta) * grad`, `var -= lr * (alpha + sign_decay * sign(grad) * sign(m)) * grad`.

use oplink::prelude::*;

use super::dense::apply;
use super::shapes;
use super::slots::scalars;
use super::weight::RealWeight;

/// Applies a step of AddSign to the variable behind a reference.
#[op("ApplyAddSign",
     input = "var: Ref(T)",
     input = "m: Ref(T)",
     input = "lr: T",
     input = "alpha: T",
     input = "sign_decay: T",
     input = "beta: T",
     input = "grad: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     shape = shapes::dense)]
pub struct ApplyAddSign;

/// Applies a step of AddSign to a resource variable.
#[op("ResourceApplyAddSign",
     input = "var: resource",
     input = "m: resource",
     input = "lr: T",
     input = "alpha: T",
     input = "sign_decay: T",
     input = "beta: T",
     input = "grad: T",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     stateful,
     shape = shapes::dense)]
pub struct ResourceApplyAddSign;

/// AddSign of floating-point numbers.
#[kernel(ApplyAddSign, device = CPU, T = [floats])]
#[kernel(ResourceApplyAddSign, device = CPU, T = [floats])]
pub fn apply_add_sign_cpu<T: RealWeight>(context: &mut KernelContext<'_>) -> Result<()> {
    let [lr, alpha, sign_decay, beta] = scalars::<T, 4>(context, 2)?;
    apply::<T, 2>(context, 6, |[var, m], grad| {
        let m = m * beta + grad * (T::one() - beta);
        let agreement = grad.sign() * m.sign();
        [var - lr * (alpha + sign_decay * agreement) * grad, m]
    })
}
