//! Methods that reduce along axes: `x.sum(..)`, `x.mean(-1)`, `x.max([0, 1])`.

use oplink_api::{DType, Op, Result};
use oplink_ops::{All, Any, ArgMax, ArgMin, Cumsum, EuclideanNorm, Max, Mean, Min, Prod, Sum};

use super::extents::axes_of;
use super::{Axes, Value};
use crate::run::{call, call_with};

macro_rules! reductions {
    ($($(#[$doc:meta])* $method:ident $kept:ident $op:ident;)*) => {
        impl Value {$(
            $(#[$doc])*
            ///
            /// # Errors
            #[doc = concat!("As the op `", stringify!($op), "`.")]
            pub fn $method(&self, axes: impl Axes) -> Result<Self> {
                call::<$op>([self.clone(), axes_of(self, axes)?])
            }

            #[doc = concat!("As [`Value::", stringify!($method), "`], with extent 1 in place of each axis.")]
            ///
            /// # Errors
            #[doc = concat!("As the op `", stringify!($op), "`.")]
            pub fn $kept(&self, axes: impl Axes) -> Result<Self> {
                self.kept::<$op>(axes)
            }
        )*}
    };
}

reductions! {
    /// Whether all elements along the axes are true.
    all all_kept All;
    /// Whether any element along the axes is true.
    any any_kept Any;
    /// The square root of the sum of squares along the axes.
    norm norm_kept EuclideanNorm;
    /// The largest element along the axes.
    max max_kept Max;
    /// The mean along the axes.
    mean mean_kept Mean;
    /// The smallest element along the axes.
    min min_kept Min;
    /// The product along the axes.
    prod prod_kept Prod;
    /// The sum along the axes.
    sum sum_kept Sum;
}

impl Value {
    fn kept<O: Op>(&self, axes: impl Axes) -> Result<Self> {
        call_with::<O>([self.clone(), axes_of(self, axes)?], vec![("keep_dims", true.into())])
    }

    /// The position of the largest element along an axis, as int64.
    ///
    /// # Errors
    /// As the op `ArgMax`.
    pub fn argmax(&self, axis: i32) -> Result<Self> {
        call_with::<ArgMax>([self.clone(), Self::new(axis)], vec![("output_type", DType::Int64.into())])
    }

    /// The position of the smallest element along an axis, as int64.
    ///
    /// # Errors
    /// As the op `ArgMin`.
    pub fn argmin(&self, axis: i32) -> Result<Self> {
        call_with::<ArgMin>([self.clone(), Self::new(axis)], vec![("output_type", DType::Int64.into())])
    }

    /// The running sum along an axis.
    ///
    /// # Errors
    /// As the op `Cumsum`.
    pub fn cumsum(&self, axis: i32) -> Result<Self> {
        call::<Cumsum>([self.clone(), Self::new(axis)])
    }

    /// The variance along the axes: the mean of the squares of the distances to the mean.
    ///
    /// # Errors
    /// As the ops `Mean` and `SquaredDifference`.
    pub fn variance(&self, axes: impl Axes + Clone) -> Result<Self> {
        self.squared_difference(self.mean_kept(axes.clone())?)?.mean(axes)
    }
}
