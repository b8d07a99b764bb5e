//! A GraphDef made into a graph: every node checked against its op, dtypes and shapes inferred, all problems told at
//! once.
//!
//! `names` finds the nodes, `edges` reads their inputs, `nodes` checks ops and attrs, `problems` gathers what is wrong.
//! `merge` adds a message to a graph that has nodes, under the names of `new_names`.

mod edges;
mod file;
mod merge;
mod names;
mod new_names;
mod nodes;
mod origin;
mod problems;
mod versions;

use std::sync::Arc;

use oplink_api::{Error, ErrorKind, Result};
use oplink_core::Registry;
use oplink_proto::GraphDef;

use crate::Graph;
use crate::convert::Budget;
use crate::functions::Functions;
pub use merge::{InputMapping, MergeOptions, Merged};
use problems::Problems;

/// How a graph is imported.
#[derive(Clone, Copy, Debug)]
pub struct ImportOptions {
    /// Bytes that all constants together may take whose elements the message abbreviates (zeros left out, or a last
    /// value that is repeated).
    pub max_constant_bytes: usize,
    /// Outputs that all nodes together may have.
    pub max_outputs: usize,
    /// Problems that the error describes; any further ones it counts.
    pub max_problems: usize,
}

impl Default for ImportOptions {
    /// Abbreviated constants up to 1 GiB, 4 million outputs, 20 problems.
    fn default() -> Self {
        Self { max_constant_bytes: 1 << 30, max_outputs: 1 << 22, max_problems: 20 }
    }
}

impl Graph {
    /// The graph in a message; see [`Graph::import_with`].
    pub fn import(def: &GraphDef, registry: &Arc<Registry>) -> Result<Self> {
        Self::import_with(def, registry, ImportOptions::default())
    }

    /// The graph in the wire format; see [`Graph::import_with`].
    ///
    /// Given a `Vec<u8>`, constants are copied once, from there to their tensors.
    pub fn from_bytes(bytes: impl Into<oplink_proto::bytes::Bytes>, registry: &Arc<Registry>) -> Result<Self> {
        let def = oplink_proto::from_bytes(bytes).map_err(|e| malformed(&e))?;
        Self::import(&def, registry)
    }

    /// The graph in the text format; see [`Graph::import_with`].
    #[cfg(feature = "text")]
    pub fn from_text(text: &str, registry: &Arc<Registry>) -> Result<Self> {
        let def = oplink_proto::from_text(text).map_err(|e| malformed(&e))?;
        Self::import(&def, registry)
    }

    /// The graph in a message. Nodes keep their order, names, attrs and devices; [`Graph::to_def`] gives an equal
    /// message back.
    ///
    /// # Errors
    /// Versions that exclude this runtime. Functions with a malformed signature. Names that are malformed or not unique.
    /// Ops that are neither declared nor functions of the graph's library, or not available in the graph's version. Attrs
    /// that are missing, unknown (unless their names start with `_`), of the wrong kind or against their constraint. Inputs that do not
    /// exist, are too many or too few, of the wrong dtype, or stand behind control inputs. Cycles. Shapes that an op
    /// refuses. One error tells all of them, each with the node's name; its kind is that of the problems where they
    /// have one in common, else `InvalidGraph`.
    pub fn import_with(def: &GraphDef, registry: &Arc<Registry>, options: ImportOptions) -> Result<Self> {
        let mut graph = Self::new(registry);
        versions::adopt(&mut graph, def)?;
        graph.fill(def, options).map(|()| graph)
    }

    /// The body of a function, whose nodes may call `functions`.
    pub(crate) fn import_body(
        def: &GraphDef,
        registry: &Arc<Registry>,
        functions: &Arc<Functions>,
        inside: &[Arc<str>],
    ) -> Result<Self> {
        let mut graph = Self::new(registry);
        versions::adopt(&mut graph, def)?;
        graph.functions = functions.clone();
        graph.inside = inside.to_vec();
        graph.fill(def, ImportOptions::default()).map(|()| graph)
    }

    fn fill(&mut self, def: &GraphDef, options: ImportOptions) -> Result<()> {
        let mut problems = Problems::new(options.max_problems);
        nodes::build(self, def, &options, &mut problems);
        problems.into_result()
    }
}

fn budget_of(limits: &ImportOptions) -> Budget {
    Budget::new(limits.max_constant_bytes)
}

fn malformed(error: &dyn std::fmt::Display) -> Error {
    Error::invalid_argument(error.to_string()).with_kind(ErrorKind::InvalidGraph)
}
