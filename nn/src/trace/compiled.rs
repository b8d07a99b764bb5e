//! A trace made ready to run.

use oplink_api::{Output, Result, Tensor};
use oplink_core::devices;
use oplink_graph::eager::EagerContext;
use oplink_graph::{Callable, Graph, RunMetadata, RunOptions, Session, SessionOptions};

use super::{Captured, Trace};
use crate::value::Value;

/// A function for arguments of some dtypes and shapes.
#[derive(Debug)]
pub(super) struct Compiled {
    callable: Callable,
    handles: Vec<Tensor>,
}

impl Compiled {
    /// The trace, fed at `arguments` and fetched at `results`.
    pub(super) fn new(trace: Trace, arguments: &[Output], results: &[Output]) -> Result<Self> {
        let Trace { graph, captured, effects, asks_for_devices, .. } = trace;
        let fed: Vec<Output> = arguments.iter().copied().chain(captured.iter().map(|known| known.output)).collect();
        let feeds = names(&graph, &fed);
        let fetches = names(&graph, results);
        let targets: Vec<String> =
            effects.iter().filter_map(|&node| graph.node(node)).map(|node| node.name().to_owned()).collect();
        let session = session(graph, asks_for_devices)?;
        let callable = session.prepare(&refs(&feeds), &refs(&fetches), &refs(&targets))?;
        Ok(Self { callable, handles: captured.into_iter().map(|Captured { handle, .. }| handle).collect() })
    }

    pub(super) fn run(&self, arguments: Vec<Value>) -> Result<Vec<Value>> {
        let mut fetched = Vec::with_capacity(self.callable.num_fetches());
        self.callable.run_into(self.feeds(arguments)?, &mut fetched)?;
        Ok(fetched.into_iter().map(Value::from).collect())
    }

    pub(super) fn run_with(&self, options: &RunOptions, arguments: Vec<Value>) -> Result<(Vec<Value>, RunMetadata)> {
        let mut fetched = Vec::with_capacity(self.callable.num_fetches());
        let metadata = self.callable.run_with(options, self.feeds(arguments)?, &mut fetched)?;
        Ok((fetched.into_iter().map(Value::from).collect(), metadata))
    }

    fn feeds(&self, arguments: Vec<Value>) -> Result<Vec<Tensor>> {
        let mut feeds = Vec::with_capacity(arguments.len() + self.handles.len());
        for argument in arguments {
            feeds.push(argument.into_tensor()?);
        }
        feeds.extend(self.handles.iter().cloned());
        Ok(feeds)
    }
}

/// A session on the device of eager calls; on all devices, where nodes ask for some.
pub(crate) fn session(graph: Graph, asks_for_devices: bool) -> Result<Session> {
    let options = SessionOptions::default();
    match asks_for_devices {
        true => Session::on_devices(graph, devices()?, options),
        false => Session::on_device(graph, EagerContext::global()?.device().clone(), options),
    }
}

fn names(graph: &Graph, outputs: &[Output]) -> Vec<String> {
    outputs.iter().map(|&output| graph.output_name(output)).collect()
}

fn refs(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}
