//! `ApplyAdagradDA` and its resource and sparse forms: dual averaging with a rate for each element.
//!
//! With `g` the sum of the gradients and `gg` that of their squares, `var = -lr * sign(g) * max(|g| - l1 * global_step, 0) /
//! (l2 * global_step * lr + sqrt(gg))`, without the maximum where `l1` is 0.

use oplink::prelude::*;

use super::dense::apply;
use super::rows::apply_rows;
use super::shapes;
use super::slots::{scalar, scalars};
use super::weight::RealWeight;

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

/// Dual averaging of whole variables.
#[kernel(ApplyAdagradDA, device = CPU, T = [f32, f64])]
#[kernel(ResourceApplyAdagradDA, device = CPU, T = [f32, f64])]
pub fn apply_adagrad_da_cpu<T: RealWeight>(context: &mut KernelContext<'_>) -> Result<()> {
    let step = step(scalars(context, 4)?, scalar(context, 7)?);
    apply::<T, 3>(context, 3, step)
}

/// Dual averaging of rows.
#[kernel(SparseApplyAdagradDA, device = CPU, T = [f32, f64], Tindices = any)]
#[kernel(ResourceSparseApplyAdagradDA, device = CPU, T = [f32, f64], Tindices = any)]
pub fn sparse_apply_adagrad_da_cpu<T: RealWeight>(context: &mut KernelContext<'_>) -> Result<()> {
    let step = step(scalars(context, 5)?, scalar(context, 8)?);
    apply_rows::<T, 3>(context, 3, 4, step)
}

fn step<T: RealWeight>([lr, l1, l2]: [T; 3], global_step: i64) -> impl Fn([T; 3], T) -> [T; 3] + Sync {
    let global_step = T::from_double(global_step as f64);
    move |[_, sum, squares], grad| {
        let (sum, squares) = (sum + grad, squares + grad * grad);
        let shrunk = (sum.magnitude() - l1 * global_step).at_least(T::zero());
        let kept = if l1 > T::zero() { sum.sign() * shrunk } else { sum };
        [T::zero() - lr * kept / (l2 * global_step * lr + squares.root()), sum, squares]
    }
}
