//! Numbers, texts and nested lists of them that Python code writes where a tensor is wanted.

use oplink::element::{Complex, Element, bf16, f16};
use oplink::{DType, Shape, TString, Tensor};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyComplex, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::dtype;
use crate::errors::OrRaise;

/// Nested lists deeper than this are refused: no tensor has so many dimensions, and a list may hold itself.
const MAX_DEPTH: usize = oplink::shape::MAX_RANK;

/// Whether the object is written in Python, rather than an array that has a dtype.
pub(crate) fn is_literal(object: &Bound<'_, PyAny>) -> bool {
    object.is_exact_instance_of::<PyFloat>()
        || object.is_exact_instance_of::<PyInt>()
        || object.is_exact_instance_of::<PyBool>()
        || object.is_exact_instance_of::<PyComplex>()
        || object.is_instance_of::<PyString>()
        || object.is_instance_of::<PyBytes>()
        || is_sequence(object)
}

fn is_sequence(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>()
}

/// The tensor of a literal. Without a dtype integers are int32, or int64 where one needs it, and other numbers float32.
pub(crate) fn tensor(object: &Bound<'_, PyAny>, wanted: Option<DType>) -> PyResult<Tensor> {
    let (mut elements, mut shape) = (Vec::new(), Vec::new());
    gather(object, 0, &mut shape, &mut elements)?;
    let dtype = wanted.map_or_else(|| natural(&elements), Ok)?;
    of_elements(object.py(), &elements, shape.into(), dtype)
}

/// The tensor of these elements, row by row.
pub(crate) fn of_elements(
    py: Python<'_>,
    elements: &[Bound<'_, PyAny>],
    shape: Shape,
    dtype: DType,
) -> PyResult<Tensor> {
    let each = Elements { py, elements, shape, dtype };
    match dtype {
        DType::Float => each.map(|x| Ok(x.extract::<f64>()? as f32)),
        DType::Double => each.map(|x| x.extract::<f64>()),
        DType::Half => each.map(|x| Ok(f16::from_f64(x.extract::<f64>()?))),
        DType::BFloat16 => each.map(|x| Ok(bf16::from_f64(x.extract::<f64>()?))),
        DType::Int8 => each.map(integer::<i8>),
        DType::Int16 => each.map(integer::<i16>),
        DType::Int32 => each.map(integer::<i32>),
        DType::Int64 => each.map(integer::<i64>),
        DType::UInt8 => each.map(integer::<u8>),
        DType::UInt16 => each.map(integer::<u16>),
        DType::UInt32 => each.map(integer::<u32>),
        DType::UInt64 => each.map(integer::<u64>),
        DType::Bool => each.map(|x| Ok(x.cast::<PyBool>().map_err(PyErr::from)?.is_true())),
        DType::Complex64 => each.map(|x| complex(x).map(|(re, im)| Complex::new(re as f32, im as f32))),
        DType::Complex128 => each.map(|x| complex(x).map(|(re, im)| Complex::new(re, im))),
        DType::String => each.map(text),
        other => Err(PyTypeError::new_err(format!(
            "elements of {} cannot be written in Python: make the tensor by the ops Cast, Bitcast or QuantizeV2",
            dtype::name(other)
        ))),
    }
}

struct Elements<'a, 'py> {
    py: Python<'py>,
    elements: &'a [Bound<'py, PyAny>],
    shape: Shape,
    dtype: DType,
}

impl<'py> Elements<'_, 'py> {
    fn map<T: Element>(self, convert: impl Fn(&Bound<'py, PyAny>) -> PyResult<T>) -> PyResult<Tensor> {
        let named = |element: &Bound<'py, PyAny>, error: PyErr| match error.is_instance_of::<PyOverflowError>(self.py) {
            true => PyOverflowError::new_err(format!("{element} is no number of {}", dtype::name(self.dtype))),
            false => PyTypeError::new_err(format!("{element:?} cannot be an element of {}", dtype::name(self.dtype))),
        };
        let values = self.elements.iter().map(|element| convert(element).map_err(|error| named(element, error)));
        Tensor::from_vec(self.shape, values.collect::<PyResult<Vec<T>>>()?).or_raise(self.py)
    }
}

fn integer<'py, T>(object: &Bound<'py, PyAny>) -> PyResult<T>
where
    T: TryFrom<i128>,
{
    let number = object.extract::<i128>()?;
    T::try_from(number).map_err(|_| PyOverflowError::new_err("outside of the dtype"))
}

fn complex(object: &Bound<'_, PyAny>) -> PyResult<(f64, f64)> {
    match object.cast::<PyComplex>() {
        Ok(number) => Ok((number.real(), number.imag())),
        Err(_) => Ok((object.extract::<f64>()?, 0.0)),
    }
}

fn text(object: &Bound<'_, PyAny>) -> PyResult<TString> {
    match object.cast::<PyBytes>() {
        Ok(bytes) => Ok(TString::new(bytes.as_bytes())),
        Err(_) => Ok(TString::new(object.extract::<String>()?)),
    }
}

/// Appends the elements of nested lists, and finds their shape: that of the first elements, which all others must have.
fn gather<'py>(
    object: &Bound<'py, PyAny>,
    depth: usize,
    shape: &mut Vec<usize>,
    elements: &mut Vec<Bound<'py, PyAny>>,
) -> PyResult<()> {
    if !is_sequence(object) {
        if shape.len() != depth {
            return Err(ragged());
        }
        elements.push(element(object)?);
        return Ok(());
    }
    if depth >= MAX_DEPTH {
        return Err(PyValueError::new_err(format!("lists are nested more than {MAX_DEPTH} deep")));
    }
    let length = object.len()?;
    match shape.get(depth) {
        Some(&wanted) if wanted != length => return Err(ragged()),
        None if !elements.is_empty() => return Err(ragged()),
        Some(_) => {}
        None => shape.push(length),
    }
    object.try_iter()?.try_for_each(|item| gather(&item?, depth + 1, shape, elements))
}

fn ragged() -> PyErr {
    PyValueError::new_err("the nested lists are ragged: all lists of one depth must have one length")
}

/// A number or text as Python has it, also of a scalar of NumPy or a tensor of one element.
fn element<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if is_literal(object) {
        return Ok(object.clone());
    }
    match object.getattr_opt("item")? {
        Some(item) => item.call0(),
        None => {
            let class = object.get_type();
            Err(PyTypeError::new_err(format!("a {class} cannot be an element of a tensor")))
        }
    }
}

fn natural(elements: &[Bound<'_, PyAny>]) -> PyResult<DType> {
    let of_all = elements.iter().try_fold(None, |dtype, element| {
        let of_one = natural_of(element)?;
        match dtype {
            None => Ok(Some(of_one)),
            Some(dtype) => common(dtype, of_one).map(Some),
        }
    });
    Ok(of_all?.unwrap_or(DType::Float))
}

fn natural_of(element: &Bound<'_, PyAny>) -> PyResult<DType> {
    if element.is_instance_of::<PyBool>() {
        return Ok(DType::Bool);
    }
    if element.is_instance_of::<PyInt>() {
        return Ok(if element.extract::<i32>().is_ok() { DType::Int32 } else { DType::Int64 });
    }
    if element.is_instance_of::<PyFloat>() {
        return Ok(DType::Float);
    }
    if element.is_instance_of::<PyComplex>() {
        return Ok(DType::Complex128);
    }
    if element.is_instance_of::<PyString>() || element.is_instance_of::<PyBytes>() {
        return Ok(DType::String);
    }
    Err(PyTypeError::new_err(format!("{element:?} cannot be an element of a tensor")))
}

/// The dtype of elements of both dtypes.
fn common(a: DType, b: DType) -> PyResult<DType> {
    const NUMBERS: [DType; 4] = [DType::Int32, DType::Int64, DType::Float, DType::Complex128];
    let rank = |dtype| NUMBERS.iter().position(|number| *number == dtype);
    match (rank(a), rank(b)) {
        (Some(a), Some(b)) => Ok(NUMBERS[a.max(b)]),
        _ if a == b => Ok(a),
        _ => Err(PyTypeError::new_err(format!(
            "one list holds elements of {} and of {}",
            dtype::name(a),
            dtype::name(b)
        ))),
    }
}
