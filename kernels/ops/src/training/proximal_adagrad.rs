//! `ApplyProximalAdagrad` and its resource and sparse forms: forward-backward splitting with a rate for each element.
//!
//! `accum += grad^2`, `rate = lr / sqrt(accum)`, then the step and the shrinking of `ApplyProximalGradientDescent` with
//! `rate` in place of `alpha`.

use super::shapes;
use oplink::prelude::*;

/// Applies a step of Adagrad and shrinking to the variable behind a reference.
#[op("ApplyProximalAdagrad",
     input = "var: Ref(T)",
     input = "accum: Ref(T)",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "grad: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     shape = shapes::dense)]
pub struct ApplyProximalAdagrad;

/// Applies a step of Adagrad and shrinking to a resource variable.
#[op("ResourceApplyProximalAdagrad",
     input = "var: resource",
     input = "accum: resource",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "grad: T",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     stateful,
     shape = shapes::dense)]
pub struct ResourceApplyProximalAdagrad;

/// Applies a step of Adagrad and shrinking to some rows of the variable behind a reference.
#[op("SparseApplyProximalAdagrad",
     input = "var: Ref(T)",
     input = "accum: Ref(T)",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "grad: T",
     input = "indices: Tindices",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     shape = shapes::sparse)]
pub struct SparseApplyProximalAdagrad;

/// Applies a step of Adagrad and shrinking to some rows of a resource variable.
#[op("ResourceSparseApplyProximalAdagrad",
     input = "var: resource",
     input = "accum: resource",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "grad: T",
     input = "indices: Tindices",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     stateful,
     shape = shapes::sparse)]
pub struct ResourceSparseApplyProximalAdagrad;
