//! Feeds from files: NumPy arrays and PNG pictures.

mod numpy;
mod picture;

use std::path::Path;

pub(crate) use numpy::{read_npz, write_npy};
use oplink::{PartialShape, Result, Tensor, bail};

/// NumPy's name of a dtype.
pub(crate) fn numpy_name(dtype: oplink::DType) -> &'static str {
    match dtype {
        oplink::DType::Half => "float16",
        oplink::DType::Float => "float32",
        oplink::DType::Double => "float64",
        oplink::DType::String => "object",
        other => other.name(),
    }
}

/// Reads `path` as the value of a placeholder of this dtype and shape.
pub(crate) fn read(path: &Path, dtype: oplink::DType, shape: &PartialShape) -> Result<Tensor> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("npy") => numpy::read_npy(path),
        Some("png") => picture::read_png(path, dtype, shape),
        _ => bail!("{}: a feed is a .npy or a .png file", path.display()),
    }
}
