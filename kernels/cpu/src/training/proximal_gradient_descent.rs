//! `ApplyProximalGradientDescent` and its resource and sparse forms: forward-backward splitting.
//!
//! A step of gradient descent, then shrinking: `prox = var - alpha * delta`,
//! `var = sign(prox) * max(|prox| - alpha * l1, 0) / (1 + l2 * alpha)`, without the maximum where `l1` is 0.

use oplink::prelude::*;

use super::dense::apply;
use super::rows::apply_rows;
use super::shapes;
use super::slots::scalars;
use super::weight::RealWeight;

/// Applies a step of gradient descent and shrinking to the variable behind a reference.
#[op("ApplyProximalGradientDescent",
     input = "var: Ref(T)",
     input = "alpha: T",
     input = "l1: T",
     input = "l2: T",
     input = "delta: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     shape = shapes::dense)]
pub struct ApplyProximalGradientDescent;

/// Applies a step of gradient descent and shrinking to a resource variable.
#[op("ResourceApplyProximalGradientDescent",
     input = "var: resource",
     input = "alpha: T",
     input = "l1: T",
     input = "l2: T",
     input = "delta: T",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     stateful,
     shape = shapes::dense)]
pub struct ResourceApplyProximalGradientDescent;

/// Applies a step of gradient descent and shrinking to some rows of the variable behind a reference.
#[op("SparseApplyProximalGradientDescent",
     input = "var: Ref(T)",
     input = "alpha: T",
     input = "l1: T",
     input = "l2: T",
     input = "grad: T",
     input = "indices: Tindices",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     shape = shapes::sparse)]
pub struct SparseApplyProximalGradientDescent;

/// Applies a step of gradient descent and shrinking to some rows of a resource variable.
#[op("ResourceSparseApplyProximalGradientDescent",
     input = "var: resource",
     input = "alpha: T",
     input = "l1: T",
     input = "l2: T",
     input = "grad: T",
     input = "indices: Tindices",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     stateful,
     shape = shapes::sparse)]
pub struct ResourceSparseApplyProximalGradientDescent;

/// Proximal gradient descent of whole variables.
#[kernel(ApplyProximalGradientDescent, device = CPU, T = [f32, f64])]
#[kernel(ResourceApplyProximalGradientDescent, device = CPU, T = [f32, f64])]
pub fn apply_proximal_gradient_descent_cpu<T: RealWeight>(context: &mut KernelContext<'_>) -> Result<()> {
    let [alpha, l1, l2] = scalars::<T, 3>(context, 1)?;
    apply::<T, 1>(context, 4, |[var], delta| [shrink(var - delta * alpha, alpha, l1, l2)])
}

/// Proximal gradient descent of rows.
#[kernel(SparseApplyProximalGradientDescent, device = CPU, T = [f32, f64], Tindices = any)]
#[kernel(ResourceSparseApplyProximalGradientDescent, device = CPU, T = [f32, f64], Tindices = any)]
pub fn sparse_apply_proximal_gradient_descent_cpu<T: RealWeight>(context: &mut KernelContext<'_>) -> Result<()> {
    let [alpha, l1, l2] = scalars::<T, 3>(context, 1)?;
    apply_rows::<T, 1>(context, 4, 5, |[var], grad| [shrink(var - grad * alpha, alpha, l1, l2)])
}

/// A value of a variable shrunk after a step of size `rate`.
pub(super) fn shrink<T: RealWeight>(value: T, rate: T, l1: T, l2: T) -> T {
    let scale = T::one() + l2 * rate;
    if l1 > T::zero() {
        value.sign() * (value.magnitude() - rate * l1).at_least(T::zero()) / scale
    } else {
        value / scale
    }
}
