//! What a step tells of the nodes that it runs.

use std::time::Instant;

use crate::{NodeInfo, Tensor};

/// One run of a node's kernel.
#[derive(Clone, Copy, Debug)]
pub struct NodeRun<'a> {
    /// The node.
    pub node: &'a NodeInfo,
    /// When its kernel began.
    pub start: Instant,
    /// When its outputs were there.
    pub end: Instant,
    /// The outputs.
    pub outputs: &'a [Option<Tensor>],
}

/// Receives each node that a step ran, on the thread where its kernel ended. A call of a function is reported after the
/// nodes of the function's body.
pub trait Tracer: Send + Sync {
    /// A kernel succeeded.
    fn ran(&self, run: NodeRun<'_>);
}
