//! Tensors in files of the format `safetensors`.

use std::collections::HashMap;
use std::path::Path;

use oplink_api::{DType, Error, Result, Shape, Tensor};
use oplink_bundle::{file_error, write_file};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensorError, SafeTensors};

/// The dtypes of both sides.
const DTYPES: [(DType, Dtype); 14] = [
    (DType::Bool, Dtype::BOOL),
    (DType::UInt8, Dtype::U8),
    (DType::Int8, Dtype::I8),
    (DType::UInt16, Dtype::U16),
    (DType::Int16, Dtype::I16),
    (DType::UInt32, Dtype::U32),
    (DType::Int32, Dtype::I32),
    (DType::UInt64, Dtype::U64),
    (DType::Int64, Dtype::I64),
    (DType::Half, Dtype::F16),
    (DType::BFloat16, Dtype::BF16),
    (DType::Float, Dtype::F32),
    (DType::Double, Dtype::F64),
    (DType::Complex64, Dtype::C64),
];

/// Writes tensors by their names, in place of an older file.
pub(crate) fn write(tensors: &[(String, Tensor)], path: &Path) -> Result<()> {
    let view = |(name, tensor): &'_ (String, Tensor)| -> Result<(String, Vec<usize>, Dtype, Tensor)> {
        let dtype = DTYPES.iter().find(|(dtype, _)| *dtype == tensor.dtype()).map(|&(_, dtype)| dtype);
        let message = || format!("`safetensors` has no dtype for `{name}` of {}", tensor.dtype());
        let dtype = dtype.ok_or_else(|| Error::unimplemented(message()))?;
        Ok((name.clone(), tensor.shape().dims().to_vec(), dtype, tensor.clone()))
    };
    let described = tensors.iter().map(view).collect::<Result<Vec<_>>>()?;
    let views = described.iter().map(|(name, shape, dtype, tensor)| {
        let view = TensorView::new(*dtype, shape.clone(), tensor.as_bytes()?);
        Ok((name, view.map_err(|error| wrong(path, &error))?))
    });
    let views = views.collect::<Result<Vec<_>>>()?;
    let bytes = safetensors::serialize(views, None).map_err(|error| wrong(path, &error))?;
    write_file(path, &bytes)
}

/// The tensors of a file by their names.
pub(crate) fn read(path: &Path) -> Result<HashMap<String, Tensor>> {
    let bytes = std::fs::read(path).map_err(|error| file_error("read", path, &error))?;
    let file = SafeTensors::deserialize(&bytes).map_err(|error| wrong(path, &error))?;
    let read_one = |(name, view): (&str, TensorView<'_>)| {
        let dtype = DTYPES.iter().find(|(_, dtype)| *dtype == view.dtype()).map(|&(dtype, _)| dtype);
        let message =
            || format!("the tensor `{name}` of {} is of {:?}, which is not read", path.display(), view.dtype());
        let dtype = dtype.ok_or_else(|| Error::unimplemented(message()))?;
        Ok((name.to_owned(), Tensor::from_bytes(dtype, Shape::from(view.shape().to_vec()), view.data())?))
    };
    file.iter().map(read_one).collect()
}

fn wrong(path: &Path, error: &SafeTensorError) -> Error {
    Error::invalid_argument(format!("{} as `safetensors`: {error}", path.display()))
}
