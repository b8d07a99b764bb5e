//! Element types: the class `DType`, and what Python code names one by.

use oplink::DType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyComplex, PyFloat, PyInt, PyString, PyType};

/// The type of a tensor's elements.
#[pyclass(frozen, eq, hash, name = "DType", module = "oplink")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyDType(pub(crate) DType);

/// The name that NumPy has for it, where NumPy has it: `float32` for `float`.
pub(crate) fn name(dtype: DType) -> &'static str {
    match dtype {
        DType::Float => "float32",
        DType::Double => "float64",
        DType::Half => "float16",
        other => other.name(),
    }
}

#[pymethods]
impl PyDType {
    /// The dtype that a name, a Python type or a NumPy dtype stands for.
    #[new]
    fn new(dtype: &Bound<'_, PyAny>) -> PyResult<Self> {
        parse(dtype).map(Self)
    }

    /// The name, such as `float32`.
    #[getter]
    fn name(&self) -> &'static str {
        name(self.0)
    }

    /// The number of TensorFlow's `DataType`.
    #[getter]
    fn number(&self) -> i32 {
        self.0.number()
    }

    /// Bytes of an element; `None` for strings, resources and variants.
    #[getter]
    fn itemsize(&self) -> Option<usize> {
        self.0.size()
    }

    /// Whether it is a floating-point type.
    #[getter]
    fn is_floating(&self) -> bool {
        self.0.is_floating()
    }

    /// Whether it is an integer type, signed or not.
    #[getter]
    fn is_integer(&self) -> bool {
        self.0.is_integer()
    }

    /// Whether it is `complex64` or `complex128`.
    #[getter]
    fn is_complex(&self) -> bool {
        self.0.is_complex()
    }

    fn __repr__(&self) -> String {
        format!("oplink.{}", self.name())
    }

    fn __str__(&self) -> &'static str {
        self.name()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (&'static str,)) {
        (py.get_type::<Self>(), (self.name(),))
    }
}

/// The dtype that an object names: a `DType`, a name, a Python type, or a dtype or scalar type of NumPy.
pub(crate) fn parse(object: &Bound<'_, PyAny>) -> PyResult<DType> {
    if let Ok(dtype) = object.cast::<PyDType>() {
        return Ok(dtype.get().0);
    }
    if let Some(dtype) = of_python_type(object) {
        return Ok(dtype);
    }
    let named = match object.cast::<PyString>() {
        Ok(name) => Some(name.to_string()),
        Err(_) => ["name", "__name__"]
            .into_iter()
            .find_map(|attribute| object.getattr(attribute).ok()?.extract::<String>().ok()),
    };
    let unknown = || PyTypeError::new_err(format!("{object} names no dtype: give one such as oplink.float32"));
    named.and_then(|name| of_name(&name)).ok_or_else(unknown)
}

/// The dtype of a name of ours or of NumPy.
pub(crate) fn of_name(name: &str) -> Option<DType> {
    match name {
        "bool_" => Some(DType::Bool),
        "object" | "object_" | "str_" | "bytes_" | "str" | "bytes" => Some(DType::String),
        _ => DType::parse(name),
    }
}

fn of_python_type(object: &Bound<'_, PyAny>) -> Option<DType> {
    let py = object.py();
    let pairs = [
        (py.get_type::<PyFloat>(), DType::Float),
        (py.get_type::<PyInt>(), DType::Int32),
        (py.get_type::<PyBool>(), DType::Bool),
        (py.get_type::<PyComplex>(), DType::Complex128),
        (py.get_type::<PyString>(), DType::String),
        (py.get_type::<PyBytes>(), DType::String),
    ];
    pairs.into_iter().find(|(python, _)| object.is(python)).map(|(_, dtype)| dtype)
}

/// Adds the class, and a constant for each dtype.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyDType>()?;
    DType::ALL.iter().try_for_each(|dtype| {
        let constant = if *dtype == DType::Bool { "bool_" } else { name(*dtype) };
        module.add(constant, PyDType(*dtype))
    })
}
