//! `ApplyAdagradV2` and its resource and sparse forms: Adagrad with a bound on the rate.
//!
//! `accum += grad^2`, unless the attr `update_slots` is false, and `var -= lr * grad / (sqrt(accum) + epsilon)`.

use oplink::prelude::*;

use super::dense::apply;
use super::rows::apply_rows;
use super::shapes;
use super::slots::scalars;
use super::weight::Weight;

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

/// Adagrad of whole variables.
#[kernel(ApplyAdagradV2, device = CPU, T = [floats, complex])]
#[kernel(ResourceApplyAdagradV2, device = CPU, T = [floats, complex])]
pub fn apply_adagrad_v2_cpu<T: Weight>(context: &mut KernelContext<'_>) -> Result<()> {
    let step = step(scalars(context, 2)?, context.attr("update_slots")?);
    apply::<T, 2>(context, 4, step)
}

/// Adagrad of rows.
#[kernel(SparseApplyAdagradV2, device = CPU, T = [floats, complex], Tindices = any)]
#[kernel(ResourceSparseApplyAdagradV2, device = CPU, T = [floats, complex], Tindices = any)]
pub fn sparse_apply_adagrad_v2_cpu<T: Weight>(context: &mut KernelContext<'_>) -> Result<()> {
    let step = step(scalars(context, 2)?, context.attr("update_slots")?);
    apply_rows::<T, 2>(context, 4, 5, step)
}

fn step<T: Weight>([lr, epsilon]: [T; 2], update_slots: bool) -> impl Fn([T; 2], T) -> [T; 2] + Sync {
    move |[var, accum], grad| {
        let accum = if update_slots { accum + grad * grad } else { accum };
        [var - grad * lr / (accum.root() + epsilon), accum]
    }
}
