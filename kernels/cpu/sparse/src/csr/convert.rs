//! Sparse matrices made of tensors, tensors made of them, and their parts.

use oplink::prelude::*;
use oplink_cpu_support::movement::{Cell, CellJob, with_cells};
use oplink_ops::sparse::{CSRSparseMatrixComponents, CSRSparseMatrixToDense, CSRSparseMatrixToSparseTensor};
use oplink_ops::sparse::{DenseToCSRSparseMatrix, SparseMatrixNNZ, SparseTensorToCSRSparseMatrix};

use super::matrix::CsrMatrix;

/// `SparseTensorToCSRSparseMatrix` of floats and complex numbers.
#[kernel(SparseTensorToCSRSparseMatrix, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>])]
pub fn sparse_tensor_to_csr_sparse_matrix_cpu(
    indices: &Tensor,
    values: &Tensor,
    dense_shape: &Tensor,
    mut sparse_matrix: OutputSlot<'_>,
) -> Result<()> {
    ensure!(values.rank() == 1, "values must be a vector, their shape is {}", values.shape());
    let shape = oplink_ops::arguments::shape(dense_shape, "dense_shape")?;
    sparse_matrix.set(CsrMatrix::of_indices(shape, indices, values.clone())?.into_tensor());
    Ok(())
}

/// `DenseToCSRSparseMatrix` of floats and complex numbers.
#[kernel(DenseToCSRSparseMatrix, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>])]
pub fn dense_to_csr_sparse_matrix_cpu(
    dense_input: &Tensor,
    indices: &Tensor,
    mut sparse_output: OutputSlot<'_>,
) -> Result<()> {
    let shape = dense_input.shape().clone();
    let given = indices.shape();
    ensure!(given.rank() == 2, "indices must be a matrix, their shape is {given}");
    // The values are those that the checked indices name.
    let unset = Tensor::zeros(dense_input.dtype(), [given[0]])?;
    let mut matrix = CsrMatrix::of_indices(shape, indices, unset)?;
    let [_, _, width] = matrix.extents();
    let mut places = Vec::new();
    for row in 0..matrix.rows.len() - 1 {
        places.extend(matrix.columns[matrix.row(row)].iter().map(|&column| row * width + column as usize));
    }
    with_cells(dense_input.dtype(), Take { from: dense_input, places: &places, to: &mut matrix.values })?;
    sparse_output.set(matrix.into_tensor());
    Ok(())
}

struct Take<'a> {
    from: &'a Tensor,
    places: &'a [usize],
    to: &'a mut Tensor,
}

impl CellJob for Take<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let (from, to) = (C::of(self.from)?, C::of_mut(self.to)?);
        to.iter_mut().zip(self.places).for_each(|(to, &place)| *to = from[place].clone());
        Ok(())
    }
}

/// `CSRSparseMatrixToSparseTensor`.
#[kernel(CSRSparseMatrixToSparseTensor, device = CPU, type = [f32, f64, Complex<f32>, Complex<f64>])]
pub fn csr_sparse_matrix_to_sparse_tensor_cpu(
    sparse_matrix: &CsrMatrix,
    mut indices: OutputSlot<'_>,
    mut values: OutputSlot<'_>,
    mut dense_shape: OutputSlot<'_>,
) -> Result<()> {
    sparse_matrix.check(values.dtype())?;
    indices.set(sparse_matrix.indices()?);
    values.set(sparse_matrix.values.clone());
    dense_shape.set(sparse_matrix.shape.iter().map(|&extent| extent as i64).collect::<Vec<_>>().into());
    Ok(())
}

/// `CSRSparseMatrixToDense`.
#[kernel(CSRSparseMatrixToDense, device = CPU, type = [f32, f64, Complex<f32>, Complex<f64>])]
pub fn csr_sparse_matrix_to_dense_cpu(sparse_input: &CsrMatrix, mut dense_output: OutputSlot<'_>) -> Result<()> {
    let dtype = dense_output.dtype();
    sparse_input.check(dtype)?;
    let out = dense_output.allocate(sparse_input.shape.clone())?;
    with_cells(dtype, Spread { matrix: sparse_input, out })
}

struct Spread<'a> {
    matrix: &'a CsrMatrix,
    out: &'a mut Tensor,
}

impl CellJob for Spread<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let (matrix, out) = (self.matrix, C::of_mut(self.out)?);
        let ([_, _, width], values) = (matrix.extents(), C::of(&matrix.values)?);
        out.fill(C::default());
        for row in 0..matrix.rows.len() - 1 {
            for at in matrix.row(row) {
                out[row * width + matrix.columns[at] as usize] = values[at].clone();
            }
        }
        Ok(())
    }
}

/// `CSRSparseMatrixComponents`.
#[kernel(CSRSparseMatrixComponents, device = CPU, type = [f32, f64, Complex<f32>, Complex<f64>])]
pub fn csr_sparse_matrix_components_cpu(
    csr_sparse_matrix: &CsrMatrix,
    index: i32,
    mut row_ptrs: OutputSlot<'_>,
    mut col_inds: OutputSlot<'_>,
    mut values: OutputSlot<'_>,
) -> Result<()> {
    let matrix = csr_sparse_matrix;
    matrix.check(values.dtype())?;
    let [batch, rows, _] = matrix.extents();
    let Some(index) = usize::try_from(index).ok().filter(|&index| index < batch) else {
        bail!("index {index} is outside of a batch of {batch} matrices")
    };
    let starts = &matrix.rows[index * rows..=(index + 1) * rows];
    let (first, end) = (starts[0], starts[rows]);
    row_ptrs.set(starts.iter().map(|start| (start - first) as i32).collect::<Vec<_>>().into());
    col_inds.set(Tensor::from_slice(&matrix.columns[first..end]));
    values.set(matrix.values.slice(first, end)?);
    Ok(())
}

/// `SparseMatrixNNZ` of every dtype.
#[kernel(SparseMatrixNNZ, device = CPU)]
pub fn sparse_matrix_nnz_cpu(sparse_matrix: &CsrMatrix) -> Tensor {
    let [_, rows, _] = sparse_matrix.extents();
    let starts = &sparse_matrix.rows;
    if sparse_matrix.shape.rank() == 2 {
        return Tensor::scalar(starts[rows] as i32);
    }
    let counts = (0..sparse_matrix.shape[0]).map(|at| (starts[(at + 1) * rows] - starts[at * rows]) as i32);
    counts.collect::<Vec<_>>().into()
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;
    use oplink_cpu_support::testing::{check_error, run, run_one};

    #[test]
    fn tensors_go_in_and_come_out() {
        let indices = Tensor::from_vec([3, 2], vec![0i64, 1, 2, 0, 2, 2]).unwrap();
        let inputs = vec![indices.clone(), [1f32, 2.0, 3.0].into(), [3i64, 3].into()];
        let matrix = run_one("SparseTensorToCSRSparseMatrix", inputs).unwrap();
        let attrs: [(&str, AttrValue); 1] = [("type", DType::Float.into())];
        let dense = run("CSRSparseMatrixToDense", &attrs, vec![matrix.clone()]).unwrap().remove(0);
        assert_eq!(dense.as_slice::<f32>().unwrap(), [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 3.0]);
        let again = run_one("DenseToCSRSparseMatrix", vec![dense, indices.clone()]).unwrap();
        let parts = run("CSRSparseMatrixComponents", &attrs, vec![again, 0i32.into()]).unwrap();
        assert_eq!(parts[0].as_slice::<i32>().unwrap(), [0, 1, 1, 3]);
        assert_eq!(parts[1].as_slice::<i32>().unwrap(), [1, 0, 2]);
        let back = run("CSRSparseMatrixToSparseTensor", &attrs, vec![matrix]).unwrap();
        assert_eq!(back[0].as_slice::<i64>().unwrap(), indices.as_slice::<i64>().unwrap());
        let outside = Tensor::from_vec([1, 2], vec![3i64, 0]).unwrap();
        check_error("SparseTensorToCSRSparseMatrix", [outside, [1f32].into(), [3i64, 3].into()], "outside of a matrix");
    }
}
