//! How tensors of different shapes meet: as few dimensions as possible, each with a stride for every side.

use oplink::prelude::*;
use smallvec::{SmallVec, smallvec};

/// The broadcast of `N` shapes, with neighbouring dimensions joined where all sides allow it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broadcast<const N: usize = 2> {
    /// The output's shape as the op sees it.
    pub shape: Shape,
    /// Joined dimensions, outermost first; at least one.
    dims: Dims<N>,
}

type Dims<const N: usize> = SmallVec<[BroadcastDim<N>; 4]>;

/// One joined dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BroadcastDim<const N: usize> {
    /// Its extent.
    pub(super) extent: usize,
    /// Elements from one position to the next, for each side; 0 where it is repeated.
    pub(super) strides: [usize; N],
}

impl<const N: usize> Broadcast<N> {
    /// The broadcast of the shapes of all sides; an error where they do not fit.
    pub fn new(sides: [&[usize]; N]) -> Result<Self> {
        if sides.iter().all(|side| *side == sides[0]) {
            let shape = Shape::new(sides[0]);
            let extent = shape.num_elements();
            return Ok(Self { shape, dims: smallvec![BroadcastDim { extent, strides: [1; N] }] });
        }
        let mut shape = Shape::scalar();
        for side in sides {
            shape = oplink::shape_inference::broadcast_shapes(&shape, side)?;
        }
        let mut dims = Dims::new();
        let mut steps = [1; N];
        for axis in (0..shape.rank()).rev() {
            let extents = sides.map(|side| (axis + side.len()).checked_sub(shape.rank()).map_or(1, |i| side[i]));
            let strides = std::array::from_fn(|i| if extents[i] == 1 { 0 } else { steps[i] });
            steps = std::array::from_fn(|i| steps[i] * extents[i]);
            push(&mut dims, BroadcastDim { extent: shape[axis], strides });
        }
        if dims.is_empty() {
            dims.push(BroadcastDim { extent: 1, strides: [1; N] });
        }
        dims.reverse();
        Ok(Self { shape, dims })
    }

    /// The innermost joined dimension.
    pub(super) fn inner(&self) -> BroadcastDim<N> {
        self.dims[self.dims.len() - 1]
    }

    /// The rows of the innermost dimension from number `first` on.
    pub(super) fn rows(&self, mut first: usize) -> Rows<'_, N> {
        let outer = &self.dims[..self.dims.len() - 1];
        let mut rows = Rows { outer, index: SmallVec::from_elem(0, outer.len()), offsets: [0; N] };
        for (at, dim) in rows.index.iter_mut().zip(outer).rev() {
            *at = first % dim.extent;
            first /= dim.extent;
            rows.offsets = std::array::from_fn(|i| rows.offsets[i] + *at * dim.strides[i]);
        }
        rows
    }

    /// Whether a side is one row of the innermost dimension, repeated.
    pub(super) fn repeats_one_row(&self, side: usize) -> bool {
        self.dims[..self.dims.len() - 1].iter().all(|dim| dim.strides[side] == 0)
    }
}

/// A walk over rows of the innermost dimension.
pub(super) struct Rows<'a, const N: usize> {
    outer: &'a [BroadcastDim<N>],
    index: SmallVec<[usize; 4]>,
    /// Where the current row starts on each side.
    pub(super) offsets: [usize; N],
}

impl<const N: usize> Rows<'_, N> {
    /// Goes to the next row; from the last one to the first.
    #[inline]
    pub(super) fn advance(&mut self) {
        for (at, dim) in self.index.iter_mut().zip(self.outer).rev() {
            *at += 1;
            self.offsets = std::array::from_fn(|i| self.offsets[i] + dim.strides[i]);
            if *at < dim.extent {
                return;
            }
            *at = 0;
            self.offsets = std::array::from_fn(|i| self.offsets[i] - dim.extent * dim.strides[i]);
        }
    }
}

/// Adds an outer dimension, joining it with the one inside where every side continues there or is repeated in both.
fn push<const N: usize>(dims: &mut Dims<N>, dim: BroadcastDim<N>) {
    if dim.extent == 1 {
        return;
    }
    match dims.last_mut() {
        Some(inner) if (0..N).all(|i| dim.strides[i] == inner.strides[i] * inner.extent) => {
            inner.extent *= dim.extent;
        }
        _ => dims.push(dim),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dims(left: &[usize], right: &[usize]) -> Vec<(usize, [usize; 2])> {
        let broadcast = Broadcast::new([left, right]).unwrap();
        broadcast.dims.iter().map(|dim| (dim.extent, dim.strides)).collect()
    }

    #[test]
    fn dimensions_join() {
        assert_eq!(dims(&[2, 3, 4], &[2, 3, 4]), [(24, [1, 1])]);
        assert_eq!(dims(&[2, 3, 4], &[]), [(24, [1, 0])]);
        assert_eq!(dims(&[1], &[2, 3]), [(6, [0, 1])]);
        assert_eq!(dims(&[2, 3, 4], &[4]), [(6, [4, 0]), (4, [1, 1])]);
        assert_eq!(dims(&[2, 3, 4], &[3, 4]), [(2, [12, 0]), (12, [1, 1])]);
        assert_eq!(dims(&[2, 3, 1], &[2, 3, 4]), [(6, [1, 4]), (4, [0, 1])]);
        assert_eq!(dims(&[2, 1, 4], &[1, 3, 1]), [(2, [4, 0]), (3, [0, 1]), (4, [1, 0])]);
        assert_eq!(dims(&[], &[]), [(1, [1, 1])]);
        assert_eq!(dims(&[1, 1], &[1]), [(1, [1, 1])]);
        assert_eq!(dims(&[0, 3], &[1, 3]), [(0, [3, 0]), (3, [1, 1])]);
    }

    #[test]
    fn rows_start_where_their_sides_do() {
        let broadcast = Broadcast::new([&[2, 1, 4], &[1, 3, 1]]).unwrap();
        let mut walk = broadcast.rows(0);
        let offsets = [(); 6].map(|()| {
            let offsets = walk.offsets;
            walk.advance();
            offsets
        });
        assert_eq!(offsets, [[0, 0], [0, 1], [0, 2], [4, 0], [4, 1], [4, 2]]);
        (0..6).for_each(|row| assert_eq!(broadcast.rows(row).offsets, offsets[row]));
        assert!(Broadcast::new([&[2], &[3]]).is_err());
    }
}
