//! Plugins: libraries with ops, kernels and devices that are loaded while the program runs.

use std::path::PathBuf;

use oplink::{Runtime, Strictness};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::OrRaise;

/// Loads a plugin: its ops are then in `oplink.ops`, its devices may be named. Gives what it declares. With `strict` a
/// plugin of which not everything is valid is refused as a whole.
#[pyfunction]
#[pyo3(signature = (path, *, strict = None))]
pub(crate) fn load_plugin<'py>(py: Python<'py>, path: PathBuf, strict: Option<bool>) -> PyResult<Bound<'py, PyDict>> {
    let strictness = match strict {
        None => Strictness::default(),
        Some(true) => Strictness::AllOrNone,
        Some(false) => Strictness::WhatIsValid,
    };
    let info = py.detach(|| Runtime::load_plugin_with(path, strictness)).or_raise(py)?;
    let told = PyDict::new(py);
    told.set_item("path", &info.path)?;
    told.set_item("package", info.package.clone())?;
    told.set_item("device_type", info.platform.as_ref().map(|platform| &*platform.device_type))?;
    told.set_item("ops", info.ops.iter().map(|op| &*op.name).collect::<Vec<_>>())?;
    told.set_item("num_kernels", info.kernels.len())?;
    told.set_item("num_gradients", info.gradients.len())?;
    told.set_item("warning", info.warning())?;
    Ok(told)
}
