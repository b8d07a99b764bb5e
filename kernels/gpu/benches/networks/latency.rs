//! How long results take.

use std::sync::Arc;
use std::time::{Duration, Instant};

use oplink::Tensor;
use oplink_core::Device;
use oplink_graph::{Callable, RunOptions, TraceLevel};

use crate::Outcome;
use crate::network::Network;

/// How often something runs: at least so often, and until the time is over.
#[derive(Clone, Copy)]
pub(crate) struct Runs {
    least: usize,
    time: Duration,
}

impl Runs {
    /// On a GPU.
    pub(crate) const MANY: Self = Self { least: 20, time: Duration::from_secs(3) };
    /// On a GPU that is emulated.
    pub(crate) const FEW: Self = Self { least: 1, time: Duration::ZERO };

    /// The median of the times that `work` takes; the first does not count.
    pub(crate) fn median(self, mut work: impl FnMut() -> oplink::Result<()>) -> Outcome<Duration> {
        work()?;
        let (begin, mut times) = (Instant::now(), Vec::new());
        while times.len() < self.least || begin.elapsed() < self.time {
            let start = Instant::now();
            work()?;
            times.push(start.elapsed());
        }
        times.sort();
        Ok(times[times.len() / 2])
    }
}

/// A network's figures.
pub(crate) struct Latency {
    /// From TensorFlow's values.
    pub(crate) error: f32,
    pub(crate) on_gpu: usize,
    /// Those of the nodes on the GPU that do the work of several.
    pub(crate) fused: usize,
    pub(crate) on_host: usize,
    /// From the graph to its first outputs, with the compilation of programs that are not on the disk.
    pub(crate) first: Duration,
    /// From inputs in the host's memory to outputs there, node by node.
    pub(crate) from_host: Duration,
    /// The same, as sessions do it by default: with the work recorded.
    pub(crate) by_default: Duration,
    /// From inputs in the GPU's memory to outputs there.
    pub(crate) resident: Duration,
}

/// Measures a network.
pub(crate) fn measure(runs: Runs, network: &Network, gpu: &Arc<dyn Device>) -> Outcome<Latency> {
    let queue = gpu.context().ok_or("the GPU has no memory of its own")?;
    let feeds: Vec<&str> = network.feeds.iter().map(String::as_str).collect();
    let fetches: Vec<&str> = network.fetches.iter().map(String::as_str).collect();
    let graph = network.graph()?;
    let start = Instant::now();
    let session = Network::session(graph, gpu, false)?;
    let call = session.prepare(&feeds, &fetches, &[])?;
    let outputs = call.run(&network.inputs)?;
    let first = start.elapsed();
    let error = network.error(&outputs)?;
    let [on_gpu, fused, on_host] = nodes(&call, &network.inputs)?;
    let from_host = runs.median(|| call.run(&network.inputs).map(drop))?;
    let recording = Network::session(network.graph()?, gpu, true)?.prepare(&feeds, &fetches, &[])?;
    for _ in 0..4 {
        recording.run(&network.inputs)?;
    }
    let error = error.max(network.error(&recording.run(&network.inputs)?)?);
    let by_default = runs.median(|| recording.run(&network.inputs).map(drop))?;
    let targets: Vec<&str> = fetches.iter().map(|fetch| fetch.trim_end_matches(":0")).collect();
    let call = session.prepare(&feeds, &[], &targets)?;
    let there: Vec<Tensor> =
        network.inputs.iter().map(|input| queue.copy_to_device(input)).collect::<oplink::Result<_>>()?;
    let resident = runs.median(|| call.run(&there).and_then(|_| queue.synchronize()))?;
    Ok(Latency { error, on_gpu, fused, on_host, first, from_host, by_default, resident })
}

/// Nodes of a run: on the GPU, those of them that are fused, and on the host; copies between the two aside.
fn nodes(call: &Callable, inputs: &[Tensor]) -> Outcome<[usize; 3]> {
    let options = RunOptions { trace: TraceLevel::Nodes, ..RunOptions::default() };
    let metadata = call.run_with(&options, inputs.iter().cloned(), &mut Vec::new())?;
    let ran = metadata.nodes.iter().filter(|node| !matches!(&*node.op, "_DeviceCopy" | "Const" | "NoOp"));
    let (on_gpu, on_host): (Vec<_>, Vec<_>) = ran.partition(|node| node.device.contains("GPU"));
    let fused = on_gpu.iter().filter(|node| node.op.starts_with("_Fused")).count();
    if std::env::var_os("OPLINK_NETWORKS_OPS").is_some() {
        let mut counts = std::collections::BTreeMap::<&str, usize>::new();
        on_gpu.iter().for_each(|node| *counts.entry(&node.op).or_default() += 1);
        eprintln!("{counts:?}");
    }
    Ok([on_gpu.len(), fused, on_host.len()])
}

/// A time as the table has it.
pub(crate) fn text(time: Duration) -> String {
    format!("{:.3} ms", time.as_secs_f64() * 1e3)
}
