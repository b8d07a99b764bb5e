//! `ApplyCenteredRMSProp` and its resource and sparse forms: steps scaled by a running variance.
//!
//! `ms += (1 - rho) * (grad^2 - ms)`, `mg += (1 - rho) * (grad - mg)`,
//! `mom = momentum * mom + lr * grad / sqrt(ms - mg^2 + epsilon)`, `var -= mom`.

use super::shapes;
use oplink::prelude::*;

/// Applies a step of RMSProp to the variable behind a reference.
#[op("ApplyCenteredRMSProp",
     input = "var: Ref(T)",
     input = "mg: Ref(T)",
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
pub struct ApplyCenteredRMSProp;

/// Applies a step of RMSProp to a resource variable.
#[op("ResourceApplyCenteredRMSProp",
     input = "var: resource",
     input = "mg: resource",
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
pub struct ResourceApplyCenteredRMSProp;

/// Applies a step of RMSProp to some rows of the variable behind a reference.
#[op("SparseApplyCenteredRMSProp",
     input = "var: Ref(T)",
     input = "mg: Ref(T)",
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
pub struct SparseApplyCenteredRMSProp;

/// Applies a step of RMSProp to some rows of a resource variable.
#[op("ResourceSparseApplyCenteredRMSProp",
     input = "var: resource",
     input = "mg: resource",
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
pub struct ResourceSparseApplyCenteredRMSProp;
