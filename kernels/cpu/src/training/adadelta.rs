//! `ApplyAdadelta` and its resource and sparse forms: steps scaled by running means of squares.
//!
//! `accum = rho * accum + (1 - rho) * grad^2`, `update = sqrt(accum_update + epsilon) / sqrt(accum + epsilon) * grad`,
//! `var -= lr * update`, `accum_update = rho * accum_update + (1 - rho) * update^2`.

use oplink::prelude::*;

use super::dense::apply;
use super::rows::apply_rows;
use super::shapes;
use super::slots::scalars;
use super::weight::Weight;

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

/// Adadelta of whole variables.
#[kernel(ApplyAdadelta, device = CPU, T = [floats, complex])]
#[kernel(ResourceApplyAdadelta, device = CPU, T = [floats, complex])]
pub fn apply_adadelta_cpu<T: Weight>(context: &mut KernelContext<'_>) -> Result<()> {
    let step = step(scalars(context, 3)?);
    apply::<T, 3>(context, 6, step)
}

/// Adadelta of rows.
#[kernel(SparseApplyAdadelta, device = CPU, T = [floats, complex], Tindices = any)]
#[kernel(ResourceSparseApplyAdadelta, device = CPU, T = [floats, complex], Tindices = any)]
pub fn sparse_apply_adadelta_cpu<T: Weight>(context: &mut KernelContext<'_>) -> Result<()> {
    let step = step(scalars(context, 3)?);
    apply_rows::<T, 3>(context, 6, 7, step)
}

fn step<T: Weight>([lr, rho, epsilon]: [T; 3]) -> impl Fn([T; 3], T) -> [T; 3] + Sync {
    let rest = T::one() - rho;
    move |[var, accum, accum_update], grad| {
        let accum = accum * rho + grad * grad * rest;
        let update = (accum_update + epsilon).root() * (T::one() / (accum + epsilon).root()) * grad;
        [var - update * lr, accum, accum_update * rho + update * update * rest]
    }
}
