//! Values of attrs: what Python code gives, and defaults as Python shows them.

use oplink::spec::{AttrKind, AttrValue as SpecValue, ListValue, ScalarKind};
use oplink::{AttrMap, AttrValue, DType, FuncAttr, PartialShape};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};

use crate::errors::OrRaise;
use crate::{convert, dtype};

/// The value of an attr of this kind.
pub(crate) fn value(kind: AttrKind, object: &Bound<'_, PyAny>) -> PyResult<AttrValue> {
    if !kind.list {
        return scalar(kind.scalar, object);
    }
    Ok(match kind.scalar {
        ScalarKind::String => AttrValue::Strings(list(object, text)?),
        ScalarKind::Int => AttrValue::Ints(list(object, integer)?),
        ScalarKind::Float => AttrValue::Floats(list(object, float)?),
        ScalarKind::Bool => AttrValue::Bools(list(object, |x| x.extract())?),
        ScalarKind::Type => AttrValue::Types(list(object, dtype::parse)?),
        ScalarKind::Shape => AttrValue::Shapes(list(object, shape)?),
        ScalarKind::Tensor => AttrValue::Tensors(list(object, |x| convert::tensor(x, None))?),
        ScalarKind::Func => AttrValue::Funcs(list(object, function)?),
    })
}

fn scalar(kind: ScalarKind, object: &Bound<'_, PyAny>) -> PyResult<AttrValue> {
    Ok(match kind {
        ScalarKind::String => AttrValue::String(text(object)?),
        ScalarKind::Int => AttrValue::Int(integer(object)?),
        ScalarKind::Float => AttrValue::Float(float(object)?),
        ScalarKind::Bool => AttrValue::Bool(object.extract()?),
        ScalarKind::Type => AttrValue::Type(dtype::parse(object)?),
        ScalarKind::Shape => AttrValue::Shape(shape(object)?),
        ScalarKind::Tensor => AttrValue::Tensor(convert::tensor(object, None)?),
        ScalarKind::Func => AttrValue::Func(function(object)?),
    })
}

fn list<'py, T>(object: &Bound<'py, PyAny>, each: impl Fn(&Bound<'py, PyAny>) -> PyResult<T>) -> PyResult<Vec<T>> {
    if object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>() {
        return Err(PyTypeError::new_err("a list is wanted, not a text"));
    }
    object.try_iter()?.map(|item| each(&item?)).collect()
}

fn text(object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    match object.cast::<PyBytes>() {
        Ok(bytes) => Ok(bytes.as_bytes().to_vec()),
        Err(_) => Ok(object.extract::<String>()?.into_bytes()),
    }
}

fn integer(object: &Bound<'_, PyAny>) -> PyResult<i64> {
    object.extract()
}

fn float(object: &Bound<'_, PyAny>) -> PyResult<f32> {
    Ok(object.extract::<f64>()? as f32)
}

/// A shape: integers, `None` (or -1) for an extent that is open, `None` for an unknown rank.
pub(crate) fn shape(object: &Bound<'_, PyAny>) -> PyResult<PartialShape> {
    if object.is_none() {
        return Ok(PartialShape::unknown());
    }
    let extent = |item: &Bound<'_, PyAny>| Ok(item.extract::<Option<i64>>()?.unwrap_or(-1));
    let dims = match object.extract::<i64>() {
        Ok(extent) => vec![extent],
        Err(_) => list(object, extent)?,
    };
    PartialShape::from_i64(Some(&dims)).or_raise(object.py())
}

/// The name of a function of the graph's library.
fn function(object: &Bound<'_, PyAny>) -> PyResult<FuncAttr> {
    Ok(FuncAttr { name: object.extract()?, attrs: AttrMap::new() })
}

/// A default as Python shows it; `None` for what Python does not write: tensors, functions, unknown shapes.
pub(crate) fn shown<'py>(py: Python<'py>, value: &SpecValue) -> PyResult<Bound<'py, PyAny>> {
    match value {
        SpecValue::String(bytes) => shown_text(py, bytes),
        SpecValue::Int(number) => Ok(number.into_pyobject(py)?.into_any()),
        SpecValue::Float(number) => shown_float(py, *number),
        SpecValue::Bool(truth) => Ok(truth.into_pyobject(py)?.to_owned().into_any()),
        SpecValue::Type(dtype) => shown_dtype(py, *dtype),
        SpecValue::Shape(Some(dims)) => Ok(PyTuple::new(py, dims)?.into_any()),
        SpecValue::List(list) => shown_list(py, list),
        SpecValue::Shape(None) | SpecValue::Tensor(_) | SpecValue::Func(_) | SpecValue::Placeholder(_) => {
            Ok(py.None().into_bound(py))
        }
    }
}

fn shown_text<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    Ok(match std::str::from_utf8(bytes) {
        Ok(text) => PyString::new(py, text).into_any(),
        Err(_) => PyBytes::new(py, bytes).into_any(),
    })
}

/// The number with as few digits as tell its `f32`.
fn shown_float(py: Python<'_>, number: f32) -> PyResult<Bound<'_, PyAny>> {
    let short = number.to_string().parse::<f64>().unwrap_or(number.into());
    Ok(short.into_pyobject(py)?.into_any())
}

fn shown_dtype(py: Python<'_>, dtype: DType) -> PyResult<Bound<'_, PyAny>> {
    Ok(PyString::new(py, dtype::name(dtype)).into_any())
}

fn shown_list<'py>(py: Python<'py>, list: &ListValue) -> PyResult<Bound<'py, PyAny>> {
    let mut items = Vec::new();
    list.strings.iter().try_for_each(|x| shown_text(py, x).map(|x| items.push(x)))?;
    list.floats.iter().try_for_each(|x| shown_float(py, *x).map(|x| items.push(x)))?;
    list.types.iter().try_for_each(|x| shown_dtype(py, *x).map(|x| items.push(x)))?;
    for number in &list.ints {
        items.push(number.into_pyobject(py)?.into_any());
    }
    for truth in &list.bools {
        items.push(truth.into_pyobject(py)?.to_owned().into_any());
    }
    for dims in &list.shapes {
        items.push(shown(py, &SpecValue::Shape(dims.clone()))?);
    }
    Ok(PyList::new(py, items)?.to_tuple().into_any())
}
