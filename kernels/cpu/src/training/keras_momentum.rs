//! `ResourceApplyKerasMomentum` and `ResourceSparseApplyKerasMomentum`: momentum that has the rate in it.
//!
//! `accum = momentum * accum - lr * grad` and `var += accum`; with the attr `use_nesterov`, `var += momentum * accum - lr * grad`.

use oplink::prelude::*;

use super::dense::apply;
use super::rows::apply_rows;
use super::shapes;
use super::slots::scalar;
use super::weight::Weight;

/// Applies a step with momentum to a resource variable.
#[op("ResourceApplyKerasMomentum",
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
pub struct ResourceApplyKerasMomentum;

/// Applies a step with momentum to some rows of a resource variable.
#[op("ResourceSparseApplyKerasMomentum",
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
pub struct ResourceSparseApplyKerasMomentum;

/// Momentum of whole variables.
#[kernel(ResourceApplyKerasMomentum, device = CPU, T = [floats, complex])]
pub fn resource_apply_keras_momentum_cpu<T: Weight>(context: &mut KernelContext<'_>) -> Result<()> {
    let step = step(scalar(context, 2)?, scalar(context, 4)?, context.attr("use_nesterov")?);
    apply::<T, 2>(context, 3, step)
}

/// Momentum of rows.
#[kernel(ResourceSparseApplyKerasMomentum, device = CPU, T = [floats, complex], Tindices = any)]
pub fn resource_sparse_apply_keras_momentum_cpu<T: Weight>(context: &mut KernelContext<'_>) -> Result<()> {
    let step = step(scalar(context, 2)?, scalar(context, 5)?, context.attr("use_nesterov")?);
    apply_rows::<T, 2>(context, 3, 4, step)
}

fn step<T: Weight>(lr: T, momentum: T, nesterov: bool) -> impl Fn([T; 2], T) -> [T; 2] + Sync {
    move |[var, accum], grad| {
        let accum = accum * momentum - grad * lr;
        let step = if nesterov { accum * momentum - grad * lr } else { accum };
        [var + step, accum]
    }
}
