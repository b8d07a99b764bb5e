//! `ApplyAdagradV2` and its resource and sparse forms: Adagrad with a bound on the rate.
//!
//! `accum += grad^2`, unless the attr `update_slots` is false, and `var -= lr * grad / (sqrt(accum) + epsilon)`.

use super::shapes;
use oplink::prelude::*;

/// Applies a step of Adagrad to the variable behind a reference.
#[op("ApplyAdagradV2",
     input = "var: Ref(T)",
     input = "accum: Ref(T)",
     input = "lr: T",
     input = "epsilon: T",
     input = "grad: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     attr = "update_slots: bool = true",
     shape = shapes::dense)]
pub struct ApplyAdagradV2;

/// Applies a step of Adagrad to a resource variable.
#[op("ResourceApplyAdagradV2",
     input = "var: resource",
     input = "accum: resource",
     input = "lr: T",
     input = "epsilon: T",
     input = "grad: T",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     attr = "update_slots: bool = true",
     stateful,
     shape = shapes::dense)]
pub struct ResourceApplyAdagradV2;

/// Applies a step of Adagrad to some rows of the variable behind a reference.
#[op("SparseApplyAdagradV2",
     input = "var: Ref(T)",
     input = "accum: Ref(T)",
     input = "lr: T",
     input = "epsilon: T",
     input = "grad: T",
     input = "indices: Tindices",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     attr = "update_slots: bool = true",
     shape = shapes::sparse)]
pub struct SparseApplyAdagradV2;

/// Applies a step of Adagrad to some rows of a resource variable.
#[op("ResourceSparseApplyAdagradV2",
     input = "var: resource",
     input = "accum: resource",
     input = "lr: T",
     input = "epsilon: T",
     input = "grad: T",
     input = "indices: Tindices",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     attr = "update_slots: bool = true",
     stateful,
     shape = shapes::sparse)]
pub struct ResourceSparseApplyAdagradV2;
