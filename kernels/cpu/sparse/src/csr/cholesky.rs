//! `SparseMatrixSparseCholesky`: the lower triangular factor of a symmetric positive definite matrix.
//!
//! Rows of the factor are computed one after the other. Which elements a row has follows from the elimination tree,
//! whose edges go from each column to the row of its first element below the diagonal (Davis, "Direct methods for
//! sparse linear systems", 2006).

use std::ops::Range;

use oplink::memory::{try_filled, try_reserve, try_vec};
use oplink::prelude::*;
use oplink_ops::sparse::SparseMatrixSparseCholesky;

use super::matrix::CsrMatrix;
use crate::mat_mul::Conjugate;

/// A number whose positive ones have square roots.
pub trait Factored: Number + Conjugate {
    /// The real part's square root; none where it is not above 0.
    fn root(self) -> Option<Self>;
}

macro_rules! factored {
    ($($real:ty),*) => {$(
        impl Factored for $real {
            fn root(self) -> Option<Self> {
                // What is no number passes, as in TensorFlow.
                (!(self <= 0.0)).then(|| self.sqrt())
            }
        }

        impl Factored for Complex<$real> {
            fn root(self) -> Option<Self> {
                Some(Complex::new(self.re.root()?, 0.0))
            }
        }
    )*};
}

factored!(f32, f64);

/// `SparseMatrixSparseCholesky` of floats and complex numbers.
#[kernel(SparseMatrixSparseCholesky, device = CPU, type = [f32, f64, Complex<f32>, Complex<f64>])]
pub fn sparse_matrix_sparse_cholesky_cpu<Type: Factored>(
    input: &CsrMatrix,
    permutation: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    input.check(Type::DTYPE)?;
    let ([batch, height, width], given) = (input.extents(), permutation.shape());
    ensure!(height == width, "a matrix must be square, this one is [{height},{width}]");
    let expected = &input.shape.dims()[..input.shape.rank() - 1];
    ensure!(given.dims() == expected, "permutation must have the shape {expected:?}, it has {given}");
    let permutation = permutation.as_slice::<i32>()?;
    let mut factor = Factor { rows: try_vec(batch * height + 1)?, columns: Vec::new(), values: Vec::new() };
    factor.rows.push(0);
    for number in 0..batch {
        let order = &permutation[number * height..][..height];
        let lower = Lower::<Type>::new(input, number, order, env)?;
        factor.append(&lower, env).map_err(|error| error.context(format!("matrix {number}")))?;
    }
    let Factor { rows, columns, values } = factor;
    let values = Tensor::from_vec([values.len()], values)?;
    output.set(CsrMatrix { shape: input.shape.clone(), rows, columns, values }.into_tensor());
    Ok(())
}

/// The lower triangle of a matrix whose rows and columns were put in order.
struct Lower<T> {
    rows: Vec<usize>,
    elements: Vec<(usize, T)>,
}

impl<T: Factored> Lower<T> {
    /// That of a matrix of a batch.
    ///
    /// # Errors
    /// `order` does not have each row once.
    fn new(matrix: &CsrMatrix, number: usize, order: &[i32], env: Env<'_>) -> Result<Self> {
        let count = order.len();
        let mut places = try_filled(None, count)?;
        for (place, &row) in env.watch(order).enumerate() {
            let free = usize::try_from(row).ok().and_then(|row| places.get_mut(row)).filter(|place| place.is_none());
            let Some(free) = free else { bail!("permutation must have each of the rows 0 to {count} once: {row}") };
            *free = Some(place);
        }
        let places = &places;
        let (values, mut rows) = (matrix.values.as_slice::<T>()?, try_filled(0usize, count + 1)?);
        // All elements of the lower triangle, with the row and the column that they come to.
        let moved = |row: usize| {
            let own = places[row].unwrap_or(row);
            let elements = matrix.row(number * count + row);
            let below = elements.take_while(move |&at| matrix.columns[at] as usize <= row);
            below.map(move |at| {
                let other = places[matrix.columns[at] as usize].unwrap_or(0);
                if own >= other { (own, other, values[at]) } else { (other, own, Conjugate::conj(values[at])) }
            })
        };
        for (row, _, _) in env.watch(0..count).flat_map(moved) {
            rows[row + 1] += 1;
        }
        rows.iter_mut().fold(0, |end, row| {
            *row += end;
            *row
        });
        let mut elements = try_filled((0, T::zero()), rows[count])?;
        // bounded: one for each row
        let mut next = rows.clone();
        for (row, column, value) in env.watch(0..count).flat_map(moved) {
            elements[next[row]] = (column, value);
            next[row] += 1;
        }
        Ok(Self { rows, elements })
    }

    fn row(&self, row: usize) -> &[(usize, T)] {
        &self.elements[self.rows[row]..self.rows[row + 1]]
    }
}

/// The columns of the elements that rows of a factor have left of the diagonal.
struct Pattern {
    /// The parent of each column in the elimination tree, which is the row itself where there is none yet.
    parents: Vec<usize>,
    /// The last row that each column was seen in.
    seen: Vec<usize>,
    found: Vec<usize>,
}

impl Pattern {
    fn new(count: usize) -> Result<Self> {
        Ok(Self { parents: try_vec(count)?, seen: try_vec(count)?, found: try_vec(count)? })
    }

    /// Goes on to the next row: its columns in order.
    fn next<T: Factored>(&mut self, lower: &Lower<T>) -> &[usize] {
        let row = self.parents.len();
        self.parents.push(row);
        self.seen.push(row);
        self.found.clear();
        for &(column, _) in lower.row(row) {
            let mut at = column;
            while self.seen[at] != row {
                self.seen[at] = row;
                self.found.push(at);
                if self.parents[at] == at {
                    self.parents[at] = row;
                }
                at = self.parents[at];
            }
        }
        self.found.sort_unstable();
        &self.found
    }
}

/// Factors one behind the other, by rows.
struct Factor<T> {
    rows: Vec<usize>,
    columns: Vec<i32>,
    values: Vec<T>,
}

impl<T: Factored> Factor<T> {
    /// Appends the factor of a matrix.
    ///
    /// # Errors
    /// It is not positive definite.
    fn append(&mut self, lower: &Lower<T>, env: Env<'_>) -> Result<()> {
        let count = lower.rows.len() - 1;
        let starts = column_starts(lower, env)?;
        // The factor by columns, the diagonal first, as far as it is known.
        let mut columns = try_filled((0usize, T::zero()), starts[count])?;
        let mut ends = try_vec(count)?;
        let (mut pattern, mut sums) = (Pattern::new(count)?, try_filled(T::zero(), count)?);
        for row in env.watch(0..count) {
            let mut diagonal = T::zero();
            for &(column, value) in lower.row(row) {
                let sum = if column == row { &mut diagonal } else { &mut sums[column] };
                *sum = *sum + value;
            }
            let found = pattern.next(lower);
            try_reserve(&mut self.columns, found.len() + 1)?;
            try_reserve(&mut self.values, found.len() + 1)?;
            for &column in found {
                env.poll();
                let known: Range<usize> = starts[column]..ends[column];
                let value = std::mem::replace(&mut sums[column], T::zero()) / columns[known.start].1;
                for &(below, other) in &columns[known.start + 1..known.end] {
                    sums[below] = sums[below] - value * Conjugate::conj(other);
                }
                diagonal = diagonal - value * Conjugate::conj(value);
                columns[known.end] = (row, value);
                ends[column] += 1;
                self.columns.push(column as i32);
                self.values.push(value);
            }
            let Some(root) = diagonal.root() else {
                bail!("it is not positive definite: row {row} of the factor has no diagonal")
            };
            columns[starts[row]] = (row, root);
            ends.push(starts[row] + 1);
            self.columns.push(row as i32);
            self.values.push(root);
            self.rows.push(self.columns.len());
        }
        Ok(())
    }
}

/// Where the columns of a factor start, and the end.
fn column_starts<T: Factored>(lower: &Lower<T>, env: Env<'_>) -> Result<Vec<usize>> {
    let count = lower.rows.len() - 1;
    let (mut pattern, mut starts) = (Pattern::new(count)?, try_filled(1usize, count + 1)?);
    starts[0] = 0;
    for _ in env.watch(0..count) {
        for &column in pattern.next(lower) {
            starts[column + 1] += 1;
        }
    }
    starts.iter_mut().fold(0, |end, start| {
        *start += end;
        *start
    });
    Ok(starts)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;
    use oplink_cpu_support::testing::run;

    /// The dense factor of a dense matrix of 3 rows, whose elements other than 0 are there.
    fn factor(matrix: [f64; 9], order: [i32; 3]) -> Result<Vec<f64>> {
        let dense = Tensor::from_vec([3, 3], matrix.to_vec())?;
        let there: Vec<i64> =
            (0..9).filter(|&at| matrix[at] != 0.0).flat_map(|at| [at as i64 / 3, at as i64 % 3]).collect();
        let indices = Tensor::from_vec([there.len() / 2, 2], there)?;
        let sparse = run("DenseToCSRSparseMatrix", &[], vec![dense, indices])?.remove(0);
        let attrs = [("type", DType::Double.into())];
        let factor = run("SparseMatrixSparseCholesky", &attrs, vec![sparse, order.into()])?;
        Ok(run("CSRSparseMatrixToDense", &attrs, factor)?[0].as_slice::<f64>()?.to_vec())
    }

    #[test]
    fn factors_times_their_transposes_are_the_matrices() {
        let matrix = [4.0, 2.0, 0.0, 2.0, 10.0, 3.0, 0.0, 3.0, 5.0];
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            let factor = factor(matrix, order).unwrap();
            for (row, column) in (0..9).map(|at| (at / 3, at % 3)) {
                let product: f64 = (0..3).map(|k| factor[row * 3 + k] * factor[column * 3 + k]).sum();
                let expected = matrix[order[row] as usize * 3 + order[column] as usize];
                assert!((product - expected).abs() < 1e-12, "{order:?} {factor:?}");
            }
        }
    }

    #[test]
    fn what_has_no_factor_is_refused() {
        assert!(factor([1.0, 2.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 1.0], [0, 1, 2]).is_err());
        assert!(factor([0.0; 9], [0, 1, 2]).is_err());
        for order in [[0, 1, 1], [0, 1, 3], [-1, 0, 1]] {
            assert!(factor([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], order).is_err(), "{order:?}");
        }
    }
}
