//! Reductions.

use oplink::prelude::*;

/// Sums of the rows of a matrix, as a vector, or with `keep_dims` as a matrix of one column.
#[op(
    "RowSums",
    is(reduces(sum)),
    input = "x: T",
    output = "sums: T",
    attr = "keep_dims: bool = false",
    attr = "T: {float, double, int64}"
)]
pub fn row_sums_shapes(c: &mut ShapeContext<'_>) -> Result<()> {
    let rows = c.with_rank(0, 2)?.dim(0);
    match c.attr::<bool>("keep_dims")? {
        true => c.set_output(0, PartialShape::new(&[rows, Some(1)])),
        false => c.set_output(0, PartialShape::new(&[rows])),
    }
    Ok(())
}

#[kernel(RowSums, device = CPU, T = [f32, f64, i64])]
pub fn row_sums<T: Number>(x: ArrayView2<'_, T>, mut sums: ArrayViewMutD<'_, T>) {
    for (row, sum) in x.rows().into_iter().zip(sums.iter_mut()) {
        *sum = row.iter().fold(T::zero(), |sum, &x| sum + x);
    }
}

/// Each row's sum has the gradient of all its elements.
#[gradient(RowSums)]
pub fn row_sums_gradient(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    Ok(vec![Some(SpreadRows::builder().build(scope, op.input(0), dy[0])?)])
}

/// A matrix of the shape of `like`, each row full of one of `values`.
#[op("SpreadRows", is(shape_only(like)), input = "like: T", input = "values: T", output = "y: T",
     attr = "T: {float, double, int64}", shape = shape_fns::unchanged)]
pub struct SpreadRows;

#[kernel(SpreadRows, device = CPU, T = [f32, f64, i64])]
pub fn spread_rows<T: Number>(like: &Tensor, values: &Tensor, mut y: ArrayViewMut2<'_, T>) -> Result<()> {
    let (rows, values) = (like.shape()[0], values.as_slice::<T>()?);
    ensure!(values.len() == rows, "there are {} values for {rows} rows", values.len());
    for (mut row, &value) in y.rows_mut().into_iter().zip(values) {
        row.fill(value);
    }
    Ok(())
}

/// Nothing depends on the elements of `like`.
#[gradient(SpreadRows)]
pub fn spread_rows_gradient(scope: &mut dyn Scope, _: &OpForGradient, dy: &[Output]) -> Result<Vec<Option<Output>>> {
    Ok(vec![None, Some(RowSums::builder().build(scope, dy[0])?)])
}

/// Mean and variance of all elements.
#[op("MeanVariance", input = "x: T", output = "mean: T", output = "variance: T", attr = "T: {float, double}")]
pub fn mean_variance_shapes(c: &mut ShapeContext<'_>) -> Result<()> {
    c.set_output(0, PartialShape::scalar());
    c.set_output(1, PartialShape::scalar());
    Ok(())
}

#[kernel(MeanVariance, device = CPU, T = [f32, f64])]
pub fn mean_variance<T: Float>(x: ArrayViewD<'_, T>) -> Result<(T, T)> {
    let count = T::from(x.len()).unwrap_or_else(T::one);
    let mean = x.iter().fold(T::zero(), |sum, &x| sum + x) / count;
    let variance = x.iter().fold(T::zero(), |sum, &x| sum + (x - mean) * (x - mean)) / count;
    Ok((mean, variance))
}
