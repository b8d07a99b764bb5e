//! Sessions of programs that go on building: a graph that grows, calls by outputs instead of names.

use std::sync::{Arc, PoisonError};

use oplink_api::{Output, PartialShape, Result, ensure};

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
    /// Their shapes may contradict the graph. No pass runs then, because passes believe inferred shapes.
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
        let graph = self.graph();
        feeds.iter().chain(fetches).try_for_each(|&output| graph.check_output(output))?;
        ensure!(targets.iter().all(|&node| graph.node(node).is_some()), "a target is no node of the graph");
        ensure!(!(fetches.is_empty() && targets.is_empty()), "nothing to run: give at least one fetch or target");
        for (index, feed) in feeds.iter().enumerate() {
            ensure!(!feeds[..index].contains(feed), "`{}` is fed twice", graph.output_name(*feed));
        }
        let signature = Signature { feeds: feeds.to_vec(), fetches: fetches.to_vec(), targets: targets.to_vec() };
        let executor = match shapes {
            FeedShapes::Static => self.make_plan(&graph, &signature, &self.options.passes)?,
            FeedShapes::Any => self.make_plan(&without_shapes(&graph, feeds), &signature, &PassOptions::none())?,
        };
        Ok(Callable::new(Arc::new(executor), self.runs.clone()))
    }
}

/// The graph with nothing known of the shapes of these outputs.
fn without_shapes(graph: &Graph, outputs: &[Output]) -> Graph {
    let mut graph = graph.snapshot();
    for output in outputs {
        graph.nodes[output.node as usize].output_shapes[output.index as usize] = PartialShape::unknown();
    }
    graph
}
