//! The region that the inputs `begin`, `end` and `strides` and the mask attrs pick of a tensor.

use oplink::prelude::*;
use oplink::shape_fns::{StridedSlice, StridedSliceDim, StridedSliceMasks};
use smallvec::SmallVec;

use super::super::arguments;
use crate::support::movement::{Axis, AxisList, row_major_strides};

/// A part of a tensor.
pub(crate) struct Region {
    /// What is picked along each axis of the tensor.
    pub(crate) dims: SmallVec<[StridedSliceDim; 4]>,
    /// The shape of the slice, axes added and removed.
    pub(crate) shape: Shape,
}

impl Region {
    /// The region of a tensor of this shape that inputs 1 to 3 and the attrs describe.
    pub(crate) fn of(context: &KernelContext<'_>, shape: &Shape) -> Result<Self> {
        let read = |index, name| arguments::vector(context, index, name);
        let (begin, end, strides) = (read(1, "begin")?, read(2, "end")?, read(3, "strides")?);
        let masks = StridedSliceMasks::of(|name| context.attr(name))?;
        let resolved = StridedSlice::resolve(&shape.into(), Some(&begin), Some(&end), &strides, masks)?;
        let unknown = || Error::internal("a slice of a known shape has a known shape");
        Ok(Self { dims: resolved.dims, shape: resolved.shape.to_shape().ok_or_else(unknown)? })
    }

    /// Where the picked elements stand in a tensor of this shape: the first one, and the steps along each axis.
    pub(crate) fn axes(&self, shape: &Shape) -> (isize, AxisList<'static>) {
        let strides = row_major_strides(shape);
        let picked = self.dims.iter().zip(&strides);
        let base = picked.clone().map(|(dim, stride)| dim.begin as isize * stride).sum();
        let axis = |(dim, stride): (&StridedSliceDim, &isize)| Axis::Strided {
            count: dim.extent.unwrap_or(0),
            stride: (dim.stride as isize).saturating_mul(*stride),
        };
        (base, picked.map(axis).collect())
    }
}
