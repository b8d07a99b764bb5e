//! `ApplyAdam` and `ResourceApplyAdam`: steps scaled by running means of the gradient and of its square.
//!
//! `alpha = lr * sqrt(1 - beta2_power) / (1 - beta1_power)`, `m += (1 - beta1) * (grad - m)`,
//! `v += (1 - beta2) * (grad^2 - v)`, `var -= alpha * m / (sqrt(v) + epsilon)`; with the attr `use_nesterov`,
//! `beta1 * m + (1 - beta1) * grad` in place of `m`. The powers of `beta1` and `beta2` are the caller's to advance.

use super::shapes;
use oplink::prelude::*;

/// Applies a step of Adam to the variable behind a reference.
#[op("ApplyAdam",
     input = "var: Ref(T)",
     input = "m: Ref(T)",
     input = "v: Ref(T)",
     input = "beta1_power: T",
     input = "beta2_power: T",
     input = "lr: T",
     input = "beta1: T",
     input = "beta2: T",
     input = "epsilon: T",
     input = "grad: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     attr = "use_nesterov: bool = false",
     shape = shapes::dense)]
pub struct ApplyAdam;

/// Applies a step of Adam to a resource variable.
#[op("ResourceApplyAdam",
     input = "var: resource",
     input = "m: resource",
     input = "v: resource",
     input = "beta1_power: T",
     input = "beta2_power: T",
     input = "lr: T",
     input = "beta1: T",
     input = "beta2: T",
     input = "epsilon: T",
     input = "grad: T",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     attr = "use_nesterov: bool = false",
     stateful,
     shape = shapes::dense)]
pub struct ResourceApplyAdam;
