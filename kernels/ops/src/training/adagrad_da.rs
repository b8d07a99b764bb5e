//! `ApplyAdagradDA` and its resource and sparse forms: dual averaging with a rate for each element.
//!
//! With `g` the sum of the gradients and `gg` that of their squares,
//! `var = -lr * sign(g) * max(|g| - l1 * global_step, 0) / (l2 * global_step * lr + sqrt(gg))`, without the maximum
//! where `l1` is 0.

use super::shapes;
use oplink::prelude::*;

/// Applies a step of dual averaging to the variable behind a reference.
#[op("ApplyAdagradDA",
     input = "var: Ref(T)",
     input = "gradient_accumulator: Ref(T)",
     input = "gradient_squared_accumulator: Ref(T)",
     input = "grad: T",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "global_step: int64",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     shape = shapes::dense)]
pub struct ApplyAdagradDA;

/// Applies a step of dual averaging to a resource variable.
#[op("ResourceApplyAdagradDA",
     input = "var: resource",
     input = "gradient_accumulator: resource",
     input = "gradient_squared_accumulator: resource",
     input = "grad: T",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "global_step: int64",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     stateful,
     shape = shapes::dense)]
pub struct ResourceApplyAdagradDA;

/// Applies a step of dual averaging to some rows of the variable behind a reference.
#[op("SparseApplyAdagradDA",
     input = "var: Ref(T)",
     input = "gradient_accumulator: Ref(T)",
     input = "gradient_squared_accumulator: Ref(T)",
     input = "grad: T",
     input = "indices: Tindices",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "global_step: int64",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     shape = shapes::sparse)]
pub struct SparseApplyAdagradDA;

/// Applies a step of dual averaging to some rows of a resource variable.
#[op("ResourceSparseApplyAdagradDA",
     input = "var: resource",
     input = "gradient_accumulator: resource",
     input = "gradient_squared_accumulator: resource",
     input = "grad: T",
     input = "indices: Tindices",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "global_step: int64",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     stateful,
     shape = shapes::sparse)]
pub struct ResourceSparseApplyAdagradDA;
