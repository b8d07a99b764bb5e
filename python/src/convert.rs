//! What Python code gives where a tensor is wanted.

use oplink::nn::Value;
use oplink::{DType, Tensor};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::errors::OrRaise;
use crate::tensor::PyTensor;
use crate::variable::PyVariable;
use crate::{buffer, dlpack, dtype, literal};

/// The value of a tensor, a variable, an array, a number, a text, or nested lists of these two. Numbers and texts
/// become elements of `wanted`; what has a dtype keeps it.
pub(crate) fn value(object: &Bound<'_, PyAny>, wanted: Option<DType>) -> PyResult<Value> {
    match own(object)? {
        Some(value) => Ok(value),
        None if literal::is_literal(object) => literal::tensor(object, wanted).map(Value::new),
        None => array(object, false).map(Value::new),
    }
}

/// The value of a tensor or a variable; `None` of anything else.
#[inline]
pub(crate) fn own(object: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
    if let Ok(tensor) = object.cast::<PyTensor>() {
        return Ok(Some(tensor.get().value.clone()));
    }
    match object.cast::<PyVariable>() {
        Ok(variable) => variable.get().variable.read().or_raise(object.py()).map(Some),
        Err(_) => Ok(None),
    }
}

/// As [`value`], of this dtype: what has another one is cast.
pub(crate) fn value_of_dtype(object: &Bound<'_, PyAny>, wanted: Option<DType>) -> PyResult<Value> {
    let py = object.py();
    let value = value(object, wanted)?;
    match wanted {
        Some(wanted) if value.dtype().or_raise(py)? != wanted => value.cast(wanted).or_raise(py),
        _ => Ok(value),
    }
}

/// The tensor of [`value`].
pub(crate) fn tensor(object: &Bound<'_, PyAny>, wanted: Option<DType>) -> PyResult<Tensor> {
    value(object, wanted)?.device_tensor().or_raise(object.py())
}

/// The tensor of an array, or of anything that gives one: by its buffer, by DLPack, by `__array__`. With `share` it
/// lies in the array's memory where it can.
pub(crate) fn array(object: &Bound<'_, PyAny>, share: bool) -> PyResult<Tensor> {
    if let Some(tensor) = of_extended_dtype(object, share)? {
        return Ok(tensor);
    }
    if has_buffer(object) {
        return match buffer::import(object, share)? {
            Some(tensor) => Ok(tensor),
            None => of_objects(object),
        };
    }
    if object.hasattr("__dlpack__")? {
        return dlpack::import(object, share);
    }
    match object.getattr_opt("__array__")? {
        Some(array) => self::array(&array.call0()?, share),
        None => Err(no_tensor(object)),
    }
}

fn has_buffer(object: &Bound<'_, PyAny>) -> bool {
    pyo3::buffer::PyUntypedBuffer::get(object).is_ok()
}

fn no_tensor(object: &Bound<'_, PyAny>) -> PyErr {
    let class = object.get_type();
    PyTypeError::new_err(format!("a {class} is no tensor: give a tensor, an array, a number, a text or lists of these"))
}

/// An array of a dtype that NumPy has by the package `ml_dtypes` only: its bytes, as that dtype.
fn of_extended_dtype(object: &Bound<'_, PyAny>, share: bool) -> PyResult<Option<Tensor>> {
    let Some(described) = object.getattr_opt("dtype")? else { return Ok(None) };
    let Some(name) = described.getattr_opt("name")?.and_then(|name| name.extract::<String>().ok()) else {
        return Ok(None);
    };
    let words = match dtype::of_name(&name).and_then(|dtype| Some((dtype, dtype.size()?))) {
        Some((dtype, size)) if is_extended(dtype) => (dtype, if size == 2 { "uint16" } else { "uint8" }),
        _ => return Ok(None),
    };
    let tensor = array(&object.call_method1("view", (words.1,))?, share)?;
    tensor.bitcast(words.0).or_raise(object.py()).map(Some)
}

/// Whether Python's buffers have no format for the dtype.
pub(crate) fn is_extended(dtype: DType) -> bool {
    dtype == DType::BFloat16
        || (dtype.is_floating() && dtype.size() == Some(1))
        || matches!(dtype, DType::Int4 | DType::UInt4 | DType::Int2 | DType::UInt2)
}

/// The tensor of an array of objects or texts.
fn of_objects(array: &Bound<'_, PyAny>) -> PyResult<Tensor> {
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    let flat = array.call_method0("ravel")?.call_method0("tolist")?;
    let elements: Vec<Bound<'_, PyAny>> = flat.cast_into::<PyList>().map_err(PyErr::from)?.iter().collect();
    literal::of_elements(array.py(), &elements, shape.into(), DType::String)
}
