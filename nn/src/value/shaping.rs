//! Methods that change shapes and move elements.

use oplink_api::{Result, bail};
use oplink_ops::{
    BroadcastTo, ExpandDims, GatherNd, GatherV2, OneHot, PadV2, Reshape, ReverseV2, Shape, Squeeze, Tile, Transpose,
};

use super::extents::integers;
use super::{Axes, Extents, IntoValue, Value};
use crate::run::{call, call_with};

impl Value {
    /// The elements in another shape; one extent may be -1.
    ///
    /// # Errors
    /// As the op `Reshape`.
    pub fn reshape(&self, shape: impl Extents) -> Result<Self> {
        call::<Reshape>([self.clone(), integers(&shape.extents()?)?])
    }

    /// The shape as a value of int32, which is known when a traced function runs.
    ///
    /// # Errors
    /// As the op `Shape`.
    pub fn shape_value(&self) -> Result<Self> {
        call::<Shape>([self.clone()])
    }

    /// The axes in another order: axis `i` of what it gives is axis `order[i]` of this.
    ///
    /// # Errors
    /// As the op `Transpose`.
    pub fn transpose(&self, order: impl Extents) -> Result<Self> {
        call::<Transpose>([self.clone(), integers(&order.extents()?)?])
    }

    /// The last two axes swapped.
    ///
    /// # Errors
    /// There are no two axes.
    pub fn t(&self) -> Result<Self> {
        let rank = self.rank()? as i64;
        if rank < 2 {
            bail!("a value of rank {rank} has no two axes to swap");
        }
        let order: Vec<i64> = (0..rank - 2).chain([rank - 1, rank - 2]).collect();
        self.transpose(order)
    }

    /// An axis of extent 1 inserted before `axis`; -1 is behind the last.
    ///
    /// # Errors
    /// As the op `ExpandDims`.
    pub fn expand_dims(&self, axis: i32) -> Result<Self> {
        call::<ExpandDims>([self.clone(), Self::new(axis)])
    }

    /// The shape without these axes of extent 1; `..` drops all such axes.
    ///
    /// # Errors
    /// As the op `Squeeze`.
    pub fn squeeze(&self, axes: impl Axes) -> Result<Self> {
        call_with::<Squeeze>([self.clone()], vec![("squeeze_dims", axes.axes().unwrap_or_default().into())])
    }

    /// The elements repeated to a shape that broadcasting allows.
    ///
    /// # Errors
    /// As the op `BroadcastTo`.
    pub fn broadcast_to(&self, shape: impl Extents) -> Result<Self> {
        call::<BroadcastTo>([self.clone(), integers(&shape.extents()?)?])
    }

    /// The value repeated so many times along each axis.
    ///
    /// # Errors
    /// As the op `Tile`.
    pub fn tile(&self, times: impl Extents) -> Result<Self> {
        call::<Tile>([self.clone(), integers(&times.extents()?)?])
    }

    /// `value` added around: for each axis how many elements before and behind.
    ///
    /// # Errors
    /// As the op `PadV2`.
    pub fn pad<const N: usize>(&self, paddings: [[i32; 2]; N], value: impl IntoValue) -> Result<Self> {
        let value = value.into_value(Some(self.dtype()?))?;
        call::<PadV2>([self.clone(), Self::new(paddings), value])
    }

    /// The elements along these axes in reverse order.
    ///
    /// # Errors
    /// As the op `ReverseV2`.
    pub fn reverse(&self, axes: impl Axes) -> Result<Self> {
        let axes = super::extents::axes_of(self, axes)?;
        call::<ReverseV2>([self.clone(), axes])
    }

    /// The slices along `axis` at these positions.
    ///
    /// # Errors
    /// As the op `GatherV2`.
    pub fn gather(&self, positions: impl IntoValue, axis: i32) -> Result<Self> {
        call::<GatherV2>([self.clone(), positions.into_value(None)?, Self::new(axis)])
    }

    /// The elements, or slices, at these tuples of positions.
    ///
    /// # Errors
    /// As the op `GatherNd`.
    pub fn gather_nd(&self, positions: impl IntoValue) -> Result<Self> {
        call::<GatherNd>([self.clone(), positions.into_value(None)?])
    }

    /// For each position a row of `depth` zeros of f32 with a one there.
    ///
    /// # Errors
    /// As the op `OneHot`.
    pub fn one_hot(&self, depth: i32) -> Result<Self> {
        call::<OneHot>([self.clone(), Self::new(depth), Self::new(1.0f32), Self::new(0.0f32)])
    }
}
