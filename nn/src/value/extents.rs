//! Axes and extents as methods take them.

use std::ops::RangeFull;

use oplink_api::{Error, Result, Shape, Tensor};
use oplink_ops::{Range, Rank};

use super::Value;
use crate::run::call;

/// Axes of a value: one, several, or all (`..`). Negative ones count from the end.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not taken as axes",
    note = "axes are `..` for all, a number, an array or a slice of numbers"
)]
pub trait Axes {
    /// The axes; `None` for all.
    fn axes(self) -> Option<Vec<i64>>;
}

impl Axes for RangeFull {
    fn axes(self) -> Option<Vec<i64>> {
        None
    }
}

/// Extents of a shape, or positions along axes. One extent of a reshape may be -1: what is left.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not taken as extents",
    note = "extents are an array, a slice or a `Vec` of integers, or a `Shape`"
)]
pub trait Extents {
    /// The extents.
    ///
    /// # Errors
    /// An extent is beyond `i64`.
    fn extents(self) -> Result<Vec<i64>>;
}

macro_rules! integers {
    ($($ty:ty),*) => {$(
        impl Axes for $ty {
            fn axes(self) -> Option<Vec<i64>> {
                Some(vec![i64::from(self)])
            }
        }

        impl<const N: usize> Axes for [$ty; N] {
            fn axes(self) -> Option<Vec<i64>> {
                Some(self.into_iter().map(i64::from).collect())
            }
        }

        impl Axes for &[$ty] {
            fn axes(self) -> Option<Vec<i64>> {
                Some(self.iter().copied().map(i64::from).collect())
            }
        }
    )*};
}

integers!(i32, i64);

macro_rules! extents {
    ($($ty:ty),*) => {$(
        impl<const N: usize> Extents for [$ty; N] {
            fn extents(self) -> Result<Vec<i64>> {
                self[..].extents()
            }
        }

        impl Extents for &[$ty] {
            fn extents(self) -> Result<Vec<i64>> {
                let extent = |&extent: &$ty| {
                    i64::try_from(extent).map_err(|_| Error::invalid_argument(format!("the extent {extent} is beyond i64")))
                };
                self.iter().map(extent).collect()
            }
        }

        impl Extents for Vec<$ty> {
            fn extents(self) -> Result<Vec<i64>> {
                self[..].extents()
            }
        }
    )*};
}

extents!(i32, i64, usize);

impl Extents for &Shape {
    fn extents(self) -> Result<Vec<i64>> {
        self.dims().extents()
    }
}

impl Extents for Shape {
    fn extents(self) -> Result<Vec<i64>> {
        self.dims().extents()
    }
}

/// The axes of `value` as a tensor of int32.
pub(super) fn axes_of(value: &Value, axes: impl Axes) -> Result<Value> {
    match axes.axes() {
        Some(axes) => integers(&axes),
        None => match value.partial_shape()?.rank() {
            Some(rank) => Ok(Value::new((0..rank as i32).collect::<Vec<i32>>())),
            None => call::<Range>([Value::new(0i32), call::<Rank>([value.clone()])?, Value::new(1i32)]),
        },
    }
}

/// Integers as ops that take int32 or int64 take them: int32 where they fit.
pub(super) fn integers(values: &[i64]) -> Result<Value> {
    let short: Option<Vec<i32>> = values.iter().map(|&value| i32::try_from(value).ok()).collect();
    Ok(Value::new(short.map_or_else(|| Tensor::from_slice(values), |short| Tensor::from_slice(&short))))
}
