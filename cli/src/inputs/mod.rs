//! Values of inputs: NumPy arrays and PNG pictures from files, and values written out.

mod numpy;
mod picture;
mod written;

use std::path::Path;

pub(crate) use numpy::{read_npz, write_npy};
use oplink::{DType, PartialShape, Result, Tensor};

/// NumPy's name of a dtype.
pub(crate) fn numpy_name(dtype: DType) -> &'static str {
    match dtype {
        DType::Half => "float16",
        DType::Float => "float32",
        DType::Double => "float64",
        DType::String => "object",
        other => other.name(),
    }
}

/// Reads `value`, the name of a file or the value itself, as the value of an input of this dtype and shape.
pub(crate) fn read(value: &str, dtype: DType, shape: &PartialShape) -> Result<Tensor> {
    let path = Path::new(value);
    match path.extension().and_then(|e| e.to_str()) {
        Some("npy") => numpy::read_npy(path),
        Some("png") => picture::read_png(path, dtype, shape),
        _ => written::parse(value, dtype),
    }
}
