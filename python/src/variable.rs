//! The class `Variable`: a tensor that training changes.

use oplink::Result;
use oplink::nn::{Value, Variable};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::dtype::PyDType;
use crate::errors::OrRaise;
use crate::tensor::PyTensor;
use crate::{convert, dtype};

/// A variable: it has a dtype and a shape for good, and a value that is assigned. Where a tensor is wanted, it is its
/// value; a tape watches a trainable one that is read.
#[pyclass(frozen, weakref, name = "Variable", module = "oplink")]
pub(crate) struct PyVariable {
    pub(crate) variable: Variable,
}

impl From<Variable> for PyVariable {
    fn from(variable: Variable) -> Self {
        Self { variable }
    }
}

impl PyVariable {
    fn change(
        &self,
        value: &Bound<'_, PyAny>,
        change: impl FnOnce(&Variable, Value) -> Result<()> + Send,
    ) -> PyResult<()> {
        let py = value.py();
        let value = convert::value(value, Some(self.variable.dtype()))?;
        py.detach(|| change(&self.variable, value)).or_raise(py)
    }
}

#[pymethods]
impl PyVariable {
    /// A variable with a first value.
    #[new]
    #[pyo3(signature = (value, *, name = "Variable", trainable = true, dtype = None))]
    fn new(value: &Bound<'_, PyAny>, name: &str, trainable: bool, dtype: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let py = value.py();
        let value = convert::value_of_dtype(value, dtype.map(dtype::parse).transpose()?)?;
        let made = if trainable { Variable::new(name, value) } else { Variable::untrained(name, value) };
        made.or_raise(py).map(Self::from)
    }

    /// The name it was made with.
    #[getter]
    fn name(&self) -> &str {
        self.variable.name()
    }

    /// Whether gradients are for it.
    #[getter]
    fn trainable(&self) -> bool {
        self.variable.is_trainable()
    }

    /// The dtype.
    #[getter]
    fn dtype(&self) -> PyDType {
        PyDType(self.variable.dtype())
    }

    /// The extents.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.variable.shape().dims())
    }

    /// The handle, which ops on resources take.
    #[getter]
    fn handle(&self) -> PyTensor {
        self.variable.handle().clone().into()
    }

    /// The value now.
    fn read(&self, py: Python<'_>) -> PyResult<PyTensor> {
        py.detach(|| self.variable.read()).or_raise(py).map(PyTensor::from)
    }

    /// The value now, as a NumPy array.
    fn numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let tensor = self.variable.tensor().or_raise(py)?;
        PyTensor::numpy(&Bound::new(py, PyTensor::from(tensor))?)
    }

    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let tensor = self.variable.tensor().or_raise(py)?;
        PyTensor::__array__(&Bound::new(py, PyTensor::from(tensor))?, dtype, copy)
    }

    /// Gives it another value of its shape.
    fn assign(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.change(value, |variable, value| variable.assign(value))
    }

    /// Adds to its value.
    fn assign_add(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.change(value, |variable, value| variable.assign_add(value))
    }

    /// Subtracts from its value.
    fn assign_sub(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.change(value, |variable, value| variable.assign_sub(value))
    }

    fn __repr__(&self) -> String {
        let Self { variable } = self;
        let dtype = dtype::name(variable.dtype());
        format!("<oplink.Variable {:?} {dtype} {}>", variable.name(), variable.shape())
    }
}
