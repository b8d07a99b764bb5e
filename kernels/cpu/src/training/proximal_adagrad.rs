//! `ApplyProximalAdagrad` and its resource and sparse forms: forward-backward splitting with a rate for each element.
//!
//! `accum += grad^2`, `rate = lr / sqrt(accum)`, then the step and the shrinking of `ApplyProximalGradientDescent` with `rate` in
//! place of `alpha`.

use oplink::prelude::*;

use super::dense::apply;
use super::proximal_gradient_descent::shrink;
use super::rows::apply_rows;
use super::shapes;
use super::slots::scalars;
use super::weight::RealWeight;

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

/// Proximal Adagrad of whole variables.
#[kernel(ApplyProximalAdagrad, device = CPU, T = [f32, f64])]
#[kernel(ResourceApplyProximalAdagrad, device = CPU, T = [f32, f64])]
pub fn apply_proximal_adagrad_cpu<T: RealWeight>(context: &mut KernelContext<'_>) -> Result<()> {
    let step = step(scalars(context, 2)?);
    apply::<T, 2>(context, 5, step)
}

/// Proximal Adagrad of rows.
#[kernel(SparseApplyProximalAdagrad, device = CPU, T = [f32, f64], Tindices = any)]
#[kernel(ResourceSparseApplyProximalAdagrad, device = CPU, T = [f32, f64], Tindices = any)]
pub fn sparse_apply_proximal_adagrad_cpu<T: RealWeight>(context: &mut KernelContext<'_>) -> Result<()> {
    let step = step(scalars(context, 2)?);
    apply_rows::<T, 2>(context, 5, 6, step)
}

fn step<T: RealWeight>([lr, l1, l2]: [T; 3]) -> impl Fn([T; 2], T) -> [T; 2] + Sync {
    move |[var, accum], grad| {
        let accum = accum + grad * grad;
        let rate = lr / accum.root();
        [shrink(var - grad * rate, rate, l1, l2), accum]
    }
}
