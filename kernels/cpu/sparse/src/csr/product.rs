//! Products of sparse matrices, and their transposes.

use oplink::memory::{try_filled, try_vec};
use oplink::prelude::*;
use oplink_ops::sparse::{SparseMatrixMatMul, SparseMatrixSparseMatMul, SparseMatrixTranspose};

use super::matrix::CsrMatrix;
use crate::mat_mul::Conjugate;

/// A matrix turned over, of the conjugates where that is asked for.
fn transposed<T: Number + Conjugate>(matrix: &CsrMatrix, conjugate: bool) -> Result<CsrMatrix> {
    let [batch, height, width] = matrix.extents();
    let values = matrix.values.as_slice::<T>()?;
    let mut rows = try_filled(0usize, batch.saturating_mul(width).saturating_add(1))?;
    for row in 0..batch * height {
        for &column in &matrix.columns[matrix.row(row)] {
            rows[row / height * width + column as usize + 1] += 1;
        }
    }
    rows.iter_mut().fold(0, |end, row| {
        *row += end;
        *row
    });
    // bounded: one for each row
    let mut next = rows.clone();
    let mut columns = try_filled(0i32, values.len())?;
    let mut turned = try_filled(T::zero(), values.len())?;
    for row in 0..batch * height {
        for at in matrix.row(row) {
            let place = &mut next[row / height * width + matrix.columns[at] as usize];
            columns[*place] = (row % height) as i32;
            turned[*place] = if conjugate { Conjugate::conj(values[at]) } else { values[at] };
            *place += 1;
        }
    }
    let mut shape = matrix.shape.clone();
    let rank = shape.rank();
    shape.dims_mut().swap(rank - 2, rank - 1);
    Ok(CsrMatrix { shape, rows, columns, values: Tensor::from_vec([turned.len()], turned)? })
}

/// A matrix transposed, or transposed and conjugated, as attrs ask for.
fn turned<T: Number + Conjugate>(matrix: &CsrMatrix, transpose: bool, adjoint: bool, name: &str) -> Result<CsrMatrix> {
    ensure!(!(transpose && adjoint), "only one of transpose_{name} and adjoint_{name} can be set");
    if transpose || adjoint { transposed::<T>(matrix, adjoint) } else { Ok(matrix.clone()) }
}

/// `SparseMatrixTranspose` of floats and complex numbers.
#[kernel(SparseMatrixTranspose, device = CPU, type = [f32, f64, Complex<f32>, Complex<f64>])]
pub fn sparse_matrix_transpose_cpu<Type: Number + Conjugate>(
    input: &CsrMatrix,
    conjugate: bool,
    mut output: OutputSlot<'_>,
) -> Result<()> {
    input.check(Type::DTYPE)?;
    output.set(transposed::<Type>(input, conjugate)?.into_tensor());
    Ok(())
}

/// `SparseMatrixMatMul` of floats and complex numbers.
#[kernel(SparseMatrixMatMul, device = CPU, T = [f32, f64, Complex<f32>, Complex<f64>])]
#[allow(clippy::too_many_arguments, clippy::fn_params_excessive_bools, reason = "the op's inputs and attrs by name")]
pub fn sparse_matrix_mat_mul_cpu<T: Number + Conjugate>(
    a: &CsrMatrix,
    b: &Tensor,
    transpose_a: bool,
    transpose_b: bool,
    adjoint_a: bool,
    adjoint_b: bool,
    transpose_output: bool,
    conjugate_output: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    a.check(T::DTYPE)?;
    ensure!(!(transpose_b && adjoint_b), "only one of transpose_b and adjoint_b can be set");
    let a = turned::<T>(a, transpose_a, adjoint_a, "a")?;
    let ([batch, height, inner], rank) = (a.extents(), a.shape.rank());
    let given = b.shape();
    ensure!(given.rank() == rank, "a has {rank} axes, b has the shape {given}");
    let (own, width) = (given[rank - 2], given[rank - 1]);
    let turns_b = transpose_b || adjoint_b;
    let (depth, columns) = if turns_b { (width, own) } else { (own, width) };
    ensure!(rank == 2 || given[0] == batch, "a has a batch of {batch} matrices, b one of {}", given[0]);
    ensure!(depth == inner, "a has {inner} columns, b {depth} rows");
    let mut shape = a.shape.clone();
    let (first, second) = if transpose_output { (columns, height) } else { (height, columns) };
    (shape.dims_mut()[rank - 2], shape.dims_mut()[rank - 1]) = (first, second);
    let (values, b) = (a.values.as_slice::<T>()?, b.as_slice::<T>()?);
    let out = output.allocate(shape)?.as_mut_slice::<T>()?;
    out.fill(T::zero());
    let conjugated = |value: T, is: bool| if is { Conjugate::conj(value) } else { value };
    for row in env.watch(0..batch * height) {
        let (at_b, at_out) = (row / height * own * width, row / height * height * columns);
        for at in a.row(row) {
            let k = a.columns[at] as usize;
            for column in 0..columns {
                let from = if turns_b { column * width + k } else { k * width + column };
                let to = match transpose_output {
                    true => column * height + row % height,
                    false => row % height * columns + column,
                };
                let to = &mut out[at_out + to];
                *to = *to + values[at] * conjugated(b[at_b + from], adjoint_b);
            }
        }
    }
    if conjugate_output {
        out.iter_mut().for_each(|value| *value = Conjugate::conj(*value));
    }
    Ok(())
}

/// `SparseMatrixSparseMatMul` of floats and complex numbers.
#[kernel(SparseMatrixSparseMatMul, device = CPU, type = [f32, f64, Complex<f32>, Complex<f64>])]
#[allow(clippy::too_many_arguments, clippy::fn_params_excessive_bools, reason = "the op's inputs and attrs by name")]
pub fn sparse_matrix_sparse_mat_mul_cpu<Type: Number + Conjugate>(
    a: &CsrMatrix,
    b: &CsrMatrix,
    transpose_a: bool,
    transpose_b: bool,
    adjoint_a: bool,
    adjoint_b: bool,
    mut c: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    a.check(Type::DTYPE)?;
    b.check(Type::DTYPE)?;
    let (a, b) = (turned::<Type>(a, transpose_a, adjoint_a, "a")?, turned::<Type>(b, transpose_b, adjoint_b, "b")?);
    let ([batch, height, inner], [others, depth, width]) = (a.extents(), b.extents());
    ensure!(a.shape.rank() == b.shape.rank() && batch == others, "a has the shape {}, b {}", a.shape, b.shape);
    ensure!(inner == depth, "a has {inner} columns, b {depth} rows");
    let (x, y) = (a.values.as_slice::<Type>()?, b.values.as_slice::<Type>()?);
    let (mut rows, mut columns, mut values) = (try_vec(batch * height + 1)?, Vec::new(), Vec::new());
    rows.push(0);
    // The sums of a row, and whether a column has one.
    let (mut sums, mut has_sum) = (try_filled(Type::zero(), width)?, try_filled(false, width)?);
    let mut found: Vec<i32> = Vec::new();
    for row in env.watch(0..batch * height) {
        for at in a.row(row) {
            for other in b.row(row / height * depth + a.columns[at] as usize) {
                let column = b.columns[other] as usize;
                if !std::mem::replace(&mut has_sum[column], true) {
                    found.push(column as i32);
                    sums[column] = Type::zero();
                }
                sums[column] = sums[column] + x[at] * y[other];
            }
        }
        found.sort_unstable();
        oplink::memory::try_reserve(&mut columns, found.len())?;
        oplink::memory::try_reserve(&mut values, found.len())?;
        for column in found.drain(..) {
            has_sum[column as usize] = false;
            columns.push(column);
            values.push(sums[column as usize]);
        }
        rows.push(columns.len());
    }
    let mut shape = a.shape.clone();
    let rank = shape.rank();
    shape.dims_mut()[rank - 1] = width;
    let values = Tensor::from_vec([values.len()], values)?;
    c.set(CsrMatrix { shape, rows, columns, values }.into_tensor());
    Ok(())
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;
    use oplink_cpu_support::testing::{run, run_one};

    #[test]
    fn products_are_those_of_dense_matrices() {
        let indices = Tensor::from_vec([2, 2], vec![0i64, 1, 1, 0]).unwrap();
        let matrix =
            run_one("SparseTensorToCSRSparseMatrix", vec![indices, [2f32, 3.0].into(), [2i64, 2].into()]).unwrap();
        let dense = Tensor::from_vec([2, 1], vec![5f32, 7.0]).unwrap();
        let product = run_one("SparseMatrixMatMul", vec![matrix.clone(), dense.clone()]).unwrap();
        assert_eq!(product.as_slice::<f32>().unwrap(), [14.0, 15.0]);
        let attrs: [(&str, AttrValue); 1] = [("transpose_a", true.into())];
        let product = run("SparseMatrixMatMul", &attrs, vec![matrix.clone(), dense]).unwrap().remove(0);
        assert_eq!(product.as_slice::<f32>().unwrap(), [21.0, 10.0]);
        let attrs: [(&str, AttrValue); 1] = [("type", DType::Float.into())];
        let square = run("SparseMatrixSparseMatMul", &attrs, vec![matrix.clone(), matrix]).unwrap();
        let square = run("CSRSparseMatrixToDense", &attrs, square).unwrap().remove(0);
        assert_eq!(square.as_slice::<f32>().unwrap(), [6.0, 0.0, 0.0, 6.0]);
    }
}
