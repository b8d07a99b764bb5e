//! `ApplyAdaMax` and `ResourceApplyAdaMax`: Adam with a decaying maximum in place of the mean of squares.
//!
//! `m += (1 - beta1) * (grad - m)`, `v = max(beta2 * v, |grad|)`, `var -= lr / (1 - beta1_power) * m / (v + epsilon)`.

use oplink::prelude::*;

use super::dense::apply;
use super::shapes;
use super::slots::scalars;
use super::weight::RealWeight;

/// Applies a step of AdaMax to the variable behind a reference.
#[op("ApplyAdaMax",
     input = "var: Ref(T)",
     input = "m: Ref(T)",
     input = "v: Ref(T)",
     input = "beta1_power: T",
     input = "lr: T",
     input = "beta1: T",
     input = "beta2: T",
     input = "epsilon: T",
     input = "grad: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     shape = shapes::dense)]
pub struct ApplyAdaMax;

/// Applies a step of AdaMax to a resource variable.
#[op("ResourceApplyAdaMax",
     input = "var: resource",
     input = "m: resource",
     input = "v: resource",
     input = "beta1_power: T",
     input = "lr: T",
     input = "beta1: T",
     input = "beta2: T",
     input = "epsilon: T",
     input = "grad: T",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     stateful,
     shape = shapes::dense)]
pub struct ResourceApplyAdaMax;

/// AdaMax of floating-point numbers.
#[kernel(ApplyAdaMax, device = CPU, T = [f16, f32, f64])]
#[kernel(ResourceApplyAdaMax, device = CPU, T = [f16, f32, f64])]
pub fn apply_ada_max_cpu<T: RealWeight>(context: &mut KernelContext<'_>) -> Result<()> {
    let [beta1_power, lr, beta1, beta2, epsilon] = scalars::<T, 5>(context, 3)?;
    let one = T::one();
    apply::<T, 3>(context, 8, |[var, m, v], grad| {
        let m = m + (grad - m) * (one - beta1);
        let v = (beta2 * v).at_least(grad.magnitude());
        [var - lr / (one - beta1_power) * (m / (v + epsilon)), m, v]
    })
}
