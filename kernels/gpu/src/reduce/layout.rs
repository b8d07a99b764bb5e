//! A reduction's dimensions, as few as possible: neighbouring axes that are kept together, or reduced together, are
//! one.

use oplink::prelude::*;
use oplink_ops::reduced_axes::reduced_axes;
use smallvec::SmallVec;

/// Dimensions whose extents a program gets; one more, the outermost, follows from the numbers of elements.
pub(crate) const EXTENTS: usize = 8;
/// Elements that 32-bit positions reach, with room for steps beyond the end.
pub(crate) const MOST_ELEMENTS: usize = 4_000_000_000;

/// Where the elements of each output stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The output's shape.
    pub(crate) output: Shape,
    /// Elements of the output.
    pub(crate) outputs: u32,
    /// Elements of the input for each of the output.
    pub(crate) count: u32,
    /// Extents from the innermost dimension on: one that is reduced, one that is kept, and so on. 1 where there is
    /// none.
    pub(crate) extents: [u32; EXTENTS],
}

impl Layout {
    /// The reduction of a tensor of this shape over the axes that the tensor `axes`, in host memory, lists.
    ///
    /// # Errors
    /// An axis that does not exist or is listed twice, or more dimensions or elements than a GPU takes.
    pub(crate) fn new(shape: &Shape, axes: &Tensor, keep_dims: bool) -> Result<Self> {
        let (marks, output) = reduced_axes(shape, axes, keep_dims)?;
        Self::of(shape, &marks, output)
    }

    /// All elements of a tensor of this shape to one.
    ///
    /// # Errors
    /// More elements than a GPU takes.
    pub(crate) fn whole(shape: &Shape) -> Result<Self> {
        let marks: SmallVec<[bool; 8]> = SmallVec::from_elem(true, shape.rank());
        Self::of(shape, &marks, Shape::scalar())
    }

    /// Rows of partial results, one below the other: `parts` for each of the outputs.
    pub(super) fn of_parts(&self, parts: u32) -> Self {
        let mut extents = [1; EXTENTS];
        if self.outputs == 1 {
            extents[0] = parts;
        } else {
            (extents[1], extents[2]) = (self.outputs, parts);
        }
        Self { count: parts, extents, ..self.clone() }
    }

    fn of(shape: &Shape, marks: &[bool], output: Shape) -> Result<Self> {
        let extent = |wanted: bool| -> usize {
            shape.iter().zip(marks).filter(|(_, reduced)| **reduced == wanted).map(|(extent, _)| extent).product()
        };
        let (count, outputs) = (extent(true), extent(false));
        let most = shape.num_elements().max(count).max(outputs);
        ensure!(most <= MOST_ELEMENTS, "a GPU reduces at most {MOST_ELEMENTS} elements at once, the shape is {shape}");
        let mut extents: SmallVec<[u32; EXTENTS]> = SmallVec::from_slice(&[1]);
        for (&extent, &reduced) in shape.iter().zip(marks).rev().filter(|(extent, _)| **extent != 1) {
            let is_reduced = extents.len() % 2 == 1;
            match extents.last_mut() {
                Some(last) if reduced == is_reduced => *last *= extent as u32,
                _ => extents.push(extent as u32),
            }
        }
        ensure!(
            extents.len() <= EXTENTS + 1,
            "a GPU reduces tensors of {EXTENTS} alternating groups of kept and reduced axes at most, the shape is {shape}"
        );
        extents.resize(EXTENTS, 1);
        let extents = std::array::from_fn(|index| extents[index]);
        Ok(Self { output, outputs: outputs as u32, count: count as u32, extents })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(shape: &[usize], axes: &[i32], keep_dims: bool) -> (Vec<usize>, [u32; 2], Vec<u32>) {
        let layout = Layout::new(&Shape::new(shape), &Tensor::from_slice(axes), keep_dims).unwrap();
        let used = layout.extents.iter().rposition(|&extent| extent != 1).map_or(0, |last| last + 1);
        (layout.output.to_vec(), [layout.outputs, layout.count], layout.extents[..used].to_vec())
    }

    #[test]
    fn neighbouring_axes_join() {
        assert_eq!(layout(&[8, 7, 7, 1, 5], &[1, 2], false), (vec![8, 1, 5], [40, 49], vec![1, 5, 49, 8]));
        assert_eq!(layout(&[2, 3, 4], &[0, -1, 1], true), (vec![1, 1, 1], [1, 24], vec![24]));
        assert_eq!(layout(&[2, 3], &[], false), (vec![2, 3], [6, 1], vec![1, 6]));
        assert_eq!(layout(&[2, 3, 4], &[0, 2], false), (vec![3], [3, 8], vec![4, 3, 2]));
        assert_eq!(layout(&[0, 2], &[0], false), (vec![2], [2, 0], vec![1, 2, 0]));
        assert_eq!(layout(&[], &[], false), (vec![], [1, 1], vec![]));
        let alternating = (vec![2; 4], [16, 16], vec![1, 2, 2, 2, 2, 2, 2, 2]);
        assert_eq!(layout(&[2; 8], &[0, 2, 4, 6], false), alternating);
    }

    #[test]
    fn wrong_axes_are_refused() {
        for (axes, message) in [(&[2][..], "axis 2 is outside"), (&[-3], "axis -3"), (&[1, -1], "names axis 1 twice")] {
            let error = Layout::new(&Shape::new(&[2, 3]), &Tensor::from_slice(axes), false).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
        let alternating = Layout::new(&Shape::new(&[2; 10]), &Tensor::from_slice(&[0, 2, 4, 6, 8]), false);
        assert!(alternating.unwrap_err().to_string().contains("alternating"));
    }
}
