//! Reading the small integer inputs of array ops: axes, shapes, counts; and outputs of indices.

use oplink::prelude::*;
use oplink::{int_values, normalize_axis};

/// The values of a vector of integers.
pub(crate) fn vector(tensor: &Tensor, name: &str) -> Result<Vec<i64>> {
    ensure!(tensor.rank() == 1, "{name} must be a vector, it has shape {}", tensor.shape());
    int_values(tensor)
}

/// The value of an integer scalar.
pub(crate) fn scalar(tensor: &Tensor, name: &str) -> Result<i64> {
    ensure!(tensor.rank() == 0, "{name} must be a scalar, it has shape {}", tensor.shape());
    Ok(int_values(tensor)?[0])
}

/// An axis of a tensor of this rank; negative ones count from the end.
pub(crate) fn axis(value: i64, rank: usize, name: &str) -> Result<usize> {
    normalize_axis(value, rank).map_err(|error| error.context(format!("reading {name}")))
}

/// A vector as a shape.
pub(crate) fn shape(tensor: &Tensor, name: &str) -> Result<Shape> {
    let dims = vector(tensor, name)?;
    let shape = Shape::from_i64(&dims).map_err(|error| error.context(format!("reading {name}")))?;
    ensure!(shape.checked_num_elements().is_some(), "{name} {shape} has too many elements");
    Ok(shape)
}

/// Sets an output of int32 or int64 to indices or counts; what does not fit wraps.
pub(crate) fn set_indices(output: &mut OutputSlot<'_>, shape: impl Into<Shape>, values: &[usize]) -> Result<()> {
    write_indices(output.allocate(shape)?, values)
}

fn write_indices(out: &mut Tensor, values: &[usize]) -> Result<()> {
    match out.dtype() {
        DType::Int32 => out.as_mut_slice::<i32>()?.iter_mut().zip(values).for_each(|(out, &v)| *out = v as i32),
        _ => out.as_mut_slice::<i64>()?.iter_mut().zip(values).for_each(|(out, &v)| *out = v as i64),
    }
    Ok(())
}
