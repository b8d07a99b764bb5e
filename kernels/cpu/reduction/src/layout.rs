//! A reduction's shape in as few dimensions as possible: neighbouring axes that are kept together, or reduced together,
//! become one.

use oplink::prelude::*;
use smallvec::SmallVec;

use oplink_ops::reduced_axes::reduced_axes;

/// One joined dimension of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Dim {
    extent: usize,
    stride: usize,
    reduced: bool,
}

/// Where the input elements of each output element stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    /// The output's shape.
    pub(super) output: Shape,
    /// Input elements for each output element.
    pub(super) count: usize,
    /// Elements side by side that are reduced together (`inner_reduced`), or that go to neighbouring outputs.
    pub(super) inner: usize,
    /// Which of both `inner` is.
    pub(super) inner_reduced: bool,
    /// The other kept dimensions.
    kept: SmallVec<[Dim; 4]>,
    /// The other reduced dimensions.
    reduced: SmallVec<[Dim; 4]>,
}

impl Layout {
    /// The reduction of a tensor of this shape over the axes that the tensor `axes` lists.
    ///
    /// # Errors
    /// An axis that does not exist, or that is listed twice.
    pub(super) fn new(shape: &Shape, axes: &Tensor, keep_dims: bool) -> Result<Self> {
        let (marks, output) = reduced_axes(shape, axes, keep_dims)?;
        let mut dims = join(shape, &marks);
        let inner = dims.pop().unwrap_or(Dim { extent: 1, stride: 1, reduced: false });
        let (reduced, kept): (SmallVec<[Dim; 4]>, SmallVec<[Dim; 4]>) = dims.into_iter().partition(|dim| dim.reduced);
        let outer: usize = reduced.iter().map(|dim| dim.extent).product();
        let count = if inner.reduced { outer * inner.extent } else { outer };
        Ok(Self { output, count, inner: inner.extent, inner_reduced: inner.reduced, kept, reduced })
    }

    /// Groups of reduced elements for each output; each is `inner` elements where `inner_reduced`, otherwise one.
    pub(super) fn groups(&self) -> usize {
        self.reduced.iter().map(|dim| dim.extent).product()
    }

    /// Whether the groups of an output stand one behind the other.
    pub(super) fn groups_adjoin(&self) -> bool {
        matches!(self.reduced.as_slice(), [dim] if dim.stride == self.inner)
    }

    /// Where the elements of output `index` start (of output row `index` where `inner` is kept).
    pub(super) fn output_start(&self, index: usize) -> usize {
        offset(&self.kept, index)
    }

    /// How far the group `index` of an output stands from its first one.
    pub(super) fn group_offset(&self, index: usize) -> usize {
        offset(&self.reduced, index)
    }
}

fn join(shape: &[usize], marks: &[bool]) -> SmallVec<[Dim; 4]> {
    let mut dims: SmallVec<[Dim; 4]> = SmallVec::new();
    let mut stride = 1;
    for (&extent, &reduced) in shape.iter().zip(marks).rev().filter(|(extent, _)| **extent != 1) {
        match dims.last_mut() {
            Some(dim) if dim.reduced == reduced => dim.extent *= extent,
            _ => dims.push(Dim { extent, stride, reduced }),
        }
        stride *= extent;
    }
    dims.reverse();
    dims
}

#[inline]
fn offset(dims: &[Dim], mut index: usize) -> usize {
    if let [dim] = dims {
        return index * dim.stride;
    }
    let mut offset = 0;
    for dim in dims.iter().rev() {
        offset += index % dim.extent * dim.stride;
        index /= dim.extent;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(shape: &[usize], axes: &[i32], keep_dims: bool) -> Layout {
        Layout::new(&Shape::new(shape), &Tensor::from_slice(axes), keep_dims).unwrap()
    }

    #[test]
    fn neighbouring_axes_join() {
        let images = layout(&[8, 7, 7, 1, 5], &[1, 2], false);
        assert_eq!(
            (images.output.dims(), images.count, images.inner, images.inner_reduced),
            (&[8, 1, 5][..], 49, 5, false)
        );
        assert_eq!((images.output_start(2), images.groups(), images.group_offset(3)), (2 * 49 * 5, 49, 15));
        let all = layout(&[2, 3, 4], &[0, -1, 1], true);
        assert_eq!((all.output.dims(), all.count, all.inner, all.inner_reduced), (&[1, 1, 1][..], 24, 24, true));
        let none = layout(&[2, 3], &[], false);
        assert_eq!((none.output.dims(), none.count, none.inner, none.groups()), (&[2, 3][..], 1, 6, 1));
        let empty = layout(&[0, 2], &[0], false);
        assert_eq!((empty.output.dims(), empty.count), (&[2][..], 0));
    }

    #[test]
    fn wrong_axes_are_refused() {
        let shape = Shape::new(&[2, 3]);
        for axes in [&[2][..], &[-3], &[0, 0], &[1, -1]] {
            assert!(Layout::new(&shape, &Tensor::from_slice(axes), false).is_err(), "{axes:?}");
        }
    }
}
