//! The region that the inputs `begin`, `end` and `strides` and the mask attrs pick of a tensor.

use oplink::prelude::*;
use oplink::shape_fns::{StridedSlice, StridedSliceDim, StridedSliceMasks};
use smallvec::SmallVec;

use crate::arguments;
use crate::movement::{Axis, AxisList, row_major_strides};

/// A part of a tensor.
pub struct Region {
    /// What is picked along each axis of the tensor.
    pub dims: SmallVec<[StridedSliceDim; 4]>,
    /// The shape of the slice, axes added and removed.
    pub shape: Shape,
}

impl Region {
    /// The region of a tensor of this shape that the vectors `begin`, `end` and `strides` and the masks pick.
    ///
    /// # Errors
    /// The region is none of such a tensor.
    pub fn of(shape: &Shape, [begin, end, strides]: [&Tensor; 3], masks: StridedSliceMasks) -> Result<Self> {
        let (begin, end) = (arguments::few(begin, "begin")?, arguments::few(end, "end")?);
        let strides = arguments::few(strides, "strides")?;
        let resolved = StridedSlice::resolve(&shape.into(), Some(&begin), Some(&end), &strides, masks)?;
        let unknown = || Error::internal("a slice of a known shape has a known shape");
        Ok(Self { dims: resolved.dims, shape: resolved.shape.to_shape().ok_or_else(unknown)? })
    }

    /// Where the picked elements are in a tensor of this shape: the first one, and the steps along each axis.
    pub fn axes(&self, shape: &Shape) -> (isize, AxisList<'static>) {
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
