//! `ResourceApplyAdamWithAmsgrad`: Adam with the largest mean of squares so far.
//!
//! As `ResourceApplyAdam`, with `vhat = max(vhat, v)` in place of `v` in the step.

use super::shapes;
use oplink::prelude::*;

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
