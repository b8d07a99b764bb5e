//! How an input covers the output, and how a tile of it is brought into a buffer.

use smallvec::SmallVec;

use super::tiles::Tiling;
use crate::Shape;
use crate::tensor::values::{Values, ValuesMut};

/// How an input covers the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pattern {
    /// An element for each of the output.
    Whole,
    /// So many elements, over and over: the input has the output's last axes (or is one element).
    Period(usize),
    /// Each element so many times: the input has the output's first axes, the others are 1.
    Each(usize),
    /// Any other broadcast: axes of the output, outermost first, with the input's elements from one position to the
    /// next; 0 where it is repeated.
    Strided(SmallVec<[(usize, usize); 4]>),
}

impl Pattern {
    /// That of an input that broadcasts to the output's shape.
    pub(super) fn of(input: &Shape, output: &Shape) -> Self {
        if input == output {
            return Self::Whole;
        }
        let extent = |axis: usize| (axis + input.rank()).checked_sub(output.rank()).map_or(1, |axis| input[axis]);
        let differs = |axis: &usize| extent(*axis) != output[*axis];
        let (first, last) = ((0..output.rank()).find(differs), (0..output.rank()).rev().find(differs));
        let (Some(first), Some(last)) = (first, last) else { return Self::Whole };
        if (0..=last).all(|axis| extent(axis) == 1) {
            return Self::Period(input.num_elements());
        }
        if (first..output.rank()).all(|axis| extent(axis) == 1) {
            return Self::Each(output[first..].iter().product());
        }
        let mut axes: SmallVec<[(usize, usize); 4]> = SmallVec::new();
        let mut size = 1;
        for axis in (0..output.rank()).rev().filter(|&axis| output[axis] != 1) {
            let stride = if extent(axis) == 1 { 0 } else { size };
            size *= extent(axis);
            match axes.last_mut() {
                Some((count, inner)) if stride == *inner * *count => *count *= output[axis],
                _ => axes.push((output[axis], stride)),
            }
        }
        axes.reverse();
        Self::Strided(axes)
    }

    /// Elements after which a repetition is over, where that is not at every element.
    pub(super) fn row(&self) -> Option<usize> {
        match self {
            Self::Period(row) | Self::Each(row) if *row > 1 => Some(*row),
            Self::Strided(axes) => axes.last().map(|axis| axis.0),
            _ => None,
        }
    }
}

/// An input with its pattern.
pub(super) struct Operand<'a> {
    /// The elements; those in the output's memory, where `None`.
    pub(super) values: Option<Values<'a>>,
    pub(super) pattern: Pattern,
}

impl<'a> Operand<'a> {
    /// The elements under `length` of the output from `start` on, where they are side by side in memory and are
    /// computed with as they are.
    #[inline]
    pub(super) fn direct(&self, start: usize, length: usize) -> Option<Values<'a>> {
        let values = self.values.filter(Values::is_computed)?;
        match self.pattern {
            Pattern::Whole => Some(values.part(start..start + length)),
            Pattern::Period(period) => {
                let at = start % period.max(1);
                (at + length <= period).then(|| values.part(at..at + length))
            }
            Pattern::Each(_) | Pattern::Strided(_) => None,
        }
    }

    /// Whether every tile that begins at a multiple of the period has the same elements.
    pub(super) fn is_constant(&self, tiling: Tiling) -> bool {
        match self.pattern {
            Pattern::Period(1) => true,
            Pattern::Period(period) => tiling.unit == period && period <= tiling.tile,
            _ => false,
        }
    }

    /// Writes the elements under those of the output from `start` on to `buffer`. `output` is the memory under them.
    pub(super) fn fill(&self, start: usize, output: &Values<'_>, mut buffer: ValuesMut<'_>) {
        let Some(values) = self.values else { return buffer.copy_from(output) };
        let count = buffer.len();
        match &self.pattern {
            Pattern::Whole => buffer.copy_from(&values.part(start..start + count)),
            Pattern::Period(1) => buffer.fill_from(&values, 0),
            Pattern::Period(period) => {
                let (mut at, mut done) = (start % period, 0);
                while done < count {
                    let length = (count - done).min(period - at);
                    buffer.part(done..done + length).copy_from(&values.part(at..at + length));
                    (done, at) = (done + length, 0);
                }
            }
            Pattern::Each(times) => {
                let (mut row, mut at, mut done) = (start / times, start % times, 0);
                while done < count {
                    let length = (count - done).min(times - at);
                    buffer.part(done..done + length).fill_from(&values, row);
                    (done, row, at) = (done + length, row + 1, 0);
                }
            }
            Pattern::Strided(axes) => fill_strided(&values, axes, start, &mut buffer),
        }
    }
}

/// Row by row of the innermost axis, the outer ones counted up.
fn fill_strided(values: &Values<'_>, axes: &[(usize, usize)], start: usize, buffer: &mut ValuesMut<'_>) {
    let Some((&(width, stride), outer)) = axes.split_last() else { return };
    let (mut at, mut done, count) = (start % width, 0, buffer.len());
    let mut index: SmallVec<[usize; 4]> = SmallVec::from_elem(0, outer.len());
    let (mut row, mut offset) = (start / width, 0);
    for (position, axis) in index.iter_mut().zip(outer).rev() {
        *position = row % axis.0;
        row /= axis.0;
        offset += *position * axis.1;
    }
    while done < count {
        let length = (count - done).min(width - at);
        let mut part = buffer.part(done..done + length);
        match stride {
            0 => part.fill_from(values, offset),
            _ => part.copy_from(&values.part(offset + at..offset + at + length)),
        }
        (done, at) = (done + length, 0);
        for (position, axis) in index.iter_mut().zip(outer).rev() {
            *position += 1;
            offset += axis.1;
            if *position < axis.0 {
                break;
            }
            offset -= axis.0 * axis.1;
            *position = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(input: &[usize], output: &[usize]) -> Pattern {
        Pattern::of(&Shape::new(input), &Shape::new(output))
    }

    #[test]
    fn patterns_of_shapes() {
        assert_eq!(pattern(&[2, 3], &[2, 3]), Pattern::Whole);
        assert_eq!(pattern(&[3], &[1, 3]), Pattern::Whole);
        assert_eq!(pattern(&[], &[2, 3]), Pattern::Period(1));
        assert_eq!(pattern(&[1, 3], &[2, 3]), Pattern::Period(3));
        assert_eq!(pattern(&[2, 1], &[2, 3]), Pattern::Each(3));
        let strided = |axes: &[(usize, usize)]| Pattern::Strided(axes.iter().copied().collect());
        assert_eq!(pattern(&[2, 1, 4], &[2, 3, 4]), strided(&[(2, 4), (3, 0), (4, 1)]));
        assert_eq!(pattern(&[1, 3, 1], &[2, 3, 4]), strided(&[(2, 0), (3, 1), (4, 0)]));
        assert_eq!(pattern(&[2, 1, 4, 5], &[2, 3, 4, 5]), strided(&[(2, 20), (3, 0), (20, 1)]));
    }

    #[test]
    fn fills_start_anywhere() {
        let output = Shape::new(&[2, 3, 4]);
        for shape in [&[2, 1, 4][..], &[1, 3, 1], &[4], &[2, 1, 1], &[], &[2, 3, 4]] {
            let elements: Vec<i32> = (0..shape.iter().product::<usize>() as i32).collect();
            let pattern = Pattern::of(&Shape::new(shape), &output);
            let operand = Operand { values: Some(Values::new(&elements)), pattern };
            let mut whole = [0; 24];
            operand.fill(0, &Values::NONE, ValuesMut::new(&mut whole));
            let extents: Vec<usize> =
                (0..3).map(|axis| (axis + shape.len()).checked_sub(3).map_or(1, |axis| shape[axis])).collect();
            for (at, &value) in whole.iter().enumerate() {
                let index = [at / 12, at / 4 % 3, at % 4];
                let expected = (0..3).fold(0, |sum, axis| sum * extents[axis] + index[axis].min(extents[axis] - 1));
                assert_eq!(value, expected as i32, "{shape:?} at {at}");
            }
            for start in 0..24 {
                let mut part = vec![0; 24 - start];
                operand.fill(start, &Values::NONE, ValuesMut::new(&mut part));
                assert_eq!(part, whole[start..], "{shape:?} from {start}");
            }
        }
    }
}
