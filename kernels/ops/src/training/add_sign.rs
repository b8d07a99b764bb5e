//! `ApplyAddSign` and `ResourceApplyAddSign`: steps that grow where the gradient keeps its sign.
//!
//! `m = beta * m + (1 - beta) * grad`, `var -= lr * (alpha + sign_decay * sign(grad) * sign(m)) * grad`.

use super::shapes;
use oplink::prelude::*;

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
