//! A GraphDef made into a graph: every node checked against its op, dtypes and shapes inferred, all problems told at
//! once.
//!
//! `names` finds the nodes, `edges` reads their inputs, `nodes` checks ops and attrs, `problems` gathers what is wrong.
//! `merge` adds a message to a graph that has nodes, under the names of `new_names`.

mod edges;
mod merge;
mod merge_options;
mod names;
mod new_names;
mod nodes;
mod origin;
mod problems;
mod versions;

use std::sync::Arc;

use oplink_api::Result;
use oplink_core::AttrRules;
use oplink_proto::GraphDef;

use crate::Graph;
use crate::convert::Contents;
use crate::library::Functions;
pub use merge_options::{InputMapping, MergeOptions, Merged};
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
    /// Which attrs nodes may have beside those that their ops declare.
    pub attrs: AttrRules,
}

impl Default for ImportOptions {
    /// Abbreviated constants up to 1 GiB, 4 million outputs, 20 problems.
    fn default() -> Self {
        Self { max_constant_bytes: 1 << 30, max_outputs: 1 << 22, max_problems: 20, attrs: AttrRules::Declared }
    }
}

impl Graph {
    /// A graph without nodes filled with a message; see `Graph::import_with`.
    pub(crate) fn filled(self, def: &GraphDef, options: ImportOptions) -> Result<Self> {
        self.filled_without(None, def, options)
    }

    /// As [`filled`](Self::filled), with a message that was decoded without `contents`.
    pub(crate) fn filled_without(
        mut self,
        contents: Option<&Contents<'_>>,
        def: &GraphDef,
        options: ImportOptions,
    ) -> Result<Self> {
        versions::adopt(&mut self, def)?;
        self.fill(contents, def, options).map(|()| self)
    }

    /// A graph without nodes filled with the body of a function, whose nodes may call `functions`.
    pub(crate) fn filled_as_body(
        mut self,
        def: &GraphDef,
        functions: &Arc<Functions>,
        inside: &[Arc<str>],
    ) -> Result<Self> {
        versions::adopt(&mut self, def)?;
        self.functions = functions.clone();
        self.inside = inside.to_vec();
        self.fill(None, def, ImportOptions { attrs: AttrRules::Any, ..ImportOptions::default() }).map(|()| self)
    }

    fn fill(&mut self, contents: Option<&Contents<'_>>, def: &GraphDef, options: ImportOptions) -> Result<()> {
        let mut problems = Problems::new(options.max_problems);
        nodes::build(self, def, contents, &options, &mut problems);
        problems.into_result()
    }
}
