//! `ApplyRMSProp` and its resource and sparse forms: steps scaled by a running mean of squares.
//!
//! `ms += (1 - rho) * (grad^2 - ms)`, `mom = momentum * mom + lr * grad / sqrt(ms + epsilon)`, `var -= mom`.

use oplink::prelude::*;

use super::dense::apply;
use super::rows::apply_rows;
use super::shapes;
use super::slots::scalars;
use super::weight::Weight;

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

/// RMSProp of whole variables.
#[kernel(ApplyRMSProp, device = CPU, T = [floats, complex])]
#[kernel(ResourceApplyRMSProp, device = CPU, T = [floats, complex])]
pub fn apply_rms_prop_cpu<T: Weight>(context: &mut KernelContext<'_>) -> Result<()> {
    let step = step(scalars(context, 3)?);
    apply::<T, 3>(context, 7, step)
}

/// RMSProp of rows.
#[kernel(SparseApplyRMSProp, device = CPU, T = [f16, f32, f64, complex], Tindices = any)]
#[kernel(ResourceSparseApplyRMSProp, device = CPU, T = [f16, f32, f64, complex], Tindices = any)]
pub fn sparse_apply_rms_prop_cpu<T: Weight>(context: &mut KernelContext<'_>) -> Result<()> {
    let step = step_of_rows(scalars(context, 3)?);
    apply_rows::<T, 3>(context, 7, 8, step)
}

/// As [`step`], with the average as a weighted sum.
fn step_of_rows<T: Weight>([lr, rho, momentum, epsilon]: [T; 4]) -> impl Fn([T; 3], T) -> [T; 3] + Sync {
    let rest = T::one() - rho;
    move |[var, ms, mom], grad| {
        let ms = ms * rho + grad * grad * rest;
        let mom = mom * momentum + T::one() / (ms + epsilon).root() * lr * grad;
        [var - mom, ms, mom]
    }
}

fn step<T: Weight>([lr, rho, momentum, epsilon]: [T; 4]) -> impl Fn([T; 3], T) -> [T; 3] + Sync {
    let rest = T::one() - rho;
    move |[var, ms, mom], grad| {
        let ms = ms + (grad * grad - ms) * rest;
        let mom = mom * momentum + grad * lr / (ms + epsilon).root();
        [var - mom, ms, mom]
    }
}
