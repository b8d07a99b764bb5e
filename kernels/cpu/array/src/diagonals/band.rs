//! A band of neighbouring diagonals, and where they stand in the tensor that holds them as rows.

use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_ops::array::DiagonalAlign;

/// The diagonals `lower..=upper` of matrices: 0 is the main one, 1 the one above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Band {
    pub(super) lower: i64,
    pub(super) upper: i64,
}

/// Whether the shorter ones of the rows that hold diagonals stand at the right end of their row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Align {
    above_right: bool,
    below_right: bool,
}

impl Align {
    /// Of the attr `align`: where diagonals above the main one stand, and those below. Both stand left for ops without
    /// it.
    pub(super) fn of(align: Option<DiagonalAlign>) -> Self {
        let (above_right, below_right) = match align {
            None | Some(DiagonalAlign::LeftLeft) => (false, false),
            Some(DiagonalAlign::LeftRight) => (false, true),
            Some(DiagonalAlign::RightLeft) => (true, false),
            Some(DiagonalAlign::RightRight) => (true, true),
        };
        Self { above_right, below_right }
    }
}

/// One diagonal: where it starts in a matrix and in its row of the tensor that holds diagonals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Diagonal {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) length: usize,
    pub(super) start: usize,
}

impl Band {
    /// The main diagonal alone.
    pub(super) const MAIN: Self = Self { lower: 0, upper: 0 };

    /// The input `k`: a number, or a vector of one or two.
    pub(super) fn read(k: &Tensor) -> Result<Self> {
        ensure!(k.rank() <= 1, "k must be a scalar or a vector, it has shape {}", k.shape());
        let (lower, upper) = match int_values(k)?[..] {
            [only] => (only, only),
            [lower, upper] => (lower, upper),
            _ => bail!("k must have one or two elements, it has shape {}", k.shape()),
        };
        ensure!(lower <= upper, "k = [{lower}, {upper}] must have the lower diagonal first");
        Ok(Self { lower, upper })
    }

    /// The number of diagonals.
    pub(super) fn count(self) -> usize {
        (self.upper - self.lower + 1) as usize
    }

    /// The length of the longest diagonal in matrices of these extents; an error where they lack the lowest or highest.
    pub(super) fn longest(self, rows: usize, columns: usize) -> Result<usize> {
        for diagonal in [self.lower, self.upper] {
            ensure!(
                diagonal == 0 || (-(rows as i64) < diagonal && diagonal < columns as i64),
                "matrices of {rows} rows and {columns} columns have no diagonal {diagonal}"
            );
        }
        let length = (rows as i64 + self.upper.min(0)).min(columns as i64 - self.lower.max(0));
        Ok(length.max(0) as usize)
    }

    /// The diagonals from the highest to the lowest, in rows of `longest` elements.
    pub(super) fn diagonals(
        self,
        rows: usize,
        columns: usize,
        longest: usize,
        align: Align,
    ) -> impl Iterator<Item = Diagonal> + Clone {
        (self.lower..=self.upper).rev().map(move |diagonal| {
            let (row, column) = ((-diagonal).max(0) as usize, diagonal.max(0) as usize);
            let length = rows.saturating_sub(row).min(columns.saturating_sub(column));
            let right = if diagonal >= 0 { align.above_right } else { align.below_right };
            Diagonal { row, column, length, start: if right { longest - length } else { 0 } }
        })
    }

    /// The shape of the tensor that holds the diagonals of matrices in a batch: a single one has no axis of its own.
    pub(super) fn shape(self, batch: &[usize], longest: usize) -> Shape {
        let count = (self.lower < self.upper).then(|| self.count());
        batch.iter().copied().chain(count).chain([longest]).collect()
    }
}
