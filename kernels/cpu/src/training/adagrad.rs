//! `ApplyAdagrad` and its resource and sparse forms: a rate for each element that falls with the squares of its gradients.
//!
//! `accum += grad^2`, unless the attr `update_slots` is false, and `var -= lr * grad / sqrt(accum)`.

use oplink::prelude::*;

use super::dense::apply;
use super::rows::apply_rows;
use super::shapes;
use super::slots::scalar;
use super::weight::Weight;

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

/// Adagrad of whole variables.
#[kernel(ApplyAdagrad, device = CPU, T = [floats, complex])]
#[kernel(ResourceApplyAdagrad, device = CPU, T = [floats, complex])]
pub fn apply_adagrad_cpu<T: Weight>(context: &mut KernelContext<'_>) -> Result<()> {
    let step = step(scalar(context, 2)?, context.attr("update_slots")?);
    apply::<T, 2>(context, 3, step)
}

/// Adagrad of rows.
#[kernel(SparseApplyAdagrad, device = CPU, T = [floats, complex], Tindices = any)]
#[kernel(ResourceSparseApplyAdagrad, device = CPU, T = [floats, complex], Tindices = any)]
pub fn sparse_apply_adagrad_cpu<T: Weight>(context: &mut KernelContext<'_>) -> Result<()> {
    let step = step(scalar(context, 2)?, context.attr("update_slots")?);
    apply_rows::<T, 2>(context, 3, 4, step)
}

fn step<T: Weight>(lr: T, update_slots: bool) -> impl Fn([T; 2], T) -> [T; 2] + Sync {
    move |[var, accum], grad| {
        let accum = if update_slots { accum + grad * grad } else { accum };
        [var - grad * lr * (T::one() / accum.root()), accum]
    }
}
