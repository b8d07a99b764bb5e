//! `ApplyAdagrad` and its resource and sparse forms: a rate for each element that falls with the squares of its
//! gradients.
//!
//! `accum += grad^2`, unless the attr `update_slots` is false, and `var -= lr * grad / sqrt(accum)`.

use super::shapes;
use oplink::prelude::*;

/// Applies a step of Adagrad to the variable behind a reference.
#[op("ApplyAdagrad",
     input = "var: Ref(T)",
     input = "accum: Ref(T)",
     input = "lr: T",
     input = "grad: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     attr = "update_slots: bool = true",
     shape = shapes::dense)]
pub struct ApplyAdagrad;

/// Applies a step of Adagrad to a resource variable.
#[op("ResourceApplyAdagrad",
     input = "var: resource",
     input = "accum: resource",
     input = "lr: T",
     input = "grad: T",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     attr = "update_slots: bool = true",
     stateful,
     shape = shapes::dense)]
pub struct ResourceApplyAdagrad;

/// Applies a step of Adagrad to some rows of the variable behind a reference.
#[op("SparseApplyAdagrad",
     input = "var: Ref(T)",
     input = "accum: Ref(T)",
     input = "lr: T",
     input = "grad: T",
     input = "indices: Tindices",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     attr = "update_slots: bool = true",
     shape = shapes::sparse)]
pub struct SparseApplyAdagrad;

/// Applies a step of Adagrad to some rows of a resource variable.
#[op("ResourceSparseApplyAdagrad",
     input = "var: resource",
     input = "accum: resource",
     input = "lr: T",
     input = "grad: T",
     input = "indices: Tindices",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     attr = "update_slots: bool = true",
     stateful,
     shape = shapes::sparse)]
pub struct ResourceSparseApplyAdagrad;
