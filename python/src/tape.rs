//! Tapes: gradients of what ran while they recorded.

use std::cell::RefCell;

use oplink::nn::{Tape, Value};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::convert;
use crate::errors::OrRaise;
use crate::same_thread::detached;
use crate::tensor::PyTensor;
use crate::variable::PyVariable;

/// Records the calls of this thread, as far as they depend on trainable variables that are read, or on tensors that it
/// watches.
#[pyclass(unsendable, name = "Tape", module = "oplink")]
pub(crate) struct PyTape {
    is_persistent: bool,
    tape: RefCell<Option<Tape>>,
}

impl PyTape {
    fn with<R>(&self, run: impl FnOnce(&Tape) -> PyResult<R>) -> PyResult<R> {
        match &*self.tape.borrow() {
            Some(tape) => run(tape),
            None => Err(PyValueError::new_err("the tape records nothing yet: write `with oplink.Tape() as tape:`")),
        }
    }
}

#[pymethods]
impl PyTape {
    /// A tape for one gradient; a persistent one for any number of them.
    #[new]
    #[pyo3(signature = (*, persistent = false))]
    fn new(persistent: bool) -> Self {
        Self { is_persistent: persistent, tape: RefCell::new(None) }
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        {
            let this = slf.borrow();
            let tape = if this.is_persistent { Tape::persistent() } else { Tape::new() };
            *this.tape.borrow_mut() = Some(tape);
        }
        slf
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, _error: &Bound<'_, PyTuple>) {
        if let Some(tape) = &*self.tape.borrow() {
            tape.stop();
        }
    }

    /// Watches a tensor.
    fn watch(&self, tensor: &Bound<'_, PyTensor>) -> PyResult<()> {
        self.with(|tape| {
            tape.watch(&tensor.get().value);
            Ok(())
        })
    }

    /// The gradient of the sum of `y`'s elements by a variable or a watched tensor, or a list of gradients by a list of
    /// these; `None` where `y` does not depend on one. With `weights` each element of `y` counts as often.
    #[pyo3(signature = (y, xs, weights = None))]
    fn gradient<'py>(
        &self,
        y: &Bound<'py, PyTensor>,
        xs: &Bound<'py, PyAny>,
        weights: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, y) = (y.py(), &y.get().value);
        let only = watched(xs).ok();
        let values = match &only {
            Some(value) => vec![value.clone()],
            None => xs.try_iter()?.map(|x| watched(&x?)).collect::<PyResult<Vec<_>>>()?,
        };
        let dtype = y.dtype().or_raise(py)?;
        let weights = weights.map(|weights| convert::value(weights, Some(dtype))).transpose()?;
        let gradients = self.with(|tape| {
            let run = || match weights {
                Some(weights) => tape.weighted_gradient(y, weights, &values),
                None => tape.gradient(y, &values),
            };
            detached(py, run).or_raise(py)
        })?;
        let mut gradients = gradients.into_iter().map(|gradient| gradient.map(PyTensor::from));
        match gradients.next() {
            Some(first) if only.is_some() => Ok(first.into_pyobject(py)?.into_any()),
            first => Ok(PyList::new(py, first.into_iter().chain(gradients).collect::<Vec<_>>())?.into_any()),
        }
    }
}

/// The value that tapes know a tensor or a variable by.
fn watched(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Ok(variable) = object.cast::<PyVariable>() {
        return Ok(variable.get().variable.handle().clone());
    }
    Ok(object.cast::<PyTensor>()?.get().value.clone())
}
