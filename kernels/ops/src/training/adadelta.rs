//! `ApplyAdadelta` and its resource and sparse forms: steps scaled by running means of squares.
//!
//! `accum = rho * accum + (1 - rho) * grad^2`, `update = sqrt(accum_update + epsilon) / sqrt(accum + epsilon) * grad`,
//! `var -= lr * update`, `accum_update = rho * accum_update + (1 - rho) * update^2`.

use super::shapes;
use oplink::prelude::*;

/// Applies a step of Adadelta to the variable behind a reference.
#[op("ApplyAdadelta",
     input = "var: Ref(T)",
     input = "accum: Ref(T)",
     input = "accum_update: Ref(T)",
     input = "lr: T",
     input = "rho: T",
     input = "epsilon: T",
     input = "grad: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     shape = shapes::dense)]
pub struct ApplyAdadelta;

/// Applies a step of Adadelta to a resource variable.
#[op("ResourceApplyAdadelta",
     input = "var: resource",
     input = "accum: resource",
     input = "accum_update: resource",
     input = "lr: T",
     input = "rho: T",
     input = "epsilon: T",
     input = "grad: T",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     stateful,
     shape = shapes::dense)]
pub struct ResourceApplyAdadelta;

/// Applies a step of Adadelta to some rows of the variable behind a reference.
#[op("SparseApplyAdadelta",
     input = "var: Ref(T)",
     input = "accum: Ref(T)",
     input = "accum_update: Ref(T)",
     input = "lr: T",
     input = "rho: T",
     input = "epsilon: T",
     input = "grad: T",
     input = "indices: Tindices",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     shape = shapes::sparse)]
pub struct SparseApplyAdadelta;

/// Applies a step of Adadelta to some rows of a resource variable.
#[op("ResourceSparseApplyAdadelta",
     input = "var: resource",
     input = "accum: resource",
     input = "accum_update: resource",
     input = "lr: T",
     input = "rho: T",
     input = "epsilon: T",
     input = "grad: T",
     input = "indices: Tindices",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     stateful,
     shape = shapes::sparse)]
pub struct ResourceSparseApplyAdadelta;
