//! Reading the small integer inputs of array ops, and outputs of indices.

use oplink::prelude::*;
pub(crate) use oplink_ops::arguments::{axis, scalar, vector};

/// Sets an output of int32 or int64 to indices or counts; what does not fit wraps.
pub(crate) fn set_indices(output: &mut OutputSlot<'_>, shape: impl Into<Shape>, values: &[usize]) -> Result<()> {
    write_indices(output.allocate(shape)?, values)
}

/// As [`set_indices`], where numbers may be negative.
pub(crate) fn set_integers(output: &mut OutputSlot<'_>, values: &[i64]) -> Result<()> {
    write_integers(output.allocate([values.len()])?, values)
}

/// Writes a tensor of int32 or int64; what does not fit wraps.
pub(crate) fn write_integers(out: &mut Tensor, values: &[i64]) -> Result<()> {
    match out.dtype() {
        DType::Int32 => out.as_mut_slice::<i32>()?.iter_mut().zip(values).for_each(|(out, &v)| *out = v as i32),
        _ => out.as_mut_slice::<i64>()?.copy_from_slice(values),
    }
    Ok(())
}

fn write_indices(out: &mut Tensor, values: &[usize]) -> Result<()> {
    match out.dtype() {
        DType::Int32 => out.as_mut_slice::<i32>()?.iter_mut().zip(values).for_each(|(out, &v)| *out = v as i32),
        _ => out.as_mut_slice::<i64>()?.iter_mut().zip(values).for_each(|(out, &v)| *out = v as i64),
    }
    Ok(())
}
