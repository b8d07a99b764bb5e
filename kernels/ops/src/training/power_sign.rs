//! `ApplyPowerSign` and `ResourceApplyPowerSign`: steps that grow by a factor where the gradient keeps its sign.
//!
//! `m = beta * m + (1 - beta) * grad`, `var -= lr * exp(logbase * sign_decay * sign(grad) * sign(m)) * grad`.

use super::shapes;
use oplink::prelude::*;

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
