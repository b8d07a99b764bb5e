//! Reading the small integer inputs of array ops: axes, shapes, counts.

use oplink::prelude::*;
use oplink::{int_values, normalize_axis};

/// The values of a vector of integers.
pub(crate) fn vector(context: &KernelContext<'_>, index: usize, name: &str) -> Result<Vec<i64>> {
    let tensor = context.input(index);
    ensure!(tensor.rank() == 1, "{name} must be a vector, it has shape {}", tensor.shape());
    int_values(tensor)
}

/// The value of an integer scalar.
pub(crate) fn scalar(context: &KernelContext<'_>, index: usize, name: &str) -> Result<i64> {
    let tensor = context.input(index);
    ensure!(tensor.rank() == 0, "{name} must be a scalar, it has shape {}", tensor.shape());
    Ok(int_values(tensor)?[0])
}

/// An axis of a tensor of this rank; negative ones count from the end.
pub(crate) fn axis(value: i64, rank: usize, name: &str) -> Result<usize> {
    normalize_axis(value, rank).map_err(|error| error.context(format!("reading {name}")))
}

/// A vector input as a shape.
pub(crate) fn shape(context: &KernelContext<'_>, index: usize, name: &str) -> Result<Shape> {
    let dims = vector(context, index, name)?;
    let shape = Shape::from_i64(&dims).map_err(|error| error.context(format!("reading {name}")))?;
    ensure!(shape.checked_num_elements().is_some(), "{name} {shape} has too many elements");
    Ok(shape)
}

/// Positions or counts as an output of int32 or int64.
pub(crate) fn indices(
    context: &KernelContext<'_>,
    output: usize,
    shape: impl Into<Shape>,
    values: &[usize],
) -> Result<Tensor> {
    let mut out = context.allocate_output(output, shape)?;
    write_indices(&mut out, values)?;
    Ok(out)
}

/// Writes positions or counts to a tensor of int32 or int64 with as many elements; what does not fit wraps.
pub(crate) fn write_indices(out: &mut Tensor, values: &[usize]) -> Result<()> {
    match out.dtype() {
        DType::Int32 => out.as_mut_slice::<i32>()?.iter_mut().zip(values).for_each(|(out, &v)| *out = v as i32),
        _ => out.as_mut_slice::<i64>()?.iter_mut().zip(values).for_each(|(out, &v)| *out = v as i64),
    }
    Ok(())
}
