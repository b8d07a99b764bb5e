//! Where the elements of an output come from, axis by axis.

use smallvec::SmallVec;

/// One axis of an output: its extent, and the offset in the source that each position adds.
#[derive(Clone, Copy, Debug)]
pub enum Axis<'a> {
    /// Position `i` adds `i * stride`.
    Strided {
        /// The extent.
        count: usize,
        /// Elements from one position to the next; 0 repeats, negative goes back.
        stride: isize,
    },
    /// Position `i` adds element `i`.
    Table(&'a [isize]),
}

/// The axes of an output, outermost first.
pub type AxisList<'a> = SmallVec<[Axis<'a>; 6]>;

impl Axis<'_> {
    /// The extent.
    pub fn count(&self) -> usize {
        match self {
            Self::Strided { count, .. } => *count,
            Self::Table(offsets) => offsets.len(),
        }
    }

    /// The offset of a position.
    pub fn at(&self, position: usize) -> isize {
        match self {
            Self::Strided { stride, .. } => position as isize * stride,
            Self::Table(offsets) => offsets[position],
        }
    }
}

/// Axes of the same elements in the same order, neighbours joined where one stride says it all, extents of 1 left out.
pub fn collapse<'a>(axes: &[Axis<'a>], base: &mut isize) -> AxisList<'a> {
    let mut out = AxisList::new();
    for &axis in axes {
        if axis.count() == 1 {
            *base += axis.at(0);
            continue;
        }
        match (out.last_mut(), axis) {
            (Some(Axis::Strided { count: outer, stride: wide }), Axis::Strided { count, stride })
                if *wide == stride * count as isize =>
            {
                *outer *= count;
                *wide = stride;
            }
            _ => out.push(axis),
        }
    }
    out
}

/// Elements from one position to the next along each axis of a row-major shape; meaningless where it has no elements.
pub fn row_major_strides(dims: &[usize]) -> SmallVec<[isize; 6]> {
    let mut strides: SmallVec<[isize; 6]> = SmallVec::from_elem(1, dims.len());
    for axis in (1..dims.len()).rev() {
        strides[axis - 1] = strides[axis].wrapping_mul(dims[axis].max(1) as isize);
    }
    strides
}

/// Where a position of a row-major shape is along each axis.
pub fn coordinates(mut position: usize, dims: &[usize]) -> SmallVec<[i64; 6]> {
    let mut at: SmallVec<[i64; 6]> = SmallVec::from_elem(0, dims.len());
    for (at, &dim) in at.iter_mut().zip(dims).rev() {
        let dim = dim.max(1);
        *at = (position % dim) as i64;
        position /= dim;
    }
    at
}
