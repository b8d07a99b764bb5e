//! `ApplyRMSProp` and its resource and sparse forms: steps scaled by a running mean of squares.
//!
//! `ms += (1 - rho) * (grad^2 - ms)`, `mom = momentum * mom + lr * grad / sqrt(ms + epsilon)`, `var -= mom`.

use super::shapes;
use oplink::prelude::*;

/// Applies a step of RMSProp to the variable behind a reference.
#[op("ApplyRMSProp",
     input = "var: Ref(T)",
     input = "ms: Ref(T)",
     input = "mom: Ref(T)",
     input = "lr: T",
     input = "rho: T",
     input = "momentum: T",
     input = "epsilon: T",
     input = "grad: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     shape = shapes::dense)]
pub struct ApplyRMSProp;

/// Applies a step of RMSProp to a resource variable.
#[op("ResourceApplyRMSProp",
     input = "var: resource",
     input = "ms: resource",
     input = "mom: resource",
     input = "lr: T",
     input = "rho: T",
     input = "momentum: T",
     input = "epsilon: T",
     input = "grad: T",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     stateful,
     shape = shapes::dense)]
pub struct ResourceApplyRMSProp;

/// Applies a step of RMSProp to some rows of the variable behind a reference.
#[op("SparseApplyRMSProp",
     input = "var: Ref(T)",
     input = "ms: Ref(T)",
     input = "mom: Ref(T)",
     input = "lr: T",
     input = "rho: T",
     input = "momentum: T",
     input = "epsilon: T",
     input = "grad: T",
     input = "indices: Tindices",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     shape = shapes::sparse)]
pub struct SparseApplyRMSProp;

/// Applies a step of RMSProp to some rows of a resource variable.
#[op("ResourceSparseApplyRMSProp",
     input = "var: resource",
     input = "ms: resource",
     input = "mom: resource",
     input = "lr: T",
     input = "rho: T",
     input = "momentum: T",
     input = "epsilon: T",
     input = "grad: T",
     input = "indices: Tindices",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     stateful,
     shape = shapes::sparse)]
pub struct ResourceSparseApplyRMSProp;
