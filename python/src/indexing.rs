//! `tensor[…]`: integers, slices, `None` and `…` by the op `StridedSlice`; positions by `GatherV2`; masks by `Where`
//! and `GatherNd`.

use oplink::call::Arg;
use oplink::nn::Value;
use oplink::ops::{GatherNd, GatherV2, StridedSlice, Unpack, Where};
use oplink::{DType, Op, Tensor};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PyInt, PyIterator, PyList, PySlice, PyTuple};
use smallvec::smallvec;

use crate::errors::OrRaise;
use crate::tensor::PyTensor;
use crate::variable::PyVariable;
use crate::{calls, convert};

/// The arguments of a strided slice.
#[derive(Default)]
struct Region {
    begin: Vec<i64>,
    end: Vec<i64>,
    strides: Vec<i64>,
    begin_mask: i64,
    end_mask: i64,
    ellipsis_mask: i64,
    new_axis_mask: i64,
    shrink_axis_mask: i64,
}

/// Elements that a region may have: the masks have a bit for each.
const MAX_ELEMENTS: usize = 32;

impl Region {
    fn of(index: &Bound<'_, PyAny>, dims: Option<&[Option<usize>]>) -> PyResult<Self> {
        let elements: Vec<Bound<'_, PyAny>> = match index.cast::<PyTuple>() {
            Ok(elements) => elements.iter().collect(),
            Err(_) => vec![index.clone()],
        };
        if elements.len() > MAX_ELEMENTS {
            return Err(PyIndexError::new_err(format!("an index has at most {MAX_ELEMENTS} elements")));
        }
        let of_axes = elements.iter().filter(|element| !element.is_none() && !is_ellipsis(element)).count();
        if dims.is_some_and(|dims| of_axes > dims.len()) {
            let rank = dims.map_or(0, <[_]>::len);
            return Err(PyIndexError::new_err(format!("{of_axes} indices for a tensor of {rank} dimensions")));
        }
        let (mut region, mut axis) = (Self::default(), 0);
        for element in &elements {
            let extent = dims.and_then(|dims| dims.get(axis).copied().flatten());
            region.push(element, extent)?;
            axis += match () {
                () if element.is_none() => 0,
                () if is_ellipsis(element) => dims.map_or(0, |dims| dims.len() - of_axes),
                () => 1,
            };
        }
        Ok(region)
    }

    fn push(&mut self, element: &Bound<'_, PyAny>, extent: Option<usize>) -> PyResult<()> {
        let bit = 1 << self.begin.len();
        let (mut begin, mut end, mut stride) = (0, 0, 1);
        if element.is_none() {
            self.new_axis_mask |= bit;
        } else if is_ellipsis(element) {
            if self.ellipsis_mask != 0 {
                return Err(PyIndexError::new_err("an index has one `...` at most"));
            }
            self.ellipsis_mask |= bit;
        } else if let Ok(slice) = element.cast::<PySlice>() {
            let part = |name: &str| slice.getattr(name)?.extract::<Option<i64>>();
            let (first, last) = (part("start")?, part("stop")?);
            self.begin_mask |= if first.is_none() { bit } else { 0 };
            self.end_mask |= if last.is_none() { bit } else { 0 };
            (begin, end, stride) = (first.unwrap_or(0), last.unwrap_or(0), part("step")?.unwrap_or(1));
        } else {
            self.shrink_axis_mask |= bit;
            begin = position(element, extent)?;
            // The element before the end of an axis ends there.
            end = begin.wrapping_add(1);
        }
        self.begin.push(begin);
        self.end.push(end);
        self.strides.push(stride);
        Ok(())
    }
}

fn is_ellipsis(element: &Bound<'_, PyAny>) -> bool {
    element.is_instance_of::<PyEllipsis>()
}

/// A single position, which must exist.
fn position(element: &Bound<'_, PyAny>, extent: Option<usize>) -> PyResult<i64> {
    let not_one = |_| PyTypeError::new_err(format!("{element:?} is no index: give integers, slices, `...` or None"));
    let position: i64 = element.call_method0("__index__").map_err(not_one)?.extract()?;
    let Some(extent) = extent else { return Ok(position) };
    let is_there = if position < 0 { position.unsigned_abs() as usize <= extent } else { (position as usize) < extent };
    match is_there {
        true => Ok(position),
        false => Err(PyIndexError::new_err(format!("index {position} is outside of an axis of {extent}"))),
    }
}

fn slice(own: Value, index: &Bound<'_, PyAny>) -> PyResult<PyTensor> {
    let py = index.py();
    let shape = own.partial_shape().or_raise(py)?;
    let region = Region::of(index, shape.dims())?;
    let list = |numbers: &[i64]| Value::new(Tensor::from_slice(numbers));
    let inputs = [own, list(&region.begin), list(&region.end), list(&region.strides)];
    let attrs = vec![
        ("begin_mask", region.begin_mask.into()),
        ("end_mask", region.end_mask.into()),
        ("ellipsis_mask", region.ellipsis_mask.into()),
        ("new_axis_mask", region.new_axis_mask.into()),
        ("shrink_axis_mask", region.shrink_axis_mask.into()),
    ];
    calls::one::<StridedSlice>(py, inputs, attrs)
}

/// Whether the index is positions or a mask: a tensor, an array or a list, rather than what an axis is cut by.
fn is_of_positions(index: &Bound<'_, PyAny>) -> PyResult<bool> {
    if let Ok(tensor) = index.cast::<PyTensor>() {
        return Ok(tensor.get().value.dtype().or_raise(index.py())? == DType::Bool
            || tensor.get().value.partial_shape().or_raise(index.py())?.rank() != Some(0));
    }
    let simple = index.is_none()
        || is_ellipsis(index)
        || index.is_instance_of::<PySlice>()
        || index.is_instance_of::<PyTuple>()
        || (index.is_instance_of::<PyInt>() && !index.is_instance_of::<PyBool>());
    Ok(!simple && (index.is_instance_of::<PyList>() || index.hasattr("dtype")?))
}

fn gather(own: Value, index: &Bound<'_, PyAny>) -> PyResult<PyTensor> {
    let py = index.py();
    let index = convert::value(index, None)?;
    match index.dtype().or_raise(py)? {
        DType::Bool => {
            let positions = calls::one::<Where>(py, [index], Vec::new())?;
            calls::one::<GatherNd>(py, [own, positions.value], Vec::new())
        }
        _ => calls::one::<GatherV2>(py, [own, index, Value::new(Tensor::scalar(0i32))], Vec::new()),
    }
}

fn item(own: Value, index: &Bound<'_, PyAny>) -> PyResult<PyTensor> {
    if is_of_positions(index)? { gather(own, index) } else { slice(own, index) }
}

fn rows<'py>(py: Python<'py>, own: Value) -> PyResult<Bound<'py, PyIterator>> {
    let shape = own.partial_shape().or_raise(py)?;
    let Some(&Some(rows)) = shape.dims().and_then(<[_]>::first) else {
        return Err(PyTypeError::new_err("a tensor without a known first axis has no rows to go through"));
    };
    let attrs = vec![("num", (rows as i64).into())];
    let outputs = calls::run(py, Unpack::NAME, smallvec![Arg::One(own)], attrs)?;
    PyList::new(py, outputs.values.into_iter().map(PyTensor::from))?.try_iter()
}

#[pymethods]
impl PyTensor {
    fn __getitem__(&self, index: &Bound<'_, PyAny>) -> PyResult<PyTensor> {
        item(self.value.clone(), index)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        rows(py, self.value.clone())
    }
}

#[pymethods]
impl PyVariable {
    fn __getitem__(&self, index: &Bound<'_, PyAny>) -> PyResult<PyTensor> {
        item(self.own(index.py())?, index)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        rows(py, self.own(py)?)
    }
}
