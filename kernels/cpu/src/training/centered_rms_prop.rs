//! `ApplyCenteredRMSProp` and its resource and sparse forms: steps scaled by a running variance.
//!
//! `ms += (1 - rho) * (grad^2 - ms)`, `mg += (1 - rho) * (grad - mg)`,
//! `mom = momentum * mom + lr * grad / sqrt(ms - mg^2 + epsilon)`, `var -= mom`.

use oplink::prelude::*;

use super::dense::apply;
use super::rows::apply_rows;
use super::shapes;
use super::slots::scalars;
use super::weight::Weight;

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

/// RMSProp of whole variables.
#[kernel(ApplyCenteredRMSProp, device = CPU, T = [floats, complex])]
#[kernel(ResourceApplyCenteredRMSProp, device = CPU, T = [floats, complex])]
pub fn apply_centered_rms_prop_cpu<T: Weight>(context: &mut KernelContext<'_>) -> Result<()> {
    let step = step(scalars(context, 4)?);
    apply::<T, 4>(context, 8, step)
}

/// RMSProp of rows.
#[kernel(SparseApplyCenteredRMSProp, device = CPU, T = [f16, f32, f64, complex], Tindices = any)]
#[kernel(ResourceSparseApplyCenteredRMSProp, device = CPU, T = [f16, f32, f64, complex], Tindices = any)]
pub fn sparse_apply_centered_rms_prop_cpu<T: Weight>(context: &mut KernelContext<'_>) -> Result<()> {
    let step = step_of_rows(scalars(context, 4)?);
    apply_rows::<T, 4>(context, 8, 9, step)
}

/// As [`step`], with the averages as weighted sums.
fn step_of_rows<T: Weight>([lr, rho, momentum, epsilon]: [T; 4]) -> impl Fn([T; 4], T) -> [T; 4] + Sync {
    let rest = T::one() - rho;
    move |[var, mg, ms, mom], grad| {
        let ms = ms * rho + grad * grad * rest;
        let mg = grad * rest + mg * rho;
        let mom = mom * momentum + T::one() / (ms + epsilon - mg * mg).root() * lr * grad;
        [var - mom, mg, ms, mom]
    }
}

fn step<T: Weight>([lr, rho, momentum, epsilon]: [T; 4]) -> impl Fn([T; 4], T) -> [T; 4] + Sync {
    let rest = T::one() - rho;
    move |[var, mg, ms, mom], grad| {
        let ms = ms + (grad * grad - ms) * rest;
        let mg = mg + (grad - mg) * rest;
        let mom = mom * momentum + grad * lr / (ms - mg * mg + epsilon).root();
        [var - mom, mg, ms, mom]
    }
}
