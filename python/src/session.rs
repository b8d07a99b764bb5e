//! Sessions: graphs of files, run by the names of their tensors.

use std::path::PathBuf;
use std::time::Duration;

use oplink::graph::eager::EagerContext;
use oplink::graph::{Graph, RunOptions, Session, SessionOptions};
use oplink::runtime::{Device, Registry, host_device};
use oplink::saved_model::ModelFile;
use oplink::{DType, Error, Result, ResultExt, Tensor};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use std::sync::Arc;

use crate::convert;
use crate::errors::OrRaise;
use crate::tensor::PyTensor;

/// A graph that is ready to run. Threads may share it.
#[pyclass(frozen, weakref, name = "Session", module = "oplink")]
pub(crate) struct PySession {
    session: Arc<dyn AsSession>,
}

/// What has a session: itself, or a model that keeps its variables there.
pub(crate) trait AsSession: Send + Sync {
    /// The session.
    fn session(&self) -> &Session;
}

impl AsSession for Session {
    fn session(&self) -> &Session {
        self
    }
}

/// How runs go, as Python code asks for.
pub(crate) fn session_options(threads: usize) -> SessionOptions {
    SessionOptions { intra_op_threads: threads, ..SessionOptions::default() }
}

/// The device of this name before the host; none for the host alone.
pub(crate) fn session_devices(device: Option<&str>) -> Result<Vec<Arc<dyn Device>>> {
    let Some(device) = device else { return Ok(Vec::new()) };
    let (found, host) = (EagerContext::global()?.device_named(device)?, host_device()?);
    Ok(if found.context().is_some() { vec![found, host] } else { vec![found] })
}

/// Options of one run.
pub(crate) fn run_options(timeout: Option<f64>) -> PyResult<RunOptions> {
    let timeout = timeout.map(|seconds| {
        Duration::try_from_secs_f64(seconds)
            .map_err(|_| PyValueError::new_err(format!("timeout={seconds}: give seconds, not below zero")))
    });
    Ok(RunOptions { timeout: timeout.transpose()?, ..RunOptions::default() })
}

fn load(path: &PathBuf, device: Option<&str>, threads: usize) -> Result<Session> {
    let ModelFile::Graph(def) = ModelFile::read(path)? else {
        let message = format!("{} is a SavedModel: load it by `oplink.SavedModel`", path.display());
        return Err(Error::invalid_argument(message));
    };
    let graph = Graph::import(&def, Registry::global()?);
    let graph = graph.context_with(|| format!("importing {}", path.display()))?;
    let (devices, options) = (session_devices(device)?, session_options(threads));
    if devices.is_empty() { Session::new(graph, options) } else { Session::on_devices(graph, devices, options) }
}

impl PySession {
    pub(crate) fn of(session: Arc<dyn AsSession>) -> Self {
        Self { session }
    }

    /// The dtype that a feed of this name takes.
    fn dtype(&self, name: &str) -> Option<DType> {
        let graph = self.session.session().graph();
        graph.dtype(graph.output_named(name).ok()?)
    }

    fn feeds(&self, feeds: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, Tensor)>> {
        let each = feeds.into_iter().flat_map(|feeds| feeds.iter()).map(|(name, value)| {
            let name = name.extract::<String>()?;
            let tensor = convert::tensor(&value, self.dtype(&name))?;
            Ok((name, tensor))
        });
        each.collect()
    }
}

fn strs(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

#[pymethods]
impl PySession {
    /// The graph of a file, binary or in the text format. `device` is where nodes run that have kernels for it, as
    /// `GPU:0`; `threads` how many threads a kernel may use, 0 for all.
    #[new]
    #[pyo3(signature = (path, *, device = None, threads = 0))]
    fn new(py: Python<'_>, path: PathBuf, device: Option<String>, threads: usize) -> PyResult<Self> {
        let session = py.detach(|| load(&path, device.as_deref(), threads)).or_raise(py)?;
        Ok(Self::of(Arc::new(session)))
    }

    /// Feeds values by names of tensors, runs what the fetches and targets need, and returns the fetched tensor, or a
    /// list of those for a list of names. The run must end within `timeout` seconds.
    #[pyo3(signature = (fetches, feeds = None, *, targets = Vec::new(), timeout = None))]
    fn run<'py>(
        &self,
        fetches: &Bound<'py, PyAny>,
        feeds: Option<&Bound<'py, PyDict>>,
        targets: Vec<String>,
        timeout: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = fetches.py();
        let is_one = fetches.is_instance_of::<PyString>();
        let names = if is_one { vec![fetches.extract()?] } else { fetches.extract::<Vec<String>>()? };
        let (feeds, options) = (self.feeds(feeds)?, run_options(timeout)?);
        let ran = py.detach(|| {
            let feeds: Vec<(&str, Tensor)> = feeds.iter().map(|(name, value)| (&**name, value.clone())).collect();
            self.session.session().run_with(&options, &feeds, &strs(&names), &strs(&targets))
        });
        let mut tensors = ran.or_raise(py)?.0.into_iter().map(PyTensor::from);
        match tensors.next() {
            Some(first) if is_one => Ok(Bound::new(py, first)?.into_any()),
            first => Ok(PyList::new(py, first.into_iter().chain(tensors).collect::<Vec<_>>())?.into_any()),
        }
    }

    /// The names of the graph's nodes with their ops, in the graph's order.
    fn nodes(&self) -> Vec<(String, String)> {
        let graph = self.session.session().graph();
        graph.nodes().iter().map(|node| (node.name().to_owned(), node.op_name().to_owned())).collect()
    }

    /// The names of the nodes that are fed.
    fn placeholders(&self) -> Vec<String> {
        let graph = self.session.session().graph();
        let is_fed = |op: &str| [<oplink::ops::Placeholder as oplink::Op>::NAME, "PlaceholderV2"].contains(&op);
        graph.nodes().iter().filter(|node| is_fed(node.op_name())).map(|node| node.name().to_owned()).collect()
    }

    /// The names of the nodes that have outputs of which no node reads any.
    fn outputs(&self) -> Vec<String> {
        let graph = self.session.session().graph();
        let mut read = vec![false; graph.nodes().len()];
        for input in graph.nodes().iter().flat_map(oplink::graph::Node::inputs) {
            read[input.node as usize] = true;
        }
        let unread = graph.nodes().iter().zip(read).filter(|(node, read)| !read && node.num_outputs() > 0);
        unread.map(|(node, _)| node.name().to_owned()).collect()
    }

    /// Ends the runs that go on; later ones fail.
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.session.session().close());
    }
}
