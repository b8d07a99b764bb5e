//! SavedModels: loaded, and called by their signatures.

use std::path::PathBuf;
use std::sync::Arc;

use oplink::SavedModel;
use oplink::graph::Session;
use oplink::saved_model::{LoadOptions, TensorInfo};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::convert;
use crate::dtype::PyDType;
use crate::errors::OrRaise;
use crate::session::{AsSession, PySession, session_devices, session_options};
use crate::tensor::PyTensor;

impl AsSession for SavedModel {
    fn session(&self) -> &Session {
        self.session()
    }
}

/// A SavedModel with its variables restored. Threads may share it.
#[pyclass(frozen, weakref, name = "SavedModel", module = "oplink")]
pub(crate) struct PySavedModel {
    model: Arc<SavedModel>,
}

#[pymethods]
impl PySavedModel {
    /// Loads a folder. `tags` choose the graph where there are several; `device` is where nodes run that have kernels
    /// for it, as `GPU:0`; `threads` how many threads a kernel may use, 0 for all.
    #[new]
    #[pyo3(signature = (path, *, tags = Vec::new(), device = None, threads = 0))]
    fn new(py: Python<'_>, path: PathBuf, tags: Vec<String>, device: Option<String>, threads: usize) -> PyResult<Self> {
        let load = || {
            let mut options = LoadOptions::default();
            (options.tags, options.session) = (tags, session_options(threads));
            options.devices = session_devices(device.as_deref())?;
            SavedModel::load_with(path, &options)
        };
        Ok(Self { model: Arc::new(py.detach(load).or_raise(py)?) })
    }

    /// The signatures by name.
    #[getter]
    fn signatures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let signatures = PyDict::new(py);
        for signature in self.model.signatures() {
            let name = signature.name().to_owned();
            signatures.set_item(&name, PySignature { model: self.model.clone(), name: name.clone() })?;
        }
        Ok(signatures)
    }

    /// The tags of the loaded graph.
    #[getter]
    fn tags(&self) -> Vec<String> {
        self.model.tags().to_vec()
    }

    /// The session, which runs the graph by names of tensors.
    #[getter]
    fn session(&self) -> PySession {
        PySession::of(self.model.clone())
    }

    fn __getitem__(&self, name: &str) -> PyResult<PySignature> {
        let missing = |error: oplink::Error| PyKeyError::new_err(error.message().to_owned());
        let name = self.model.signature(name).map_err(missing)?.name().to_owned();
        Ok(PySignature { model: self.model.clone(), name })
    }

    /// Calls the signature `serving_default`, or the only one.
    #[pyo3(signature = (**inputs))]
    fn __call__<'py>(&self, py: Python<'py>, inputs: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyDict>> {
        let mut signatures = self.model.signatures();
        let name = match (signatures.next(), signatures.next()) {
            (Some(only), None) => only.name().to_owned(),
            _ => "serving_default".to_owned(),
        };
        PySignature { model: self.model.clone(), name }.__call__(py, None, inputs)
    }

    /// Writes the model, with the values that its variables have now.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.model.save(path)).or_raise(py)
    }

    fn __repr__(&self) -> String {
        let names: Vec<&str> = self.model.signatures().map(|signature| signature.name()).collect();
        format!("<oplink.SavedModel {:?} with the signatures {}>", self.model.dir(), names.join(", "))
    }
}

/// A call that a model offers: by keyword, with tensors, arrays, numbers or lists.
#[pyclass(frozen, name = "Signature", module = "oplink")]
pub(crate) struct PySignature {
    model: Arc<SavedModel>,
    name: String,
}

impl PySignature {
    fn infos(&self, py: Python<'_>, of_inputs: bool) -> PyResult<&[TensorInfo]> {
        let signature = self.model.signature(&self.name).or_raise(py)?;
        Ok(if of_inputs { signature.inputs() } else { signature.outputs() })
    }

    fn described<'py>(&self, py: Python<'py>, of_inputs: bool) -> PyResult<Bound<'py, PyDict>> {
        let described = PyDict::new(py);
        for info in self.infos(py, of_inputs)? {
            let dims = info.shape.dims().map(|dims| PyTuple::new(py, dims)).transpose()?;
            described.set_item(&info.name, (info.dtype.map(PyDType), dims))?;
        }
        Ok(described)
    }
}

#[pymethods]
impl PySignature {
    /// The name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The dtype and the shape of each input; `None` among the extents is open, `None` as the shape an unknown rank.
    #[getter]
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.described(py, true)
    }

    /// The dtype and the shape of each output.
    #[getter]
    fn outputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.described(py, false)
    }

    /// Runs the call: the outputs by name. Inputs whose names Python cannot write as keywords are given in the
    /// dictionary `feeds`.
    #[pyo3(signature = (feeds = None, /, **inputs))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        feeds: Option<&Bound<'py, PyDict>>,
        inputs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let infos = self.infos(py, true)?;
        let mut values = Vec::new();
        for (name, value) in feeds.into_iter().chain(inputs).flat_map(|given| given.iter()) {
            let name = name.extract::<String>()?;
            let info = infos.iter().find(|info| info.name == name);
            let Some(info) = info else {
                let names: Vec<&str> = infos.iter().map(|info| &*info.name).collect();
                let (own, names) = (&self.name, names.join(", "));
                return Err(PyTypeError::new_err(format!(
                    "the signature `{own}` has no input `{name}`; it has {names}"
                )));
            };
            values.push((&*info.name, convert::tensor(&value, info.dtype)?));
        }
        let ran = py.detach(|| self.model.signature(&self.name)?.run(&values));
        let outputs = PyDict::new(py);
        for (name, tensor) in ran.or_raise(py)? {
            outputs.set_item(name, PyTensor::from(tensor))?;
        }
        Ok(outputs)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let list = |infos: &[TensorInfo]| infos.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let (inputs, outputs) = (list(self.infos(py, true)?), list(self.infos(py, false)?));
        Ok(format!("<oplink.Signature {}({inputs}) -> {outputs}>", self.name))
    }
}
