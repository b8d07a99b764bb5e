//! `.npy` and `.npz` files.

use std::fs::File;
use std::io::{BufWriter, Read, Seek};
use std::path::Path;

use ndarray::{ArrayD, IxDyn, OwnedRepr};
use ndarray_npy::{NpzReader, ReadNpyError, ReadNpyExt, ReadNpzError, WritableElement, WriteNpyError, WriteNpyExt};
use oplink::element::Complex;
use oplink::{DType, Element, Error, Result, ResultExt, Tensor, bail};

/// An array read as one element type: `None` where the file holds another.
type Attempt = Result<Option<Tensor>>;

/// Tries each element type that NumPy files and tensors share, and returns the array.
macro_rules! first_that_fits {
    ($read:ident $arguments:tt; $($ty:ty),*) => {{
        $(if let Some(tensor) = $read::<$ty, _> $arguments? { return Ok(tensor); })*
        bail!("the array's element type is not one that tensors have (or the array is structured)")
    }};
}

fn malformed(path: &Path, error: impl std::fmt::Display) -> Error {
    Error::invalid_argument(format!("{}: {error}", path.display()))
}

fn unwritten(path: &Path, error: WriteNpyError) -> Error {
    match error {
        WriteNpyError::Io(error) => Error::io(path.display(), error),
        error => malformed(path, error),
    }
}

/// Reads one array.
pub(super) fn read_npy(path: &Path) -> Result<Tensor> {
    let bytes = std::fs::read(path).map_err(|e| Error::io(path.display(), e))?;
    parse(&bytes).context_with(|| format!("reading {}", path.display()))
}

/// Reads all arrays, by name.
pub(crate) fn read_npz(path: &Path) -> Result<Vec<(String, Tensor)>> {
    let file = File::open(path).map_err(|e| Error::io(path.display(), e))?;
    let mut archive = NpzReader::new(file).map_err(|e| malformed(path, e))?;
    let names = archive.names().map_err(|e| malformed(path, e))?;
    let mut arrays = Vec::with_capacity(names.len());
    for name in names {
        let tensor = entry(&mut archive, &name).context_with(|| format!("array `{name}` of {}", path.display()))?;
        arrays.push((name.strip_suffix(".npy").unwrap_or(&name).to_owned(), tensor));
    }
    Ok(arrays)
}

fn parse(bytes: &[u8]) -> Result<Tensor> {
    first_that_fits!(parse_as(bytes); f32, f64, i32, i64, u8, bool, i8, i16, u16, u32, u64, Complex<f32>, Complex<f64>)
}

fn parse_as<T: Element + ndarray_npy::ReadableElement, R: Read>(bytes: R) -> Attempt {
    fitting(ArrayD::<T>::read_npy(bytes))
}

fn entry<R: Read + Seek>(archive: &mut NpzReader<R>, name: &str) -> Result<Tensor> {
    first_that_fits!(entry_as(archive, name); f32, f64, i32, i64, u8, bool, i8, i16, u16, u32, u64, Complex<f32>,
        Complex<f64>)
}

fn entry_as<T: Element + ndarray_npy::ReadableElement, R: Read + Seek>(
    archive: &mut NpzReader<R>,
    name: &str,
) -> Attempt {
    fitting(archive.by_name::<OwnedRepr<T>, IxDyn>(name).map_err(|error| match error {
        ReadNpzError::Npy(error) => error,
        ReadNpzError::Zip(error) => ReadNpyError::Io(std::io::Error::other(error)),
    }))
}

fn fitting<T: Element>(array: std::result::Result<ArrayD<T>, ReadNpyError>) -> Attempt {
    match array {
        Ok(array) => Ok(Some(Tensor::from_array(array))),
        Err(ReadNpyError::WrongDescriptor(_)) => Ok(None),
        Err(error) => Err(Error::invalid_argument(error.to_string())),
    }
}

/// Writes one array.
pub(crate) fn write_npy(path: &Path, tensor: &Tensor) -> Result<()> {
    match tensor.dtype() {
        DType::Float => write::<f32>(path, tensor),
        DType::Double => write::<f64>(path, tensor),
        DType::Int8 => write::<i8>(path, tensor),
        DType::Int16 => write::<i16>(path, tensor),
        DType::Int32 => write::<i32>(path, tensor),
        DType::Int64 => write::<i64>(path, tensor),
        DType::UInt8 => write::<u8>(path, tensor),
        DType::UInt16 => write::<u16>(path, tensor),
        DType::UInt32 => write::<u32>(path, tensor),
        DType::UInt64 => write::<u64>(path, tensor),
        DType::Bool => write::<bool>(path, tensor),
        other => bail!("NumPy files cannot hold {other}; fetch it through a Cast"),
    }
}

fn write<T: Element + WritableElement>(path: &Path, tensor: &Tensor) -> Result<()> {
    let file = File::create(path).map_err(|e| Error::io(path.display(), e))?;
    tensor.view::<T, IxDyn>()?.write_npy(BufWriter::new(file)).map_err(|e| unwritten(path, e))
}
