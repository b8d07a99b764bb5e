//! Batches of matrix products, as devices with a library for them take them.

use crate::{DType, Error, Result, Tensor};

/// A batch of products of row-major matrices: `out[i] = op(a[i]) · op(b[i])` for `i < batches`, where `op` transposes
/// or does nothing. `op(a[i])` is `rows × depth`, `op(b[i])` is `depth × columns`, `out[i]` is `rows × columns`. Sums
/// are taken in single precision at least; for f32 products are not rounded to fewer bits than f32 has. What `out` held
/// does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatMulSpec {
    /// The dtype of all three tensors.
    pub dtype: DType,
    /// Products.
    pub batches: usize,
    /// Rows of each product.
    pub rows: usize,
    /// Columns of each product.
    pub columns: usize,
    /// Terms of each sum; with 0 of them the products are zeros.
    pub depth: usize,
    /// Where the left matrices lie.
    pub a: MatrixLayout,
    /// Where the right matrices lie.
    pub b: MatrixLayout,
    /// Where the products lie; they are not transposed and share no elements.
    pub out: MatrixLayout,
}

/// Where the matrices of a batch lie in a tensor, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatrixLayout {
    /// Whether the transpose of what is stored takes part in the product.
    pub transposed: bool,
    /// From the tensor's first element to that of the first matrix.
    pub offset: usize,
    /// From a stored row to the next: at least the stored columns. Elements of a row are neighbours.
    pub row_stride: usize,
    /// From a matrix to the next; 0 where one matrix serves all products.
    pub batch_stride: usize,
}

impl MatMulSpec {
    /// Products of matrices without gaps between rows or matrices: `[batches, rows, depth]` by
    /// `[batches, depth, columns]`; a transposed operand is stored with its last two dimensions swapped.
    pub fn dense(
        dtype: DType,
        batches: usize,
        [rows, columns, depth]: [usize; 3],
        [transpose_a, transpose_b]: [bool; 2],
    ) -> Self {
        let layout = |transposed: bool, rows: usize, columns: usize| MatrixLayout {
            transposed,
            offset: 0,
            row_stride: if transposed { rows } else { columns },
            batch_stride: rows * columns,
        };
        let (a, b) = (layout(transpose_a, rows, depth), layout(transpose_b, depth, columns));
        Self { dtype, batches, rows, columns, depth, a, b, out: layout(false, rows, columns) }
    }

    /// Checks that the tensors have the dtype and every element that the layouts name.
    ///
    /// # Errors
    /// One has not, a row is longer than the row stride, or the products share elements.
    pub fn check(&self, a: &Tensor, b: &Tensor, out: &Tensor) -> Result<()> {
        let Self { rows, columns, depth, .. } = *self;
        self.check_one("a", self.a, [rows, depth], a)?;
        self.check_one("b", self.b, [depth, columns], b)?;
        self.check_one("out", self.out, [rows, columns], out)?;
        let overlaps = self.batches > 1 && rows * columns > 0 && !self.products_are_apart();
        if overlaps || self.out.transposed {
            return Err(self.wrong("out", "the products are transposed or share elements"));
        }
        Ok(())
    }

    /// Whether products, which are several and not empty, share no elements: one lies behind the other, or each row of
    /// one is followed by the same row of the others before the next begins.
    fn products_are_apart(&self) -> bool {
        let Self { rows, columns, batches, out: MatrixLayout { row_stride, batch_stride, .. }, .. } = *self;
        let rows_of_all = (batches - 1).saturating_mul(batch_stride).saturating_add(columns);
        batch_stride >= span(self.out, [rows, columns]) || batch_stride >= columns && row_stride >= rows_of_all
    }

    fn check_one(&self, name: &str, layout: MatrixLayout, shape: [usize; 2], tensor: &Tensor) -> Result<()> {
        if tensor.dtype() != self.dtype {
            return Err(self.wrong(name, &format!("the tensor is {}", tensor.dtype())));
        }
        if self.batches == 0 || shape.contains(&0) {
            return Ok(());
        }
        let stored_columns = if layout.transposed { shape[0] } else { shape[1] };
        if layout.row_stride < stored_columns {
            return Err(self.wrong(name, &format!("rows of {stored_columns} elements overlap")));
        }
        let end = (self.batches - 1)
            .checked_mul(layout.batch_stride)
            .and_then(|last| last.checked_add(layout.offset))
            .and_then(|last| last.checked_add(span(layout, shape)));
        if end.is_none_or(|end| end > tensor.num_elements()) {
            return Err(self.wrong(name, &format!("the tensor has {} elements", tensor.num_elements())));
        }
        Ok(())
    }

    fn wrong(&self, name: &str, problem: &str) -> Error {
        Error::invalid_argument(format!("`{name}` does not fit the matrix product {self:?}: {problem}"))
    }
}

/// Elements from the first to the last of one matrix that is not empty.
fn span(layout: MatrixLayout, [rows, columns]: [usize; 2]) -> usize {
    let (rows, columns) = if layout.transposed { (columns, rows) } else { (rows, columns) };
    (rows - 1).saturating_mul(layout.row_stride).saturating_add(columns)
}
