//! What a run tells of itself.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use oplink_api::tracer::{NodeRun, Tracer};
use oplink_api::{DType, Shape};

/// What a run tells of itself.
#[derive(Clone, Debug, Default)]
pub struct RunMetadata {
    /// The run's number in its session.
    pub step_id: u64,
    /// The nodes that ran, as their kernels ended; empty unless the run was traced. Nodes of a function's body come
    /// before the node that called it.
    pub nodes: Vec<NodeStats>,
    /// Names of the threads that nodes refer to.
    pub threads: Vec<String>,
}

/// One run of one node.
#[derive(Clone, Debug)]
pub struct NodeStats {
    /// The node's name.
    pub name: String,
    /// Its op.
    pub op: String,
    /// Its device.
    pub device: String,
    /// From the run's start to the kernel's.
    pub start: Duration,
    /// From the kernel's start until its outputs were there.
    pub duration: Duration,
    /// Where it ended: a position in [`RunMetadata::threads`].
    pub thread: usize,
    /// What it gave.
    pub outputs: Vec<OutputStats>,
}

/// One output of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputStats {
    /// Its dtype.
    pub dtype: DType,
    /// Its shape.
    pub shape: Shape,
    /// Bytes of its elements.
    pub bytes: usize,
}

/// Collects the nodes of a run.
pub(super) struct Recorder {
    start: Instant,
    recorded: Mutex<Recorded>,
}

#[derive(Default)]
struct Recorded {
    nodes: Vec<NodeStats>,
    threads: HashMap<ThreadId, usize>,
    names: Vec<String>,
}

impl Recorder {
    pub(super) fn new() -> Self {
        Self { start: Instant::now(), recorded: Mutex::default() }
    }

    pub(super) fn finish(&self, step_id: u64) -> RunMetadata {
        let mut recorded = self.recorded.lock().unwrap_or_else(PoisonError::into_inner);
        let Recorded { nodes, names, .. } = std::mem::take(&mut *recorded);
        RunMetadata { step_id, nodes, threads: names }
    }
}

impl Recorded {
    fn thread(&mut self) -> usize {
        let current = std::thread::current();
        *self.threads.entry(current.id()).or_insert_with(|| {
            let number = self.names.len();
            self.names.push(current.name().map_or_else(|| format!("thread {number}"), str::to_owned));
            number
        })
    }
}

impl Tracer for Recorder {
    fn ran(&self, run: NodeRun<'_>) {
        let outputs = run.outputs.iter().flatten().map(|tensor| OutputStats {
            dtype: tensor.dtype(),
            shape: tensor.shape().clone(),
            bytes: tensor.num_bytes(),
        });
        let outputs = outputs.collect();
        let mut recorded = self.recorded.lock().unwrap_or_else(PoisonError::into_inner);
        let thread = recorded.thread();
        recorded.nodes.push(NodeStats {
            name: run.node.name.clone(),
            op: run.node.op.name.clone(),
            device: run.node.device.clone(),
            start: run.start.saturating_duration_since(self.start),
            duration: run.end.saturating_duration_since(run.start),
            thread,
            outputs,
        });
    }
}
