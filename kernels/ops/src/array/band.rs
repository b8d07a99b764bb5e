//! A band of neighbouring diagonals, and where they stand in the tensor that holds them as rows.

use oplink::prelude::*;
use oplink::shape_fns::diagonal_sides;
use oplink::shape_inference::int_values;

use super::DiagonalAlign;
use crate::arguments;

/// The diagonals `lower..=upper` of matrices: 0 is the main one, 1 the one above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// The lowest diagonal.
    pub lower: i64,
    /// The highest diagonal.
    pub upper: i64,
}

/// Whether the shorter ones of the rows that hold diagonals stand at the right end of their row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Align {
    /// The main diagonal, and those above it.
    pub above_right: bool,
    /// Those below the main one.
    pub below_right: bool,
}

impl Align {
    /// Of the attr `align`: where diagonals above the main one stand, and those below. Both stand left for ops without
    /// it.
    pub fn of(align: Option<DiagonalAlign>) -> Self {
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
pub struct Diagonal {
    /// The row of its first element.
    pub row: usize,
    /// The column of its first element.
    pub column: usize,
    /// Its elements.
    pub length: usize,
    /// Where it starts in its row of diagonals.
    pub start: usize,
}

impl Band {
    /// The main diagonal alone.
    pub const MAIN: Self = Self { lower: 0, upper: 0 };

    /// The input `k`: a number, or a vector of one or two.
    ///
    /// # Errors
    /// It is something else, or the higher one comes first.
    pub fn read(k: &Tensor) -> Result<Self> {
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
    pub fn count(self) -> usize {
        (self.upper - self.lower + 1) as usize
    }

    /// The length of the longest diagonal in matrices of these extents.
    ///
    /// # Errors
    /// The matrices lack the lowest or the highest one.
    pub fn longest(self, rows: usize, columns: usize) -> Result<usize> {
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
    pub fn diagonals(
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
    pub fn shape(self, batch: &[usize], longest: usize) -> Shape {
        let count = (self.lower < self.upper).then(|| self.count());
        batch.iter().copied().chain(count).chain([longest]).collect()
    }
}

/// Matrices made of the diagonals of a band.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagonalMatrices {
    /// The axes before those of the matrices.
    pub batch: Shape,
    /// Elements of a row of diagonals.
    pub longest: usize,
    /// Rows and columns.
    pub sides: [usize; 2],
}

impl DiagonalMatrices {
    /// Of diagonals of this shape, with the rows and columns that the scalars hold: -1 for the least there can be.
    ///
    /// # Errors
    /// The shape is not that of the band's diagonals; the sides do not fit; the padding is no single value.
    pub fn new(diagonal: &Shape, band: Band, sides: [&Tensor; 2], padding: &Shape) -> Result<Self> {
        let sides = [arguments::scalar(sides[0], "num_rows")?, arguments::scalar(sides[1], "num_cols")?];
        check_padding(padding)?;
        let (batch, longest) = match diagonal.dims() {
            [batch @ .., longest] if band.lower == band.upper => (batch, *longest),
            [batch @ .., count, longest] if *count == band.count() => (batch, *longest),
            _ => bail!("diagonal of shape {diagonal} does not hold the {} diagonals of k", band.count()),
        };
        let sides = diagonal_sides(longest, (band.lower, band.upper), sides)?;
        Ok(Self { batch: Shape::new(batch), longest, sides })
    }

    /// The shape of the matrices.
    pub fn shape(&self) -> Shape {
        self.batch.iter().chain(&self.sides).copied().collect()
    }
}

/// Fails unless a padding of this shape is one value.
///
/// # Errors
/// It is not.
pub fn check_padding(padding: &Shape) -> Result<()> {
    ensure!(padding.num_elements() == 1, "padding_value must be a scalar, it has shape {padding}");
    Ok(())
}

/// Batch, rows and columns of matrices in the last two axes of this shape.
///
/// # Errors
/// The rank is below 2.
pub fn matrices(input: &Shape) -> Result<(&[usize], [usize; 2])> {
    let [batch @ .., rows, columns] = input.dims() else {
        bail!("input must be at least a matrix, it has shape {input}")
    };
    Ok((batch, [*rows, *columns]))
}

/// The longest diagonal of the matrices of `MatrixSetDiag` and its later versions, whose diagonals have this shape.
///
/// # Errors
/// The matrices have no such diagonals, or `diagonal` has not their shape.
pub fn replaced_diagonals(input: &Shape, diagonal: &Shape, band: Band) -> Result<usize> {
    let (batch, [rows, columns]) = matrices(input)?;
    let longest = band.longest(rows, columns)?;
    let wanted = band.shape(batch, longest);
    ensure!(
        *diagonal == wanted,
        "diagonal must have the shape {wanted} for an input of shape {input}, it has {diagonal}"
    );
    Ok(longest)
}

/// How many diagonals below and above the main one `MatrixBandPart` keeps: all where there is no number.
///
/// # Errors
/// `input` is of a rank below 2, or a scalar exceeds the rows or the columns.
pub fn kept_diagonals(input: &Shape, bounds: [&Tensor; 2]) -> Result<[Option<usize>; 2]> {
    let (_, [rows, columns]) = matrices(input)?;
    let bound = |value: &Tensor, name: &str, most: usize| {
        let value = arguments::scalar(value, name)?;
        ensure!(
            value <= most as i64,
            "{name} must be negative or at most {most} for matrices of shape {input}, it is {value}"
        );
        Ok(usize::try_from(value).ok())
    };
    Ok([bound(bounds[0], "num_lower", rows)?, bound(bounds[1], "num_upper", columns)?])
}
