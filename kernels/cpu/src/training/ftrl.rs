//! `ApplyFtrl`, `ApplyFtrlV2` and their resource and sparse forms: follow the regularised leader.
//!
//! With `new = accum + grad^2` and `p = -lr_power`: `linear += grad - (new^p - accum^p) / lr * var`, to `grad` of which the second
//! form adds `2 * l2_shrinkage * var`; `var = (sign(linear) * l1 - linear) / (new^p / lr + 2 * l2)`, or 0 where `|linear| <= l1`; and
//! `accum = new`. With the attr `multiply_linear_by_lr`, `linear` is kept multiplied by `lr`. The sparse forms check that
//! `lr` is positive, `l1`, `l2` and `l2_shrinkage` are not negative, and `lr_power` is not positive.

use oplink::prelude::*;

use super::dense::apply;
use super::rows::apply_rows;
use super::shapes;
use super::slots::{scalar, scalars};
use super::weight::RealWeight;

/// Applies a step of the regularised leader to the variable behind a reference.
#[op("ApplyFtrl",
     input = "var: Ref(T)",
     input = "accum: Ref(T)",
     input = "linear: Ref(T)",
     input = "grad: T",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "lr_power: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     attr = "multiply_linear_by_lr: bool = false",
     shape = shapes::dense)]
pub struct ApplyFtrl;

/// Applies a step of the regularised leader to a resource variable.
#[op("ResourceApplyFtrl",
     input = "var: resource",
     input = "accum: resource",
     input = "linear: resource",
     input = "grad: T",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "lr_power: T",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     attr = "multiply_linear_by_lr: bool = false",
     stateful,
     shape = shapes::dense)]
pub struct ResourceApplyFtrl;

/// Applies a step of the regularised leader to some rows of the variable behind a reference.
#[op("SparseApplyFtrl",
     input = "var: Ref(T)",
     input = "accum: Ref(T)",
     input = "linear: Ref(T)",
     input = "grad: T",
     input = "indices: Tindices",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "lr_power: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     attr = "multiply_linear_by_lr: bool = false",
     shape = shapes::sparse)]
pub struct SparseApplyFtrl;

/// Applies a step of the regularised leader to some rows of a resource variable.
#[op("ResourceSparseApplyFtrl",
     input = "var: resource",
     input = "accum: resource",
     input = "linear: resource",
     input = "grad: T",
     input = "indices: Tindices",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "lr_power: T",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     attr = "multiply_linear_by_lr: bool = false",
     stateful,
     shape = shapes::sparse)]
pub struct ResourceSparseApplyFtrl;

/// Applies a step of the regularised leader to the variable behind a reference.
#[op("ApplyFtrlV2",
     input = "var: Ref(T)",
     input = "accum: Ref(T)",
     input = "linear: Ref(T)",
     input = "grad: T",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "l2_shrinkage: T",
     input = "lr_power: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     attr = "multiply_linear_by_lr: bool = false",
     shape = shapes::dense)]
pub struct ApplyFtrlV2;

/// Applies a step of the regularised leader to a resource variable.
#[op("ResourceApplyFtrlV2",
     input = "var: resource",
     input = "accum: resource",
     input = "linear: resource",
     input = "grad: T",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "l2_shrinkage: T",
     input = "lr_power: T",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     attr = "multiply_linear_by_lr: bool = false",
     stateful,
     shape = shapes::dense)]
pub struct ResourceApplyFtrlV2;

/// Applies a step of the regularised leader to some rows of the variable behind a reference.
#[op("SparseApplyFtrlV2",
     input = "var: Ref(T)",
     input = "accum: Ref(T)",
     input = "linear: Ref(T)",
     input = "grad: T",
     input = "indices: Tindices",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "l2_shrinkage: T",
     input = "lr_power: T",
     output = "out: Ref(T)",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     attr = "multiply_linear_by_lr: bool = false",
     shape = shapes::sparse)]
pub struct SparseApplyFtrlV2;

/// Applies a step of the regularised leader to some rows of a resource variable.
#[op("ResourceSparseApplyFtrlV2",
     input = "var: resource",
     input = "accum: resource",
     input = "linear: resource",
     input = "grad: T",
     input = "indices: Tindices",
     input = "lr: T",
     input = "l1: T",
     input = "l2: T",
     input = "l2_shrinkage: T",
     input = "lr_power: T",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     attr = "multiply_linear_by_lr: bool = false",
     stateful,
     shape = shapes::sparse)]
pub struct ResourceSparseApplyFtrlV2;

/// `ApplyFtrl` of whole variables.
#[kernel(ApplyFtrl, device = CPU, T = [floats])]
#[kernel(ResourceApplyFtrl, device = CPU, T = [floats])]
pub fn apply_ftrl_cpu<T: RealWeight>(context: &mut KernelContext<'_>) -> Result<()> {
    let rates = Rates::read(context, 4, None)?;
    apply::<T, 3>(context, 3, move |values, grad| rates.step(values, grad))
}

/// `ApplyFtrlV2` of whole variables.
#[kernel(ApplyFtrlV2, device = CPU, T = [floats])]
#[kernel(ResourceApplyFtrlV2, device = CPU, T = [floats])]
pub fn apply_ftrl_v2_cpu<T: RealWeight>(context: &mut KernelContext<'_>) -> Result<()> {
    let rates = Rates::read(context, 4, Some(7))?;
    apply::<T, 3>(context, 3, move |values, grad| rates.step(values, grad))
}

/// `SparseApplyFtrl` of rows.
#[kernel(SparseApplyFtrl, device = CPU, T = [floats], Tindices = any)]
#[kernel(ResourceSparseApplyFtrl, device = CPU, T = [floats], Tindices = any)]
pub fn sparse_apply_ftrl_cpu<T: RealWeight>(context: &mut KernelContext<'_>) -> Result<()> {
    let rates = Rates::read(context, 5, None)?.checked()?;
    apply_rows::<T, 3>(context, 3, 4, move |values, grad| rates.step(values, grad))
}

/// `SparseApplyFtrlV2` of rows.
#[kernel(SparseApplyFtrlV2, device = CPU, T = [floats], Tindices = any)]
#[kernel(ResourceSparseApplyFtrlV2, device = CPU, T = [floats], Tindices = any)]
pub fn sparse_apply_ftrl_v2_cpu<T: RealWeight>(context: &mut KernelContext<'_>) -> Result<()> {
    let rates = Rates::read(context, 5, Some(8))?.checked()?;
    apply_rows::<T, 3>(context, 3, 4, move |values, grad| rates.step(values, grad))
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

impl<T: RealWeight> Rates<T> {
    /// Reads the scalars from input `first` on, and the one in input `shrinkage`, after which `lr_power` stands.
    fn read(context: &KernelContext<'_>, first: usize, shrinkage: Option<usize>) -> Result<Self> {
        let [lr, l1, l2] = scalars::<T, 3>(context, first)?;
        let shrinkage_value = shrinkage.map_or(Ok(T::zero()), |index| scalar(context, index))?;
        let lr_power = scalar(context, shrinkage.map_or(first + 3, |index| index + 1))?;
        Ok(Self { lr, l1, l2, shrinkage: shrinkage_value, lr_power, scaled: context.attr("multiply_linear_by_lr")? })
    }

    /// What the forms for rows ask for.
    fn checked(self) -> Result<Self> {
        let (zero, Self { lr, l1, l2, shrinkage, lr_power, .. }) = (T::zero(), self);
        ensure!(lr > zero || (self.scaled && lr == zero), "lr must be positive, it is {lr:?}");
        ensure!(l1 >= zero && l2 >= zero, "l1 and l2 must not be negative, they are {l1:?} and {l2:?}");
        ensure!(shrinkage >= zero, "l2_shrinkage must not be negative, it is {shrinkage:?}");
        ensure!(lr_power <= zero, "lr_power must not be positive, it is {lr_power:?}");
        Ok(self)
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
