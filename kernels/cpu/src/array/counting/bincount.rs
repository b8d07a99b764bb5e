//! `Bincount` and `DenseBincount`: how often each number below `size` comes.
//!
//! Bin `i` holds the number of elements that are `i`, or the sum of their weights where `weights` has elements (one for
//! each); numbers of `size` and more are left out, negative ones are an error. `Bincount` takes any shape.
//! `DenseBincount` counts a vector, or each row of a matrix; with `binary_output` it says 1 for what is there and 0 for
//! what is not. It is an error when `size` is no scalar or negative.

use oplink::prelude::*;

use super::super::arguments;
use crate::support::elementwise::Arithmetic;

/// Counts of the numbers below `size` in `arr`, or sums of their weights.
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

/// `Bincount` of every dtype it allows.
#[kernel(Bincount, device = CPU, T = [i32, i64, f32, f64])]
pub fn bincount_cpu<T: Arithmetic>(context: &mut KernelContext<'_>) -> Result<()> {
    let (count, weights) = (context.input(0).num_elements(), context.input(2).num_elements());
    ensure!(weights == 0 || weights == count, "weights has {weights} elements for {count} numbers");
    count_rows::<T>(context, None, false)
}

/// `DenseBincount` of every dtype it allows.
#[kernel(DenseBincount, device = CPU, Tidx = any, T = [i32, i64, f32, f64])]
pub fn dense_bincount_cpu<T: Arithmetic>(context: &mut KernelContext<'_>) -> Result<()> {
    let (input, weights) = (context.input(0).shape(), context.input(2).shape());
    ensure!(input.rank() <= 2, "input must be a vector or a matrix, it has shape {input}");
    ensure!(
        weights.num_elements() == 0 || weights == input,
        "weights must have the shape {input} of the input or no elements, it has shape {weights}"
    );
    let rows = (input.rank() == 2).then(|| input[0]);
    count_rows::<T>(context, rows, context.attr("binary_output")?)
}

/// Sets output 0 to the counts in all elements of input 0, or in each of so many rows.
fn count_rows<T: Arithmetic>(context: &mut KernelContext<'_>, rows: Option<usize>, binary: bool) -> Result<()> {
    let input = context.input(0);
    let size = arguments::scalar(context, 1, "size")?;
    let Ok(size) = usize::try_from(size) else { bail!("size must be >= 0, it is {size}") };
    let shape: Shape = rows.into_iter().chain([size]).collect();
    let mut out = context.allocate_output(0, shape)?;
    let bins = out.as_mut_slice::<T>()?;
    bins.fill(T::ZERO);
    let weights = context.input(2).as_slice::<T>()?;
    let values = oplink::int_values(input)?;
    let width = values.len() / rows.unwrap_or(1).max(1);
    for (at, &value) in values.iter().enumerate() {
        let Ok(bin) = usize::try_from(value) else { bail!("input[{at}] = {value}, it must be >= 0") };
        if bin < size {
            let bin = &mut bins[at / width * size + bin];
            let weight = weights.get(at).copied().unwrap_or(T::ONE);
            *bin = if binary { T::ONE } else { bin.add(weight) };
        }
    }
    context.set_output(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error, check_with};

    fn none<T: Element>() -> Tensor {
        Tensor::from_slice::<T>(&[])
    }

    #[test]
    fn counts_and_sums() {
        check("Bincount", [[1, 1, 5].into(), 3.into(), none::<f32>()], [0.0f32, 2.0, 0.0]);
        let matrix = Tensor::from_vec([2, 1], vec![1, 2]).unwrap();
        check("Bincount", [matrix.clone(), 3.into(), [5i64, 6].into()], [0i64, 5, 6]);
        let rows = Tensor::from_vec([2, 3], vec![0, 1, 0, 0, 0, 1]).unwrap();
        check("DenseBincount", [matrix, 3.into(), none::<i32>()], rows);
        let inputs = [[1i64, 1].into(), 2i64.into(), [7, 8].into()];
        check_with("DenseBincount", &[("binary_output", true.into())], inputs, [0, 1]);
    }

    #[test]
    fn what_cannot_be_counted_is_an_error() {
        check_error("Bincount", [[-1].into(), 3.into(), none::<i32>()], "input[0] = -1, it must be >= 0");
        check_error("Bincount", [[1].into(), (-3).into(), none::<i32>()], "size must be >= 0");
        check_error("Bincount", [[1, 2].into(), 3.into(), [1].into()], "weights has 1 elements for 2 numbers");
        check_error("DenseBincount", [[1, 2].into(), 3.into(), [1].into()], "must have the shape [2]");
    }
}
