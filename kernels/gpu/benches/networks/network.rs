//! A network with its inputs and TensorFlow's outputs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use oplink::{DType, Tensor};
use oplink_core::{Device, Registry, devices};
use oplink_graph::{Graph, Session, SessionOptions};

use crate::arrays::Archive;
use crate::{Outcome, weights};

/// A network to run.
pub(crate) struct Network {
    path: PathBuf,
    pub(crate) feeds: Vec<String>,
    pub(crate) inputs: Vec<Tensor>,
    pub(crate) fetches: Vec<String>,
    expected: Vec<Tensor>,
}

impl Network {
    /// From `path`, which ends in `.pb`, and the archive beside it.
    pub(crate) fn load(path: &Path) -> Outcome<Self> {
        let values = path.with_extension("npz");
        if !path.is_file() || !values.is_file() {
            return Err(format!("there is no {} with {} beside it", path.display(), values.display()).into());
        }
        let mut archive = Archive::open(&values);
        let mut names: Vec<String> =
            archive.names().iter().map(|name| name.trim_end_matches(".npy").to_owned()).collect();
        names.sort();
        let of = |prefix: &str| -> Vec<String> {
            names.iter().filter_map(|name| name.strip_prefix(prefix).map(str::to_owned)).collect()
        };
        let (feeds, fetches) = (of("in:"), of("out:"));
        let graph = Graph::load(path, Registry::global()?)?;
        let mut read = |prefix: &str, name: &String| -> Outcome<Tensor> {
            let dtype = graph.output_named(name).map(|output| graph.dtype(output))?;
            let name = format!("{prefix}{name}");
            Ok(if dtype == Some(DType::UInt8) { archive.read::<u8>(&name) } else { archive.read_any(&name) })
        };
        let inputs = feeds.iter().map(|name| read("in:", name)).collect::<Outcome<_>>()?;
        let expected = fetches.iter().map(|name| read("out:", name)).collect::<Outcome<_>>()?;
        Ok(Self { path: path.to_owned(), feeds, inputs, fetches, expected })
    }

    /// The graph, its weights constant.
    pub(crate) fn graph(&self) -> Outcome<Graph> {
        weights::load(&self.path)
    }

    /// A session on the GPU, beside the CPU, which records work where that is asked for.
    pub(crate) fn session(graph: Graph, gpu: &Arc<dyn Device>, record_device_work: bool) -> Outcome<Session> {
        let options = SessionOptions { record_device_work, ..SessionOptions::default() };
        let cpu = devices()?.into_iter().find(|device| device.device_type() == "CPU").ok_or("there is no CPU")?;
        Ok(Session::on_devices(graph, vec![gpu.clone(), cpu], options)?)
    }

    /// The largest difference of outputs from TensorFlow's, relative to the largest magnitude of theirs; infinite where
    /// shapes or integers differ, or a value is not finite.
    pub(crate) fn error(&self, outputs: &[Tensor]) -> oplink::Result<f32> {
        let mut most = if outputs.len() == self.expected.len() { 0.0 } else { f32::INFINITY };
        for (have, want) in outputs.iter().zip(&self.expected) {
            most = f32::max(most, difference(have, want)?);
        }
        Ok(most)
    }
}

fn difference(have: &Tensor, want: &Tensor) -> oplink::Result<f32> {
    if have.dtype() != want.dtype() || have.shape() != want.shape() {
        return Ok(f32::INFINITY);
    }
    if have.dtype() != DType::Float {
        return Ok(if have.as_bytes()? == want.as_bytes()? { 0.0 } else { f32::INFINITY });
    }
    let (have, want) = (have.as_slice::<f32>()?, want.as_slice::<f32>()?);
    if have.iter().any(|value| !value.is_finite()) {
        return Ok(f32::INFINITY);
    }
    let scale = want.iter().fold(f32::MIN_POSITIVE, |most, value| most.max(value.abs()));
    Ok(have.iter().zip(want).fold(0.0, |most: f32, (have, want)| most.max((have - want).abs())) / scale)
}
