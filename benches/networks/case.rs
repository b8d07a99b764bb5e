//! A network to run: its file, its inputs, the number of threads.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use oplink::graph::Callable;
use oplink::prelude::*;

use crate::values::{Values, read};

/// A network to run.
pub(crate) struct Case {
    graph: PathBuf,
    pub(crate) values: Values,
    pub(crate) threads: usize,
}

impl Case {
    /// The case that arguments of the command line name.
    pub(crate) fn new(graph: &str, values: &str, threads: &str, extents: &[&str]) -> Result<Self, Box<dyn Error>> {
        let extents = extents.iter().map(|text| extent(text)).collect::<Result<Vec<_>, _>>()?;
        let threads = threads.parse()?;
        oplink::runtime::set_intra_op_threads(threads)?;
        Ok(Self { graph: graph.into(), values: read(values, &extents)?, threads })
    }

    /// The graph, from its file.
    pub(crate) fn load(&self) -> oplink::Result<Arc<Graph>> {
        Graph::load(&self.graph, Registry::global()?).map(Arc::new)
    }

    /// A session of the graph, its variables initialised, and the call that is measured: an inference, or a step of
    /// training.
    pub(crate) fn prepare(&self, graph: Arc<Graph>) -> oplink::Result<(Session, Callable)> {
        let options = SessionOptions { intra_op_threads: self.threads, ..SessionOptions::default() };
        let session = Session::new(graph, options)?;
        let feeds: Vec<&str> = self.values.feeds.iter().map(String::as_str).collect();
        let fetches: Vec<&str> = self.values.fetches.iter().map(String::as_str).collect();
        let targets: &[&str] = if self.values.trains { &["train"] } else { &[] };
        if self.values.trains {
            session.run(&[], &[], &["init"])?;
        }
        let call = session.prepare(&feeds, &fetches, targets)?;
        Ok((session, call))
    }
}

/// `AXIS=EXTENT`.
fn extent(text: &str) -> Result<(usize, usize), Box<dyn Error>> {
    let (axis, extent) = text.split_once('=').ok_or_else(|| format!("AXIS=EXTENT expected, not {text}"))?;
    Ok((axis.parse()?, extent.parse()?))
}
