//! What a run is asked for, resolved from names, and the nodes that it needs (`prune`).

mod prune;

use oplink_api::{Error, Output, Result, ResultExt, ensure};

pub(crate) use prune::needed_nodes;

use crate::Graph;
use crate::graph::Feeds;
use crate::names::TensorName;

/// Outputs to feed and to fetch, nodes to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    pub(crate) feeds: Feeds,
    pub(crate) fetches: Vec<Output>,
    pub(crate) targets: Vec<u32>,
}

impl Signature {
    /// From names: `node` or `node:index` for feeds and fetches, `node` for targets.
    ///
    /// # Errors
    /// A name that the graph does not have, a value fed twice, or nothing to do.
    pub(crate) fn resolve(graph: &Graph, feeds: &[&str], fetches: &[&str], targets: &[&str]) -> Result<Self> {
        let outputs = |names: &[&str], what: &str| -> Result<Vec<Output>> {
            let output =
                |name: &&str| graph.output_named(name).context_with(|| format!("{what} `{}`", name.escape_debug()));
            names.iter().map(output).collect()
        };
        let signature = Self {
            feeds: outputs(feeds, "feed")?.into_iter().collect(),
            fetches: outputs(fetches, "fetch")?,
            targets: targets.iter().map(|name| target(graph, name)).collect::<Result<_>>()?,
        };
        ensure!(!(fetches.is_empty() && targets.is_empty()), "nothing to run: give at least one fetch or target");
        signature.check_feeds(graph)?;
        Ok(signature)
    }

    /// # Errors
    /// A value is fed twice.
    pub(crate) fn check_feeds(&self, graph: &Graph) -> Result<()> {
        match self.feeds.repeated() {
            None => Ok(()),
            Some(feed) => Err(Error::invalid_argument(format!("`{}` is fed twice", graph.output_name(feed)))),
        }
    }
}

fn target(graph: &Graph, name: &str) -> Result<u32> {
    let found = match TensorName::parse(name) {
        TensorName::Data(node, _) if node.len() < name.len() => {
            Err(Error::invalid_argument(format!("`{name}` is a tensor; a target is a node: write `{node}`")))
        }
        TensorName::Data(node, _) | TensorName::Control(node) => graph.node_named(node),
    };
    found.context_with(|| format!("target `{}`", name.escape_debug()))
}
