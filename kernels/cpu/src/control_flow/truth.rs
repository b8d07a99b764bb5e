//! Which values count as true.

use oplink::prelude::*;

/// Whether a value counts as true: a scalar that is not zero, a scalar string that is not empty, or any other tensor
/// that has elements.
pub(super) fn is_true(value: &Tensor) -> Result<bool> {
    if value.rank() > 0 {
        return Ok(value.num_elements() > 0);
    }
    Ok(match value.dtype() {
        DType::Bool => value.to_scalar::<bool>()?,
        DType::Int32 => value.to_scalar::<i32>()? != 0,
        DType::Int64 => value.to_scalar::<i64>()? != 0,
        DType::Int16 => value.to_scalar::<i16>()? != 0,
        DType::Int8 => value.to_scalar::<i8>()? != 0,
        DType::UInt8 => value.to_scalar::<u8>()? != 0,
        DType::Float => value.to_scalar::<f32>()? != 0.0,
        DType::Double => value.to_scalar::<f64>()? != 0.0,
        DType::String => !value.as_slice::<TString>()?[0].as_bytes().is_empty(),
        other => bail!("a scalar of {other} is neither true nor false; compare it with something"),
    })
}
