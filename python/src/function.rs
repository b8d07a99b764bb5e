//! Functions of Python that are traced into graphs: `@oplink.function`.

use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};

use oplink::nn::{Function, Value, function};
use oplink::{Error, Result};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::convert;
use crate::tensor::PyTensor;

type Body = Box<dyn Fn(Vec<Value>) -> Result<Vec<Value>> + Send + Sync>;

thread_local! {
    /// The exception of a body that this thread traced.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// What a body returns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Nothing,
    One,
    Several,
}

// A function whose calls run as a graph: the body is called once for each dtypes and shapes of arguments. The class has
// no documentation, which would hide that of the body.
#[pyclass(frozen, weakref, name = "Function", module = "oplink")]
pub(crate) struct PyFunction {
    body: Py<PyAny>,
    function: Function<Vec<Value>, Vec<Value>, Body>,
    form: std::sync::Arc<Mutex<Option<Form>>>,
}

/// Calls the body; its tensors, and the form in which it returned them.
fn call_body(py: Python<'_>, body: &Py<PyAny>, arguments: Vec<Value>) -> PyResult<(Vec<Value>, Form)> {
    let arguments = PyTuple::new(py, arguments.into_iter().map(PyTensor::from).collect::<Vec<_>>())?;
    let returned = body.bind(py).call1(arguments)?;
    if returned.is_none() {
        return Ok((Vec::new(), Form::Nothing));
    }
    if returned.is_instance_of::<PyTuple>() || returned.is_instance_of::<PyList>() {
        let values = returned.try_iter()?.map(|item| convert::value(&item?, None));
        return Ok((values.collect::<PyResult<_>>()?, Form::Several));
    }
    Ok((vec![convert::value(&returned, None)?], Form::One))
}

#[pymethods]
impl PyFunction {
    // The body takes tensors, and returns a tensor, several in a tuple or a list, or nothing.
    #[new]
    #[pyo3(signature = (body), text_signature = None)]
    fn new(py: Python<'_>, body: Py<PyAny>) -> Self {
        let form = std::sync::Arc::new(Mutex::new(None));
        let (traced, kept) = (body.clone_ref(py), form.clone());
        let called: Body = Box::new(move |arguments| {
            let called = Python::attach(|py| call_body(py, &traced, arguments));
            let (values, form) = called.map_err(|raised| {
                RAISED.set(Some(raised));
                Error::internal("the body of a function raised an exception")
            })?;
            let before = kept.lock().unwrap_or_else(PoisonError::into_inner).replace(form);
            match before {
                Some(before) if before != form => Err(Error::invalid_argument(
                    "the body returned a tensor once, and several or nothing another time: return one form always",
                )),
                _ => Ok(values),
            }
        });
        Self { body, function: function(called), form }
    }

    #[pyo3(signature = (*arguments, **named))]
    fn __call__<'py>(
        &self,
        arguments: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = arguments.py();
        if named.is_some_and(|named| !named.is_empty()) {
            return Err(PyTypeError::new_err("a traced function takes tensors by position"));
        }
        let values = arguments.iter().map(|argument| convert::value(&argument, None)).collect::<PyResult<Vec<_>>>()?;
        let called = py.detach(|| self.function.call(values));
        let values = called.map_err(|error| RAISED.take().unwrap_or_else(|| crate::errors::exception(py, &error)))?;
        let form = *self.form.lock().unwrap_or_else(PoisonError::into_inner);
        let mut tensors = values.into_iter().map(PyTensor::from);
        match form {
            Some(Form::One) => match tensors.next() {
                Some(tensor) => Ok(Bound::new(py, tensor)?.into_any()),
                None => Ok(py.None().into_bound(py)),
            },
            Some(Form::Several) => Ok(PyTuple::new(py, tensors.collect::<Vec<_>>())?.into_any()),
            Some(Form::Nothing) | None => Ok(py.None().into_bound(py)),
        }
    }

    /// How many times the body was traced.
    #[getter]
    fn num_traces(&self) -> usize {
        self.function.num_traces()
    }

    /// The body.
    #[getter]
    fn __wrapped__(&self, py: Python<'_>) -> Py<PyAny> {
        self.body.clone_ref(py)
    }

    #[getter]
    fn __name__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.body.bind(py).getattr("__name__")
    }

    #[getter]
    fn __doc__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.body.bind(py).getattr("__doc__")
    }
}
