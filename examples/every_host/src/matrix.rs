//! A matrix and a vector: shapes that must fit, and gradients made of each other's ops.

use oplink::prelude::*;

/// `y = matrix * vector`.
#[op(
    "MatVec",
    input = "matrix: T",
    input = "vector: T",
    output = "y: T",
    attr = "transposed: bool = false",
    attr = "T: {float, double}"
)]
pub fn mat_vec_shapes(c: &mut ShapeContext<'_>) -> Result<()> {
    let (matrix, vector) = (c.with_rank(0, 2)?, c.with_rank(1, 1)?);
    let (rows, columns) = match c.attr::<bool>("transposed")? {
        false => (matrix.dim(0), matrix.dim(1)),
        true => (matrix.dim(1), matrix.dim(0)),
    };
    c.merge_dim(columns, vector.dim(0))?;
    c.set_output(0, PartialShape::new(&[rows]));
    Ok(())
}

#[kernel(MatVec, device = CPU, T = [f32, f64])]
pub fn mat_vec<T: Float>(
    matrix: ArrayView2<'_, T>,
    vector: ArrayView1<'_, T>,
    transposed: bool,
    mut y: ArrayViewMut1<'_, T>,
) -> Result<()> {
    let matrix = if transposed { matrix.reversed_axes() } else { matrix };
    ensure!(matrix.ncols() == vector.len(), "{} columns do not meet {} elements", matrix.ncols(), vector.len());
    for (row, y) in matrix.rows().into_iter().zip(y.iter_mut()) {
        *y = row.iter().zip(vector).fold(T::zero(), |sum, (&a, &b)| sum + a * b);
    }
    Ok(())
}

#[gradient(MatVec)]
pub fn mat_vec_gradient(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    let transposed = op.attr::<bool>("transposed")?;
    let (matrix, vector) = (op.input(0), op.input(1));
    let (column, row) = if transposed { (vector, dy[0]) } else { (dy[0], vector) };
    let dmatrix = OuterProduct::builder().build(scope, column, row)?;
    let dvector = MatVec::builder().transposed(!transposed).build(scope, matrix, dy[0])?;
    Ok(vec![Some(dmatrix), Some(dvector)])
}

/// `y[i, j] = column[i] * row[j]`.
#[op("OuterProduct", input = "column: T", input = "row: T", output = "y: T", attr = "T: {float, double}")]
pub fn outer_product_shapes(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.concatenate(&c.with_rank(0, 1)?, &c.with_rank(1, 1)?);
    c.set_output(0, shape);
    Ok(())
}

#[kernel(OuterProduct, device = CPU, T = [f32, f64])]
pub fn outer_product<T: Float>(
    column: ArrayView1<'_, T>,
    row: ArrayView1<'_, T>,
    mut y: ArrayViewMut2<'_, T>,
) -> Result<()> {
    y.indexed_iter_mut().for_each(|((i, j), y)| *y = column[i] * row[j]);
    Ok(())
}

#[gradient(OuterProduct)]
pub fn outer_product_gradient(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    let dcolumn = MatVec::builder().build(scope, dy[0], op.input(1))?;
    let drow = MatVec::builder().transposed(true).build(scope, dy[0], op.input(0))?;
    Ok(vec![Some(dcolumn), Some(drow)])
}

/// The largest element of each row, times the row's number. Rows are shared among the host's threads.
#[op("LargestOfRows", input = "matrix: T", output = "y: T", attr = "T: {float, double}")]
pub fn largest_of_rows_shapes(c: &mut ShapeContext<'_>) -> Result<()> {
    let rows = c.with_rank(0, 2)?.dim(0);
    c.set_output(0, PartialShape::new(&[rows]));
    Ok(())
}

#[kernel(LargestOfRows, device = CPU, T = [f32, f64])]
pub fn largest_of_rows<T: Float>(matrix: ArrayView2<'_, T>, mut y: ArrayViewMut1<'_, T>, env: Env<'_>) -> Result<()> {
    let rows: Vec<std::sync::Mutex<T>> = (0..matrix.nrows()).map(|_| std::sync::Mutex::new(T::zero())).collect();
    env.parallel_for(matrix.nrows(), 1, &|range| {
        for row in range {
            let largest = matrix.row(row).iter().fold(T::neg_infinity(), |a, &b| a.max(b));
            let number = T::from(row).unwrap_or_else(T::zero);
            *rows[row].lock().unwrap_or_else(std::sync::PoisonError::into_inner) = largest * number;
        }
    });
    for (y, row) in y.iter_mut().zip(rows) {
        *y = row.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    }
    Ok(())
}
