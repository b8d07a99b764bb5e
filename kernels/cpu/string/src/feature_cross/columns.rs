//! The columns of features that are crossed.

use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink::shape_inference::int_values;

/// The features of one column: strings or int64.
#[derive(Clone, Copy)]
pub(super) enum Features<'a> {
    Strings(&'a [TString]),
    Ints(&'a [i64]),
}

/// One column: features, and which of them are in each row.
pub(super) struct Column<'a> {
    pub(super) features: Features<'a>,
    pub(super) is_dense: bool,
    /// Where each row starts and ends.
    rows: Vec<(usize, usize)>,
}

impl<'a> Column<'a> {
    fn new(values: &'a Tensor, is_dense: bool, rows: Vec<(usize, usize)>) -> Result<Self> {
        let features = match values.dtype() {
            DType::String => Features::Strings(values.as_slice()?),
            _ => Features::Ints(values.as_slice()?),
        };
        Ok(Self { features, is_dense, rows })
    }

    /// The rows of a matrix.
    pub(super) fn dense(values: &'a Tensor) -> Result<Self> {
        let &[count, width] = values.shape().dims() else {
            bail!("dense_inputs must be matrices, one has the shape {}", values.shape())
        };
        let mut rows = try_vec(count)?;
        rows.extend((0..count).map(|row| (row * width, (row + 1) * width)));
        Self::new(values, true, rows)
    }

    /// Rows of a ragged matrix.
    pub(super) fn ragged(values: &'a Tensor, splits: &Tensor) -> Result<Self> {
        let fits = values.rank() == 1 && splits.rank() == 1;
        ensure!(fits, "ragged values and splits must be vectors, they are {} and {}", values.shape(), splits.shape());
        let splits = int_values(splits)?;
        let fits = splits.first() == Some(&0)
            && splits.is_sorted()
            && splits.last().is_some_and(|&end| end == values.num_elements() as i64);
        ensure!(fits, "ragged_row_splits must rise from 0 to {}, the number of values", values.num_elements());
        let rows = splits.windows(2).map(|pair| (pair[0] as usize, pair[1] as usize)).collect();
        Self::new(values, false, rows)
    }

    /// Rows of a sparse matrix. `belongs` says whether a value is in a row; values are taken in their order, the first
    /// that is in no further row ends them.
    pub(super) fn sparse(
        indices: &Tensor,
        values: &'a Tensor,
        shape: &Tensor,
        belongs: impl Fn(i64, i64) -> bool,
    ) -> Result<Self> {
        let (count, own) = (values.num_elements(), indices.shape());
        ensure!(values.rank() == 1, "sparse values must be a vector, its shape is {}", values.shape());
        ensure!(own.dims() == [count, 2], "sparse indices must have the shape [{count},2], it has {own}");
        let shape = oplink_ops::arguments::vector(shape, "the shape of a sparse matrix")?;
        ensure!(shape.len() == 2, "the shape of a sparse matrix must have 2 elements, it is {shape:?}");
        let Ok(extent) = usize::try_from(shape[0]) else { bail!("the shape of a sparse matrix is {shape:?}") };
        let indices = indices.as_slice::<i64>()?;
        let mut rows = try_vec(extent)?;
        let mut end = 0;
        for row in 0..extent {
            let start = end;
            while end < count && belongs(indices[2 * end], row as i64) {
                end += 1;
            }
            rows.push((start, end));
        }
        Self::new(values, false, rows)
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether the features are integers.
    pub(super) fn is_ints(&self) -> bool {
        matches!(self.features, Features::Ints(_))
    }
}

/// The positions of the features of every cross.
pub(super) struct Crosses<'a> {
    columns: &'a [Column<'a>],
    /// The number of crosses of each row.
    pub(super) counts: Vec<usize>,
    pub(super) total: usize,
}

impl<'a> Crosses<'a> {
    /// An error where columns have different numbers of rows, or there are too many crosses.
    pub(super) fn new(columns: &'a [Column<'a>]) -> Result<Self> {
        let rows = columns.first().map_or(0, Column::len);
        for (at, column) in columns.iter().enumerate() {
            ensure!(column.len() == rows, "column {at} has {} rows, the first one {rows}", column.len());
        }
        let mut counts = try_vec(rows)?;
        let mut total: usize = 0;
        for row in 0..rows {
            let mut lengths = columns.iter().map(|column| column.rows[row].1 - column.rows[row].0);
            let any_empty = lengths.clone().any(|length| length == 0);
            let count = if any_empty { Some(0) } else { lengths.try_fold(1, usize::checked_mul) };
            let sum = count.and_then(|count| total.checked_add(count)).filter(|&sum| sum <= isize::MAX as usize / 16);
            let (Some(count), Some(sum)) = (count, sum) else { bail!("row {row} has too many crosses") };
            counts.push(count);
            total = sum;
        }
        Ok(Self { columns, counts, total })
    }

    /// Calls `each` with the positions of the features of each cross, row by row.
    pub(super) fn for_each(&self, env: Env<'_>, mut each: impl FnMut(&[usize])) {
        let mut at: Vec<usize> = self.columns.iter().map(|_| 0).collect();
        for (row, &count) in env.watch(self.counts.iter().enumerate()) {
            at.iter_mut().zip(self.columns).for_each(|(at, column)| *at = column.rows[row].0);
            for _ in env.watch(0..count) {
                each(&at);
                for (at, column) in at.iter_mut().zip(self.columns).rev() {
                    *at += 1;
                    if *at < column.rows[row].1 {
                        break;
                    }
                    *at = column.rows[row].0;
                }
            }
        }
    }
}
