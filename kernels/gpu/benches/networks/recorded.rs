//! A network as one CUDA graph: a run of its plan is recorded, and launched as a whole.
//!
//! Outputs go into variables, which stay in the GPU's memory. Whatever the host decided while it was recorded is fixed:
//! the extents of the inputs, and where they lie.

use std::sync::Arc;
use std::time::Duration;

use oplink::device::DeviceContext;
use oplink::{PartialShape, Tensor};
use oplink_core::Device;
use oplink_graph::Graph;
use oplink_ops::{AssignVariableOp, ReadVariableOp, VarHandleOp};

use crate::latency::Runs;
use crate::network::Network;
use crate::{Outcome, cuda_of};

/// The time of a launch until it is done, and how far its outputs are from TensorFlow's.
pub(crate) fn measure(runs: Runs, network: &Network, gpu: &Arc<dyn Device>) -> Outcome<(Duration, f32)> {
    let cuda = cuda_of(gpu).ok_or("the GPU is not one of CUDA")?;
    let mut graph = network.graph()?;
    let sinks = network.fetches.iter().map(|fetch| sink(&mut graph, fetch)).collect::<Outcome<Vec<_>>>()?;
    let (targets, reads): (Vec<&str>, Vec<&str>) = sinks.iter().map(|(a, b)| (a.as_str(), b.as_str())).unzip();
    let session = Network::session(graph, gpu, false)?;
    let feeds: Vec<&str> = network.feeds.iter().map(String::as_str).collect();
    let call = session.prepare(&feeds, &[], &targets)?;
    let there = |tensors: &[Tensor]| -> oplink::Result<Vec<Tensor>> {
        tensors.iter().map(|tensor| cuda.copy_to_device(tensor)).collect()
    };
    // Other values before: what is read in the end is then of the launch, and of no run before it.
    let zeros = network.inputs.iter().map(|input| Tensor::zeros(input.dtype(), input.shape().clone()));
    let zeros = there(&zeros.collect::<oplink::Result<Vec<_>>>()?)?;
    let inputs = there(&network.inputs)?;
    for _ in 0..2 {
        call.run(&zeros)?;
    }
    cuda.synchronize()?;
    let recorded = cuda.record(|| call.run(&inputs).map(drop))?;
    let time = runs.median(|| recorded.launch().and_then(|()| cuda.synchronize()))?;
    let error = network.error(&session.run(&[], &reads, &[])?)?;
    Ok((time, error))
}

/// Gives an output a variable: the names of the node that sets it, and of what reads it.
fn sink(graph: &mut Graph, fetch: &str) -> Outcome<(String, String)> {
    let value = graph.output_named(fetch)?;
    let dtype = graph.dtype(value).ok_or_else(|| format!("{fetch} has no dtype"))?;
    let name = format!("sink_{}", fetch.replace([':', '/'], "_"));
    let mut scope = graph.scope();
    let handle = VarHandleOp::builder(dtype, PartialShape::unknown()).shared_name(&name).build(&mut scope)?;
    let set = AssignVariableOp::builder().build(&mut scope, handle, value)?;
    let read = ReadVariableOp::builder(dtype).build(&mut scope, handle)?;
    let set = graph.node(set).map(|node| node.name().to_owned()).unwrap_or_default();
    Ok((set, graph.output_name(read)))
}
