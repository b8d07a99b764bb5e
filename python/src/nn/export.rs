//! Modules written as SavedModels.

use std::path::PathBuf;

use oplink::nn::export::{Export, Input};
use oplink::nn::{Module, Value, Variable, Visitor};
use oplink::{Error, Result};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::OrRaise;
use crate::same_thread::detached;
use crate::tensor::PyTensor;
use crate::variable::PyVariable;
use crate::{attrs, convert, dtype};

/// The name of the output of a function that returns one tensor, as Keras has it.
const OUTPUT: &str = "output_0";

/// Variables with the names that a module of Python gives them.
struct Named(Vec<(String, Variable)>);

impl Named {
    fn of(module: &Bound<'_, PyAny>) -> PyResult<Self> {
        let variables = module.getattr("variables")?;
        let variables = variables.cast::<PyDict>().map_err(|_| {
            PyTypeError::new_err(
                "`module` has no variables by name: give a `Layer`, a `Module`, or another such object",
            )
        })?;
        let named = variables.iter().map(|(name, variable)| {
            let variable = variable.cast::<PyVariable>()?.get().variable.clone();
            Ok((name.extract()?, variable))
        });
        named.collect::<PyResult<_>>().map(Self)
    }
}

impl Module for Named {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        self.0.iter().for_each(|(name, variable)| visitor.part(name, variable));
    }
}

/// A signature as Python gives it: a function, and for each of its parameters the shape and the dtype.
#[derive(FromPyObject)]
struct Signature<'py>(Bound<'py, PyAny>, Bound<'py, PyDict>);

impl<'py> Signature<'py> {
    fn inputs(&self) -> PyResult<Vec<(String, Input)>> {
        let input = |(name, spec): (Bound<'py, PyAny>, Bound<'py, PyAny>)| {
            let name: String = name.extract()?;
            let (shape, dtype): (Bound<'py, PyAny>, Bound<'py, PyAny>) = spec.extract()?;
            let input = Input::new(&name, dtype::parse(&dtype)?, attrs::shape(&shape)?);
            Ok((name, input))
        };
        self.1.iter().map(input).collect()
    }

    /// Calls the function; its outputs by name.
    fn call(&self, names: &[String], values: &[Value]) -> PyResult<Vec<(String, Value)>> {
        let arguments = PyDict::new(self.0.py());
        for (name, value) in names.iter().zip(values) {
            arguments.set_item(name, PyTensor::from(value.clone()))?;
        }
        let returned = self.0.call((), Some(&arguments))?;
        match returned.cast::<PyDict>() {
            Ok(outputs) => {
                outputs.iter().map(|(name, value)| Ok((name.extract()?, convert::value(&value, None)?))).collect()
            }
            Err(_) => Ok(vec![(OUTPUT.to_owned(), convert::value(&returned, None)?)]),
        }
    }
}

/// Writes a module as a SavedModel, which TensorFlow loads too, with the values that its variables have now. A model
/// that is in the folder is replaced. `signatures` has, for the name of each, a function and the shape and dtype of
/// each of its parameters; the function is traced once, with tensors by keyword, and returns a tensor or a dictionary
/// of them.
#[pyfunction]
fn export(module: &Bound<'_, PyAny>, path: PathBuf, signatures: &Bound<'_, PyDict>) -> PyResult<()> {
    let py = module.py();
    let mut export = Export::new(&Named::of(module)?).or_raise(py)?;
    for (name, signature) in signatures {
        let (name, signature): (String, Signature<'_>) = (name.extract()?, signature.extract()?);
        let (names, inputs): (Vec<String>, Vec<Input>) = signature.inputs()?.into_iter().unzip();
        let mut raised = None;
        let body = |values: &[Value]| -> Result<Vec<(String, Value)>> {
            signature.call(&names, values).map_err(|error| {
                raised = Some(error);
                Error::internal("the function of a signature raised an exception")
            })
        };
        let traced = export.signature(&name, &inputs, body).map(drop);
        if let Some(raised) = raised {
            return Err(raised);
        }
        traced.or_raise(py)?;
    }
    detached(py, || export.save(path)).or_raise(py)
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(export, module)?)
}
