//! The value behind a sparse matrix's variant.

use oplink::memory::{try_filled, try_vec};
use oplink::params::InputParam;
use oplink::prelude::*;
use oplink::resource::{Variant, VariantObject};

/// A sparse matrix, or a batch of them one behind the other.
#[derive(Clone, Debug)]
pub struct CsrMatrix {
    /// [rows, columns], or [batch, rows, columns].
    pub(super) shape: Shape,
    /// Of each matrix where the elements of each row begin, counted through all matrices, and the end of the last.
    pub(super) rows: Vec<usize>,
    /// The column of each element.
    pub(super) columns: Vec<i32>,
    /// The elements.
    pub(super) values: Tensor,
}

impl CsrMatrix {
    /// [batch, rows, columns], with a batch of 1 where there is none.
    pub(super) fn extents(&self) -> [usize; 3] {
        match *self.shape.dims() {
            [batch, rows, columns] => [batch, rows, columns],
            [rows, columns] => [1, rows, columns],
            _ => [0; 3],
        }
    }

    /// The elements of a row, counted through all matrices.
    pub(super) fn row(&self, row: usize) -> std::ops::Range<usize> {
        self.rows[row]..self.rows[row + 1]
    }

    /// A matrix of indices in row-major order, each once.
    ///
    /// # Errors
    /// An index is outside of the shape, or not behind the one before it.
    pub(super) fn of_indices(shape: Shape, indices: &Tensor, values: Tensor) -> Result<Self> {
        ensure!(matches!(shape.rank(), 2 | 3), "a sparse matrix must be of rank 2 or 3, its shape is {shape}");
        let (count, rank) = (values.num_elements(), shape.rank());
        let given = indices.shape();
        ensure!(given.dims() == [count, rank], "indices must have the shape [{count},{rank}], they have {given}");
        i32::try_from(shape[rank - 1]).map_err(|_| Error::invalid_argument(format!("shape {shape} is too large")))?;
        let batches = if rank == 3 { shape[0] } else { 1 };
        let Some(total) = batches.checked_mul(shape[rank - 2]) else { bail!("shape {shape} is too large") };
        let mut rows = try_filled(0usize, total.saturating_add(1))?;
        let mut columns = try_vec(count)?;
        let mut last = None;
        for index in indices.as_slice::<i64>()?.chunks_exact(rank.max(1)) {
            let mut row = 0;
            for (&at, &extent) in index.iter().zip(shape.iter()) {
                let inside = usize::try_from(at).is_ok_and(|at| at < extent);
                ensure!(inside, "index {index:?} is outside of a matrix of shape {shape}");
            }
            index[..rank - 1].iter().zip(shape.iter()).for_each(|(&at, &extent)| row = row * extent + at as usize);
            let here = Some((row, index[rank - 1]));
            ensure!(last < here, "indices must be in row-major order, each once; {index:?} is not");
            last = here;
            rows[row + 1] += 1;
            columns.push(index[rank - 1] as i32);
        }
        rows.iter_mut().fold(0, |end, row| {
            *row += end;
            *row
        });
        Ok(Self { shape, rows, columns, values })
    }

    /// The indices of all elements.
    pub(super) fn indices(&self) -> Result<Tensor> {
        let ([batch, rows, _], rank) = (self.extents(), self.shape.rank());
        let mut indices = try_vec(self.columns.len() * rank)?;
        for row in 0..batch * rows {
            for &column in &self.columns[self.row(row)] {
                if rank == 3 {
                    indices.push((row / rows) as i64);
                }
                indices.extend([(row % rows) as i64, i64::from(column)]);
            }
        }
        Tensor::from_vec([self.columns.len(), rank], indices)
    }

    /// As a scalar tensor.
    pub(super) fn into_tensor(self) -> Tensor {
        Tensor::scalar(Variant::new(self))
    }

    /// An error unless the elements are of `dtype`.
    pub(super) fn check(&self, dtype: DType) -> Result<()> {
        let own = self.values.dtype();
        ensure!(own == dtype, "the matrix has elements of {own}, the op works on {dtype}");
        Ok(())
    }
}

impl VariantObject for CsrMatrix {
    fn type_name(&self) -> &'static str {
        "tensorflow::CSRSparseMatrix"
    }

    fn zeros_like(&self) -> Result<Variant> {
        let values = Tensor::zeros(self.values.dtype(), [0])?;
        let rows = try_filled(0, self.rows.len())?;
        Ok(Variant::new(Self { shape: self.shape.clone(), rows, columns: Vec::new(), values }))
    }
}

impl<'a> InputParam<'a> for &'a CsrMatrix {
    type Element = Variant;

    fn bind(input: &'a Tensor) -> Result<Self> {
        ensure!(input.rank() == 0, "it must be a scalar that holds a sparse matrix, it has shape {}", input.shape());
        let variant = &input.as_slice::<Variant>()?[0];
        let what = if variant.type_name().is_empty() { "an empty variant" } else { variant.type_name() };
        variant.get().ok_or_else(|| Error::invalid_argument(format!("it holds {what}, not a sparse matrix")))
    }
}
