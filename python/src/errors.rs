//! Errors of the runtime as exceptions: the class of their kind in `oplink.errors`, with what they know as attributes.

use oplink::Error;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

/// What a call of the runtime gives, as Python raises it.
pub(crate) trait OrRaise<T> {
    /// The value, or the exception of the error.
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for oplink::Result<T> {
    #[inline]
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| exception(py, &error))
    }
}

/// The exception of an error: of the class `<kind>Error`, or of `Error` where the package knows no such class.
#[cold]
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    match instance(py, error) {
        Ok(instance) => PyErr::from_value(instance),
        Err(failed) => failed,
    }
}

fn instance<'py>(py: Python<'py>, error: &Error) -> PyResult<Bound<'py, PyAny>> {
    static BASE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let base = BASE.import(py, "oplink.errors", "Error")?;
    let kind = format!("{:?}", error.kind());
    let classes = py.import("oplink.errors")?;
    let class = classes.getattr_opt(format!("{kind}Error"))?.unwrap_or_else(|| base.clone().into_any());
    let (node, op) = node_and_op(error);
    let known = PyDict::new(py);
    known.set_item("kind", kind)?;
    known.set_item("code", format!("{:?}", error.code()))?;
    known.set_item("context", error.context_lines())?;
    known.set_item("node", node)?;
    known.set_item("op", op)?;
    class.call((error.message(),), Some(&known))
}

/// The node and the op that failed: the innermost line of the context that names them, as the runtime writes it:
/// ``node `name` (op Name)``.
fn node_and_op(error: &Error) -> (Option<&str>, Option<&str>) {
    let named = error.context_lines().iter().find_map(|line| {
        let (node, rest) = line.strip_prefix("node `")?.split_once("` (op ")?;
        Some((node, rest.split_once(')')?.0))
    });
    named.unzip()
}
