//! `ApplyAdaMax` and `ResourceApplyAdaMax`: Adam with a decaying maximum in place of the mean of squares.
//!
//! `m += (1 - beta1) * (grad - m)`, `v = max(beta2 * v, |grad|)`, `var -= lr / (1 - beta1_power) * m / (v + epsilon)`.

use super::shapes;
use oplink::prelude::*;

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
