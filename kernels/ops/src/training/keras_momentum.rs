//! `ResourceApplyKerasMomentum` and `ResourceSparseApplyKerasMomentum`: momentum that has the rate in it.
//!
//! `accum = momentum * accum - lr * grad` and `var += accum`; with the attr `use_nesterov`,
//! `var += momentum * accum - lr * grad`.

use super::shapes;
use oplink::prelude::*;

/// Applies a step with momentum to a resource variable.
#[op("ResourceApplyKerasMomentum",
     input = "var: resource",
     input = "accum: resource",
     input = "lr: T",
     input = "grad: T",
     input = "momentum: T",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     attr = "use_nesterov: bool = false",
     stateful,
     shape = shapes::dense)]
pub struct ResourceApplyKerasMomentum;

/// Applies a step with momentum to some rows of a resource variable.
#[op("ResourceSparseApplyKerasMomentum",
     input = "var: resource",
     input = "accum: resource",
     input = "lr: T",
     input = "grad: T",
     input = "indices: Tindices",
     input = "momentum: T",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     attr = "use_nesterov: bool = false",
     stateful,
     shape = shapes::sparse)]
pub struct ResourceSparseApplyKerasMomentum;
