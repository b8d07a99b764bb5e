//! A tensor as [outer, extent, inner] around one axis.

use oplink::prelude::*;
use oplink::shape_inference::normalize_axis;

/// Where the elements along one axis stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AxisLayout {
    /// The axis, counted from the front.
    pub(super) axis: usize,
    /// Its extent.
    pub(super) extent: usize,
    /// Elements from one position of the axis to the next: the extents behind it.
    pub(super) inner: usize,
}

impl AxisLayout {
    /// Around `axis`, negative counted from the end.
    ///
    /// # Errors
    /// The axis does not exist.
    pub(super) fn new(shape: &Shape, axis: i64) -> Result<Self> {
        let axis = normalize_axis(axis, shape.rank())?;
        Ok(Self { axis, extent: shape[axis], inner: shape[axis + 1..].iter().product() })
    }

    /// Elements of one outer index.
    pub(super) fn item(&self) -> usize {
        self.extent * self.inner
    }

    /// Goes through `count` places of [outer, inner] from `start` on, in runs that stay within one outer index:
    /// `visit(place - start, first element, length)`.
    pub(super) fn each_run(&self, start: usize, count: usize, mut visit: impl FnMut(usize, usize, usize)) {
        let mut place = start;
        while place < start + count {
            let (outer, column) = (place / self.inner, place % self.inner);
            let length = (self.inner - column).min(start + count - place);
            visit(place - start, outer * self.item() + column, length);
            place += length;
        }
    }
}
