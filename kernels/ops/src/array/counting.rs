//! Counts and bins.

use oplink::prelude::*;

/// Counts of the numbers below `size` in `arr`, or sums of their weights.
///
/// Bin `i` holds the number of elements that are `i`, or the sum of their weights where `weights` has elements (one for
/// each); numbers of `size` and more are left out, negative ones are an error. `Bincount` takes any shape.
/// `DenseBincount` counts a vector, or each row of a matrix; with `binary_output` it says 1 for what is there and 0 for
/// what is not. It is an error when `size` is no scalar or negative.
#[op(
    "Bincount",
    input = "arr: int32",
    input = "size: int32",
    input = "weights: T",
    output = "bins: T",
    attr = "T: {int32, int64, float, double}"
)]
pub fn bincount(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(1, 0)?;
    let size = shape_fns::size_of_scalar(c, 1)?;
    c.set_output(0, PartialShape::new(&[size]));
    Ok(())
}

/// Counts of the numbers below `size` in `input` or each of its rows, or sums of their weights.
#[op(
    "DenseBincount",
    input = "input: Tidx",
    input = "size: Tidx",
    input = "weights: T",
    output = "output: T",
    attr = "Tidx: {int32, int64}",
    attr = "T: {int32, int64, float, double}",
    attr = "binary_output: bool = false"
)]
pub fn dense_bincount(c: &mut ShapeContext<'_>) -> Result<()> {
    let input = c.with_rank_at_most(0, 2)?;
    c.with_rank(1, 0)?;
    let size = shape_fns::size_of_scalar(c, 1)?;
    let shape = match input.dims() {
        None => PartialShape::unknown(),
        Some(dims) if size.is_none() => PartialShape::unknown_of_rank(dims.len()),
        Some([rows, _]) => PartialShape::new(&[*rows, size]),
        Some(_) => PartialShape::new(&[size]),
    };
    c.set_output(0, shape);
    Ok(())
}

/// As `DenseBincount`, of the values of a sparse vector or matrix.
///
/// A vector's values must not be negative; those of a matrix that are, are left out. `weights` has no elements or one
/// for each value.
#[op(
    "SparseBincount",
    input = "indices: int64",
    input = "values: Tidx",
    input = "dense_shape: int64",
    input = "size: Tidx",
    input = "weights: T",
    output = "output: T",
    attr = "Tidx: {int32, int64}",
    attr = "T: {int32, int64, float, double}",
    attr = "binary_output: bool = false"
)]
pub fn sparse_bincount(c: &mut ShapeContext<'_>) -> Result<()> {
    let size = shape_fns::size_of_scalar(c, 3)?;
    let shape = c.constant_ints(2)?;
    let rows = |extent: i64| usize::try_from(extent).ok();
    let (Some(size), Some(shape)) = (size, shape) else {
        c.set_output(0, PartialShape::unknown());
        return Ok(());
    };
    match shape[..] {
        [_] => c.set_output(0, PartialShape::new(&[Some(size)])),
        [extent, _] => c.set_output(0, PartialShape::new(&[rows(extent), Some(size)])),
        _ => bail!("dense_shape must have 1 or 2 elements, it is {shape:?}"),
    }
    Ok(())
}

/// As `DenseBincount`, of the rows of a ragged matrix.
///
/// `splits` starts with 0 and ends with the number of values. `weights` has no elements or one for each value.
#[op("RaggedBincount",
     input = "splits: int64",
     input = "values: Tidx",
     input = "size: Tidx",
     input = "weights: T",
     output = "output: T",
     attr = "Tidx: {int32, int64}",
     attr = "T: {int32, int64, float, double}",
     attr = "binary_output: bool = false",
     shape = shape_fns::unknown)]
pub struct RaggedBincount;

/// Counts of the numbers in a vector, or in each row of a matrix, as a sparse tensor.
///
/// `output_indices` has the numbers that there are in order, before them in a matrix the row; `output_values` how often
/// each comes, with `binary_output` 1, or the sums of their `weights`, which have no elements or the shape of `values`.
/// The dense shape ends with `maxlength`, where that is not negative: then numbers of `maxlength` and more are left
/// out; otherwise with the largest number plus 1, but `minlength` at least. Negative numbers are an error.
#[op(
    "DenseCountSparseOutput",
    input = "values: T",
    input = "weights: output_type",
    output = "output_indices: int64",
    output = "output_values: output_type",
    output = "output_dense_shape: int64",
    attr = "T: {int32, int64}",
    attr = "minlength: int >= -1 = -1",
    attr = "maxlength: int >= -1 = -1",
    attr = "binary_output: bool",
    attr = "output_type: {int32, int64, float, double}"
)]
pub fn dense_count_sparse_output(c: &mut ShapeContext<'_>) -> Result<()> {
    let (values, weights) = (c.input(0).clone(), c.input(1).clone());
    let shape = if weights.num_elements() == Some(0) { values } else { c.merge(&weights, &values)? };
    set_counts(c, shape.rank());
    Ok(())
}

/// As `DenseCountSparseOutput`, of the values of a sparse vector or of each row of a sparse tensor.
#[op(
    "SparseCountSparseOutput",
    input = "indices: int64",
    input = "values: T",
    input = "dense_shape: int64",
    input = "weights: output_type",
    output = "output_indices: int64",
    output = "output_values: output_type",
    output = "output_dense_shape: int64",
    attr = "T: {int32, int64}",
    attr = "minlength: int >= -1 = -1",
    attr = "maxlength: int >= -1 = -1",
    attr = "binary_output: bool",
    attr = "output_type: {int32, int64, float, double}"
)]
pub fn sparse_count_sparse_output(c: &mut ShapeContext<'_>) -> Result<()> {
    set_counts(c, c.input(0).dim(1));
    Ok(())
}

/// As `DenseCountSparseOutput`, of the rows of a ragged matrix.
///
/// `splits` starts with 0 and ends with the number of values.
#[op(
    "RaggedCountSparseOutput",
    input = "splits: int64",
    input = "values: T",
    input = "weights: output_type",
    output = "output_indices: int64",
    output = "output_values: output_type",
    output = "output_dense_shape: int64",
    attr = "T: {int32, int64}",
    attr = "minlength: int >= -1 = -1",
    attr = "maxlength: int >= -1 = -1",
    attr = "binary_output: bool",
    attr = "output_type: {int32, int64, float, double}"
)]
pub fn ragged_count_sparse_output(c: &mut ShapeContext<'_>) -> Result<()> {
    set_counts(c, c.input(1).rank().map(|rank| rank + 1));
    Ok(())
}

/// A sparse tensor of this rank, any number of values.
fn set_counts(c: &mut ShapeContext<'_>, rank: Option<usize>) {
    c.set_output(0, PartialShape::new(&[None, rank]));
    c.set_output(1, PartialShape::new(&[None]));
    c.set_output(2, PartialShape::new(&[rank]));
}

/// For each value, the first place in its sorted row that keeps the row sorted.
///
/// `sorted_inputs` is [rows, n] and `values` [rows, m]; the output, [rows, m], has for each value the number of
/// elements of its row that are less (`LowerBound`), or not greater (`UpperBound`). Rows are expected to rise; NaN is
/// neither.
#[op("LowerBound",
     no_gradient,
     input = "sorted_inputs: T",
     input = "values: T",
     output = "output: out_type",
     attr = "T: type",
     attr = "out_type: {int32, int64} = DT_INT32",
     shape = search_shape)]
pub struct LowerBound;

/// For each value, the last place in its sorted row that keeps the row sorted.
#[op("UpperBound",
     no_gradient,
     input = "sorted_inputs: T",
     input = "values: T",
     output = "output: out_type",
     attr = "T: type",
     attr = "out_type: {int32, int64} = DT_INT32",
     shape = search_shape)]
pub struct UpperBound;

/// The shape of `values`, a matrix as `sorted_inputs` is.
fn search_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 2)?;
    c.with_rank(1, 2)?;
    c.set_output(0, c.input(1).clone());
    Ok(())
}

/// The bucket between `boundaries` that each element lies in.
///
/// The attr `boundaries` rises; it is an error when it does not. Integers are compared as floats. NaN counts as larger
/// than every boundary.
#[op("Bucketize",
     no_gradient,
     input = "input: T",
     output = "output: int32",
     attr = "T: {int32, int64, float, double}",
     attr = "boundaries: list(float)",
     shape = shape_fns::unchanged)]
pub struct Bucketize;

/// Counts of `values` in `nbins` equal parts of `value_range`.
///
/// The `nbins` (a scalar > 0) bins share `value_range`, [low, high] with low < high; values outside count for the first
/// or the last bin. It is an error when a value is NaN.
#[op(
    "HistogramFixedWidth",
    input = "values: T",
    input = "value_range: T",
    input = "nbins: int32",
    output = "out: dtype",
    attr = "T: {int32, int64, float, double}",
    attr = "dtype: {int32, int64} = DT_INT32"
)]
pub fn histogram_fixed_width(c: &mut ShapeContext<'_>) -> Result<()> {
    let range = c.with_rank(1, 1)?;
    c.merge_dim(range.dim(0), Some(2))?;
    c.with_rank(2, 0)?;
    let bins = c.constant_int(2)?;
    ensure!(bins.is_none_or(|bins| bins > 0), "nbins must be > 0, it is {}", bins.unwrap_or_default());
    c.set_output(0, PartialShape::new(&[bins.map(|bins| bins as usize)]));
    Ok(())
}

/// The number of bins that the input `size` holds.
///
/// # Errors
/// It is no scalar or negative.
pub fn bin_count(size: &Tensor) -> Result<usize> {
    let size = crate::arguments::scalar(size, "size")?;
    let Ok(size) = usize::try_from(size) else { bail!("size must be >= 0, it is {size}") };
    Ok(size)
}

/// Fails unless there is a weight for each number, or none.
///
/// # Errors
/// There is another number of weights.
pub fn check_weights(numbers: usize, weights: usize) -> Result<()> {
    ensure!(weights == 0 || weights == numbers, "weights has {weights} elements for {numbers} numbers");
    Ok(())
}

/// The rows of bins of `DenseBincount`: those of a matrix, none for a vector.
///
/// # Errors
/// `input` is of another rank, or there is not a weight for each element, nor none.
pub fn rows_of_bins(input: &Shape, weights: &Shape) -> Result<Option<usize>> {
    ensure!(input.rank() <= 2, "input must be a vector or a matrix, it has shape {input}");
    ensure!(
        weights.num_elements() == 0 || weights == input,
        "weights must have the shape {input} of the input or no elements, it has shape {weights}"
    );
    Ok((input.rank() == 2).then(|| input[0]))
}
