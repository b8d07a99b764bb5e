//! How the shapes of a formula's inputs meet in a GPU program.

use smallvec::SmallVec;

use crate::device::ScalarValue;
use crate::{Error, Result, Shape, ensure};

/// Dimensions that a GPU program can broadcast over.
pub(super) const RANK: usize = 6;

/// How the shapes of several inputs meet: as few dimensions as possible, outermost first, with a stride for each input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    /// The output's shape.
    pub(super) shape: Shape,
    /// Extents of the joined dimensions; none for scalars.
    pub(super) extents: SmallVec<[usize; RANK]>,
    /// For each input, elements from one position of a dimension to the next; 0 where it is repeated.
    pub(super) strides: SmallVec<[SmallVec<[usize; RANK]>; 4]>,
}

impl Layout {
    /// The broadcast of the shapes.
    pub(super) fn of(shapes: &[&[usize]]) -> Result<Self> {
        let rank = shapes.iter().map(|shape| shape.len()).max().unwrap_or(0);
        let at = |shape: &[usize], dim: usize| (dim + shape.len()).checked_sub(rank).map_or(1, |dim| shape[dim]);
        let mut layout = Self {
            shape: Shape::from(Vec::new()),
            extents: SmallVec::new(),
            strides: shapes.iter().map(|_| SmallVec::new()).collect(),
        };
        let mut whole = Vec::with_capacity(rank);
        let mut sizes: SmallVec<[usize; 4]> = shapes.iter().map(|_| 1).collect();
        for dim in (0..rank).rev() {
            let own: SmallVec<[usize; 4]> = shapes.iter().map(|shape| at(shape, dim)).collect();
            let extent = own.iter().copied().find(|&extent| extent != 1).unwrap_or(1);
            ensure!(
                own.iter().all(|&other| other == extent || other == 1),
                "shapes {} do not broadcast",
                shapes.iter().map(|shape| format!("{shape:?}")).collect::<Vec<_>>().join(" and ")
            );
            whole.push(extent);
            if extent != 1 {
                layout.push_outer(extent, &own, &sizes);
            }
            sizes.iter_mut().zip(&own).for_each(|(size, own)| *size *= own);
        }
        whole.reverse();
        layout.shape = Shape::from(whole);
        layout.extents.reverse();
        layout.strides.iter_mut().for_each(|strides| strides.reverse());
        Ok(layout)
    }

    /// Adds a dimension outside of the others, joined to the last one where every input allows it.
    fn push_outer(&mut self, extent: usize, own: &[usize], sizes: &[usize]) {
        let stride = |input: usize| if own[input] == 1 { 0 } else { sizes[input] };
        let joins = self.extents.last().is_some_and(|&inner| {
            self.strides
                .iter()
                .enumerate()
                .all(|(input, strides)| strides.last().is_some_and(|&within| stride(input) == within * inner))
        });
        if joins && let Some(last) = self.extents.last_mut() {
            *last *= extent;
            return;
        }
        self.extents.push(extent);
        self.strides.iter_mut().enumerate().for_each(|(input, strides)| strides.push(stride(input)));
    }

    /// Whether every input has the output's elements, in its order.
    pub(super) fn is_contiguous(&self) -> bool {
        self.extents.is_empty() || self.strides.iter().all(|strides| *strides.as_slice() == [1])
    }
}

/// The values of a loop with broadcasting.
pub(super) fn loop_values(layout: &Layout, count: usize) -> Result<Vec<ScalarValue>> {
    let wrap =
        |what: &str| Error::unimplemented(format!("a broadcast {what} on a GPU, the shapes are {}", layout.shape));
    let count = u32::try_from(count).map_err(|_| wrap("of more than 4294967295 elements"))?;
    let rank = layout.extents.len();
    if rank > RANK {
        return Err(wrap(&format!("over more than {RANK} dimensions")));
    }
    let padded = |values: &[usize], fill: u32| -> Vec<ScalarValue> {
        let values = values.iter().rev().map(|&value| value as u32).chain(std::iter::repeat(fill));
        values.take(RANK).map(ScalarValue::U32).collect()
    };
    let mut values = vec![ScalarValue::U32(count), ScalarValue::U32(rank as u32)];
    values.extend(padded(&layout.extents, 1));
    layout.strides.iter().for_each(|strides| values.extend(padded(strides, 0)));
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(shapes: &[&[usize]]) -> (Vec<usize>, Vec<usize>, Vec<Vec<usize>>) {
        let layout = Layout::of(shapes).unwrap();
        let strides = layout.strides.iter().map(|strides| strides.to_vec()).collect();
        (layout.shape.to_vec(), layout.extents.to_vec(), strides)
    }

    #[test]
    fn equal_shapes_are_one_dimension() {
        assert_eq!(layout(&[&[2, 3, 4], &[2, 3, 4]]), (vec![2, 3, 4], vec![24], vec![vec![1], vec![1]]));
        assert_eq!(layout(&[&[], &[]]), (vec![], vec![], vec![vec![], vec![]]));
        assert_eq!(layout(&[&[1, 1], &[1]]), (vec![1, 1], vec![], vec![vec![], vec![]]));
    }

    #[test]
    fn repeated_dimensions_have_no_stride() {
        assert_eq!(layout(&[&[2, 3, 4], &[4]]), (vec![2, 3, 4], vec![6, 4], vec![vec![4, 1], vec![0, 1]]));
        assert_eq!(layout(&[&[], &[2, 3]]), (vec![2, 3], vec![6], vec![vec![0], vec![1]]));
        let column = layout(&[&[5, 1, 7], &[1, 6, 1]]);
        assert_eq!(column, (vec![5, 6, 7], vec![5, 6, 7], vec![vec![7, 0, 1], vec![0, 1, 0]]));
    }

    #[test]
    fn shapes_that_do_not_fit_are_errors() {
        let error = Layout::of(&[&[2, 3], &[4]]).unwrap_err().to_string();
        assert!(error.contains("[2, 3] and [4] do not broadcast"), "{error}");
        assert_eq!(layout(&[&[0, 3], &[1, 3]]).0, [0, 3]);
        assert_eq!(layout(&[&[0], &[1]]).0, [0]);
    }
}
