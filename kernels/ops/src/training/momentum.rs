//! `ApplyMomentum` and its resource and sparse forms: steps that keep a part of the steps before.
//!
//! `accum = momentum * accum + grad` and `var -= lr * accum`; with the attr `use_nesterov`,
//! `var -= lr * grad + lr * momentum * accum`.

use super::shapes;
use oplink::prelude::*;

/// Applies a step with momentum to the variable behind a reference.
#[op("ApplyMomentum",
     input = "var: Ref(T)",
     input = "accum: Ref(T)",
     input = "lr: T",
     input = "grad: T",
     input = "momentum: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     attr = "use_nesterov: bool = false",
     shape = shapes::dense)]
pub struct ApplyMomentum;

/// Applies a step with momentum to a resource variable.
#[op("ResourceApplyMomentum",
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
pub struct ResourceApplyMomentum;

/// Applies a step with momentum to some rows of the variable behind a reference.
#[op("SparseApplyMomentum",
     input = "var: Ref(T)",
     input = "accum: Ref(T)",
     input = "lr: T",
     input = "grad: T",
     input = "indices: Tindices",
     input = "momentum: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     attr = "use_nesterov: bool = false",
     shape = shapes::sparse)]
pub struct SparseApplyMomentum;

/// Applies a step with momentum to some rows of a resource variable.
#[op("ResourceSparseApplyMomentum",
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
pub struct ResourceSparseApplyMomentum;
