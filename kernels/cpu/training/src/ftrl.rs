//! `ApplyFtrl`, `ApplyFtrlV2` and their resource and sparse forms: follow the regularised leader.
//!
//! With `new = accum + grad^2` and `p = -lr_power`: `linear += grad - (new^p - accum^p) / lr * var`, to `grad` of which
//! the second form adds `2 * l2_shrinkage * var`; `var = (sign(linear) * l1 - linear) / (new^p / lr + 2 * l2)`, or 0
//! where `|linear| <= l1`; and `accum = new`. With the attr `multiply_linear_by_lr`, `linear` is kept multiplied by
//! `lr`. The sparse forms check that `lr` is positive, `l1`, `l2` and `l2_shrinkage` are not negative, and `lr_power`
//! is not positive.

use super::dtype::RealTrainableDType;
use super::slots::{Scalar, forward_reference};
use super::update::update;
use oplink::prelude::*;
use oplink_ops::training::{
    ApplyFtrl, ApplyFtrlV2, ResourceApplyFtrl, ResourceApplyFtrlV2, ResourceSparseApplyFtrl, ResourceSparseApplyFtrlV2,
    SparseApplyFtrl, SparseApplyFtrlV2,
};

/// `ApplyFtrl` and `ApplyFtrlV2` of whole variables and of rows.
#[kernel(ApplyFtrl, device = CPU, T = [floats])]
#[kernel(ResourceApplyFtrl, device = CPU, T = [floats])]
#[kernel(SparseApplyFtrl, device = CPU, T = [floats], Tindices = any)]
#[kernel(ResourceSparseApplyFtrl, device = CPU, T = [floats], Tindices = any)]
#[kernel(ApplyFtrlV2, device = CPU, T = [floats])]
#[kernel(ResourceApplyFtrlV2, device = CPU, T = [floats])]
#[kernel(SparseApplyFtrlV2, device = CPU, T = [floats], Tindices = any)]
#[kernel(ResourceSparseApplyFtrlV2, device = CPU, T = [floats], Tindices = any)]
pub fn apply_ftrl_cpu<T: RealTrainableDType>(
    var: Input<'_>,
    accum: Input<'_>,
    linear: Input<'_>,
    lr: Scalar<T>,
    l1: Scalar<T>,
    l2: Scalar<T>,
    l2_shrinkage: Option<Scalar<T>>,
    lr_power: Scalar<T>,
    grad: &Tensor,
    indices: Option<&Tensor>,
    multiply_linear_by_lr: bool,
    out: Option<OutputSlot<'_>>,
    env: Env<'_>,
) -> Result<()> {
    let (Scalar(lr), Scalar(l1), Scalar(l2), Scalar(lr_power)) = (lr, l1, l2, lr_power);
    let shrinkage = l2_shrinkage.map_or(T::zero(), |shrinkage| shrinkage.0);
    let rates = Rates { lr, l1, l2, shrinkage, lr_power, scaled: multiply_linear_by_lr };
    if indices.is_some() {
        rates.check()?;
    }
    update::<T, _>([&var, &accum, &linear], grad, indices, &env, |values, grad| rates.step(values, grad))?;
    forward_reference(var, out);
    Ok(())
}

#[derive(Clone, Copy)]
struct Rates<T> {
    lr: T,
    l1: T,
    l2: T,
    shrinkage: T,
    lr_power: T,
    /// Whether `linear` is kept multiplied by `lr`.
    scaled: bool,
}

impl<T: RealTrainableDType> Rates<T> {
    /// The checks of the forms for rows.
    fn check(self) -> Result<()> {
        let (zero, Self { lr, l1, l2, shrinkage, lr_power, .. }) = (T::zero(), self);
        ensure!(lr > zero || (self.scaled && lr == zero), "lr must be positive, it is {lr:?}");
        ensure!(l1 >= zero && l2 >= zero, "l1 and l2 must not be negative, they are {l1:?} and {l2:?}");
        ensure!(shrinkage >= zero, "l2_shrinkage must not be negative, it is {shrinkage:?}");
        ensure!(lr_power <= zero, "lr_power must not be positive, it is {lr_power:?}");
        Ok(())
    }

    /// `x` to the power of `-lr_power`.
    fn power(&self, x: T) -> T {
        if self.lr_power == T::from_double(-0.5) { x.root() } else { x.power(T::zero() - self.lr_power) }
    }

    fn step(&self, [var, accum, linear]: [T; 3], grad: T) -> [T; 3] {
        let two = T::from_double(2.0);
        let new = accum + grad * grad;
        let shrunk = grad + two * self.shrinkage * var;
        let (power, difference) = (self.power(new), self.power(new) - self.power(accum));
        let (scale, divisor) = if self.scaled { (self.lr, T::one()) } else { (T::one(), self.lr) };
        let linear = linear + shrunk * scale - difference / divisor * var;
        let bound = self.l1 * scale;
        let value = (bound * linear.sign() - linear) / (power / divisor + two * self.l2 * scale);
        [if linear.magnitude() > bound { value } else { T::zero() }, new, linear]
    }
}
