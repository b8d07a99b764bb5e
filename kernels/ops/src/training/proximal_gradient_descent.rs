//! `ApplyProximalGradientDescent` and its resource and sparse forms: forward-backward splitting.
//!
//! A step of gradient descent, then shrinking: `prox = var - alpha * delta`,
//! `var = sign(prox) * max(|prox| - alpha * l1, 0) / (1 + l2 * alpha)`, without the maximum where `l1` is 0.

use super::shapes;
use oplink::prelude::*;

/// Applies a step of gradient descent and shrinking to the variable behind a reference.
#[op("ApplyProximalGradientDescent",
     input = "var: Ref(T)",
     input = "alpha: T",
     input = "l1: T",
     input = "l2: T",
     input = "delta: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     shape = shapes::dense)]
pub struct ApplyProximalGradientDescent;

/// Applies a step of gradient descent and shrinking to a resource variable.
#[op("ResourceApplyProximalGradientDescent",
     input = "var: resource",
     input = "alpha: T",
     input = "l1: T",
     input = "l2: T",
     input = "delta: T",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     stateful,
     shape = shapes::dense)]
pub struct ResourceApplyProximalGradientDescent;

/// Applies a step of gradient descent and shrinking to some rows of the variable behind a reference.
#[op("SparseApplyProximalGradientDescent",
     input = "var: Ref(T)",
     input = "alpha: T",
     input = "l1: T",
     input = "l2: T",
     input = "grad: T",
     input = "indices: Tindices",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     shape = shapes::sparse)]
pub struct SparseApplyProximalGradientDescent;

/// Applies a step of gradient descent and shrinking to some rows of a resource variable.
#[op("ResourceSparseApplyProximalGradientDescent",
     input = "var: resource",
     input = "alpha: T",
     input = "l1: T",
     input = "l2: T",
     input = "grad: T",
     input = "indices: Tindices",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     stateful,
     shape = shapes::sparse)]
pub struct ResourceSparseApplyProximalGradientDescent;
