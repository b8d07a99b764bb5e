//! `ApplyMomentum` and its resource and sparse forms: steps that keep a part of the steps before.
//!
//! `accum = momentum * accum + grad` and `var -= lr * accum`; with the attr `use_nesterov`,
//! `var -= lr * grad + lr * momentum * accum`.

use oplink::prelude::*;

use super::dense::apply;
use super::rows::apply_rows;
use super::shapes;
use super::slots::scalar;
use super::weight::Weight;

/// Applies a step with momentum to the variable behind a reference.
#[op("ApplyMomentum",
     input = "var: Ref(T)",
     input = "accum: Ref(T)",
     input = "lr: T",
     input = "grad: T",
     input = "momentum: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     attr = "use_nesterov: bool = false",
     shape = shapes::dense)]
pub struct ApplyMomentum;

/// Applies a step with momentum to a resource variable.
#[op("ResourceApplyMomentum",
     input = "var: resource",
     input = "accum: resource",
     input = "lr: T",
     input = "grad: T",
     input = "momentum: T",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     attr = "use_nesterov: bool = false",
     stateful,
     shape = shapes::dense)]
pub struct ResourceApplyMomentum;

/// Applies a step with momentum to some rows of the variable behind a reference.
#[op("SparseApplyMomentum",
     input = "var: Ref(T)",
     input = "accum: Ref(T)",
     input = "lr: T",
     input = "grad: T",
     input = "indices: Tindices",
     input = "momentum: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     attr = "use_nesterov: bool = false",
     shape = shapes::sparse)]
pub struct SparseApplyMomentum;

/// Applies a step with momentum to some rows of a resource variable.
#[op("ResourceSparseApplyMomentum",
     input = "var: resource",
     input = "accum: resource",
     input = "lr: T",
     input = "grad: T",
     input = "indices: Tindices",
     input = "momentum: T",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     attr = "use_nesterov: bool = false",
     stateful,
     shape = shapes::sparse)]
pub struct ResourceSparseApplyMomentum;

/// Momentum of whole variables.
#[kernel(ApplyMomentum, device = CPU, T = [floats, complex])]
#[kernel(ResourceApplyMomentum, device = CPU, T = [floats, complex])]
pub fn apply_momentum_cpu<T: Weight>(context: &mut KernelContext<'_>) -> Result<()> {
    let step = step(scalar(context, 2)?, scalar(context, 4)?, context.attr("use_nesterov")?);
    apply::<T, 2>(context, 3, step)
}

/// Momentum of rows.
#[kernel(SparseApplyMomentum, device = CPU, T = [floats, complex], Tindices = any)]
#[kernel(ResourceSparseApplyMomentum, device = CPU, T = [floats, complex], Tindices = any)]
pub fn sparse_apply_momentum_cpu<T: Weight>(context: &mut KernelContext<'_>) -> Result<()> {
    let step = step(scalar(context, 2)?, scalar(context, 5)?, context.attr("use_nesterov")?);
    apply_rows::<T, 2>(context, 3, 4, step)
}

fn step<T: Weight>(lr: T, momentum: T, nesterov: bool) -> impl Fn([T; 2], T) -> [T; 2] + Sync {
    move |[var, accum], grad| {
        let accum = accum * momentum + grad;
        let step = if nesterov { grad * lr + accum * momentum * lr } else { accum * lr };
        [var - step, accum]
    }
}
