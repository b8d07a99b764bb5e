//! Sessions of programs that go on building: a graph that grows, calls by outputs instead of names.

use std::sync::{Arc, PoisonError};

use oplink_api::{Cancellation, Output, PartialShape, Result, ensure};

use super::Session;
use super::callable::Callable;
use crate::signature::Signature;
use crate::{Graph, PassOptions};

/// What a call may take for granted of the values that it is fed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FeedShapes {
    /// Their shapes are as the graph says; others are an error.
    #[default]
    Static,
    /// Their shapes may contradict the graph. No pass runs then, because passes believe inferred shapes, and outputs
    /// are not held against inferred shapes.
    Any,
}

impl Session {
    /// Goes on with a later state of the same graph: a [snapshot](Graph::snapshot) that has the nodes of the present
    /// one at the same positions, and more. Variables stay, and so do calls that are prepared.
    ///
    /// # Errors
    /// The graph has fewer nodes than the present one.
    pub fn extend(&self, graph: impl Into<Arc<Graph>>) -> Result<()> {
        let graph = graph.into();
        let mut present = self.graph.write().unwrap_or_else(PoisonError::into_inner);
        ensure!(graph.nodes().len() >= present.nodes().len(), "a session's graph only grows");
        self.functions.extend(&graph);
        *present = graph;
        Ok(())
    }

    /// As [`Session::prepare`], by outputs and positions of the graph. Nothing is kept: the caller keeps the call.
    ///
    /// # Errors
    /// As [`Session::prepare`].
    pub fn prepare_outputs(
        &self,
        feeds: &[Output],
        fetches: &[Output],
        targets: &[u32],
        shapes: FeedShapes,
    ) -> Result<Callable> {
        self.prepare_outputs_within(&Cancellation::default(), feeds, fetches, targets, shapes)
    }

    /// As [`Session::prepare_outputs`], until `cancellation` stops it.
    ///
    /// # Errors
    /// As [`Session::prepare_outputs`]; the reason of the cancellation.
    pub fn prepare_outputs_within(
        &self,
        cancellation: &Cancellation,
        feeds: &[Output],
        fetches: &[Output],
        targets: &[u32],
        shapes: FeedShapes,
    ) -> Result<Callable> {
        let graph = self.graph();
        feeds.iter().chain(fetches).try_for_each(|&output| graph.check_output(output))?;
        ensure!(targets.iter().all(|&node| graph.node(node).is_some()), "a target is no node of the graph");
        ensure!(!(fetches.is_empty() && targets.is_empty()), "nothing to run: give at least one fetch or target");
        let feeds = feeds.iter().copied().collect();
        let signature = Signature { feeds, fetches: fetches.to_vec(), targets: targets.to_vec() };
        signature.check_feeds(&graph)?;
        let executor = match shapes {
            FeedShapes::Static => self.make_plan(&graph, &signature, &self.options.passes, cancellation)?,
            FeedShapes::Any => {
                self.make_plan(&without_shapes(&graph), &signature, &PassOptions::none(), cancellation)?
            }
        };
        Ok(Callable::new(Arc::new(executor), self.runs.clone()))
    }
}

/// The graph with nothing known of any shape: what is fed may contradict all that was inferred.
fn without_shapes(graph: &Graph) -> Graph {
    let mut graph = graph.snapshot();
    for node in &mut graph.nodes {
        node.output_shapes.fill(PartialShape::unknown());
    }
    graph
}
