//! `ApplyFtrl`, `ApplyFtrlV2` and their resource and sparse forms: follow the regularised leader.
//!
//! With `new = accum + grad^2` and `p = -lr_power`: `linear += grad - (new^p - accum^p) / lr * var`, to `grad` of which
//! the second form adds `2 * l2_shrinkage * var`; `var = (sign(linear) * l1 - linear) / (new^p / lr + 2 * l2)`, or 0
//! where `|linear| <= l1`; and `accum = new`. With the attr `multiply_linear_by_lr`, `linear` is kept multiplied by
//! `lr`. The sparse forms check that `lr` is positive, `l1`, `l2` and `l2_shrinkage` are not negative, and `lr_power`
//! is not positive.

use super::shapes;
use oplink::prelude::*;

/// Applies a step of the regularised leader to the variable behind a reference.
#[op("ApplyFtrl",
     input = "var: Ref(T)",
     input = "accum: Ref(T)",
     input = "linear: Ref(T)",
     input = "grad: T",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "lr_power: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     attr = "multiply_linear_by_lr: bool = false",
     shape = shapes::dense)]
pub struct ApplyFtrl;

/// Applies a step of the regularised leader to a resource variable.
#[op("ResourceApplyFtrl",
     input = "var: resource",
     input = "accum: resource",
     input = "linear: resource",
     input = "grad: T",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "lr_power: T",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     attr = "multiply_linear_by_lr: bool = false",
     stateful,
     shape = shapes::dense)]
pub struct ResourceApplyFtrl;

/// Applies a step of the regularised leader to some rows of the variable behind a reference.
#[op("SparseApplyFtrl",
     input = "var: Ref(T)",
     input = "accum: Ref(T)",
     input = "linear: Ref(T)",
     input = "grad: T",
     input = "indices: Tindices",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "lr_power: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     attr = "multiply_linear_by_lr: bool = false",
     shape = shapes::sparse)]
pub struct SparseApplyFtrl;

/// Applies a step of the regularised leader to some rows of a resource variable.
#[op("ResourceSparseApplyFtrl",
     input = "var: resource",
     input = "accum: resource",
     input = "linear: resource",
     input = "grad: T",
     input = "indices: Tindices",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "lr_power: T",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     attr = "multiply_linear_by_lr: bool = false",
     stateful,
     shape = shapes::sparse)]
pub struct ResourceSparseApplyFtrl;

/// Applies a step of the regularised leader to the variable behind a reference.
#[op("ApplyFtrlV2",
     input = "var: Ref(T)",
     input = "accum: Ref(T)",
     input = "linear: Ref(T)",
     input = "grad: T",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "l2_shrinkage: T",
     input = "lr_power: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     attr = "multiply_linear_by_lr: bool = false",
     shape = shapes::dense)]
pub struct ApplyFtrlV2;

/// Applies a step of the regularised leader to a resource variable.
#[op("ResourceApplyFtrlV2",
     input = "var: resource",
     input = "accum: resource",
     input = "linear: resource",
     input = "grad: T",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "l2_shrinkage: T",
     input = "lr_power: T",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     attr = "multiply_linear_by_lr: bool = false",
     stateful,
     shape = shapes::dense)]
pub struct ResourceApplyFtrlV2;

/// Applies a step of the regularised leader to some rows of the variable behind a reference.
#[op("SparseApplyFtrlV2",
     input = "var: Ref(T)",
     input = "accum: Ref(T)",
     input = "linear: Ref(T)",
     input = "grad: T",
     input = "indices: Tindices",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "l2_shrinkage: T",
     input = "lr_power: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     attr = "multiply_linear_by_lr: bool = false",
     shape = shapes::sparse)]
pub struct SparseApplyFtrlV2;

/// Applies a step of the regularised leader to some rows of a resource variable.
#[op("ResourceSparseApplyFtrlV2",
     input = "var: resource",
     input = "accum: resource",
     input = "linear: resource",
     input = "grad: T",
     input = "indices: Tindices",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "l2_shrinkage: T",
     input = "lr_power: T",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     attr = "multiply_linear_by_lr: bool = false",
     stateful,
     shape = shapes::sparse)]
pub struct ResourceSparseApplyFtrlV2;
