//! Calls that a session has worked out.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use oplink_api::{Cancellation, PartialShape, Result, Tensor};
use oplink_graph::{Callable, FeedShapes, Graph, Session};

use super::Request;

/// Calls kept; at this number all are dropped, so that ever new requests do not fill the memory.
const MAX_CALLS: usize = 256;

/// A request that is worked out at its first run.
#[derive(Debug)]
pub(super) struct Call {
    request: Request,
    shapes: Vec<PartialShape>,
    /// For values whose shapes are as the graph says.
    usual: OnceLock<Callable>,
    /// For any values.
    any: OnceLock<Callable>,
}

impl Call {
    /// What runs these values, worked out before the deadline. TensorFlow takes fed values of any shape, whatever the
    /// graph says.
    pub(super) fn for_values(
        &self,
        session: &Session,
        values: &[Tensor],
        deadline: &Cancellation,
    ) -> Result<&Callable> {
        let fits = self.shapes.iter().zip(values).all(|(shape, value)| shape.accepts(value.shape()));
        let (slot, shapes) = match fits {
            true => (&self.usual, FeedShapes::Static),
            false => (&self.any, FeedShapes::Any),
        };
        if let Some(callable) = slot.get() {
            return Ok(callable);
        }
        let Request { feeds, fetches, targets, .. } = &self.request;
        let callable = session.prepare_outputs_within(deadline, feeds, fetches, targets, shapes)?;
        Ok(slot.get_or_init(|| callable))
    }
}

/// Calls by what they are asked for.
#[derive(Debug, Default)]
pub(super) struct CallCache(RwLock<HashMap<Key, Arc<Call>>>);

/// Numbers of feeds and fetches, then feeds, fetches and targets.
type Key = Box<[u64]>;

fn key(request: &Request) -> Key {
    let outputs = request.feeds.iter().chain(&request.fetches);
    let outputs = outputs.map(|output| u64::from(output.node) << 32 | u64::from(output.index));
    let counts = [request.feeds.len() as u64, request.fetches.len() as u64];
    counts.into_iter().chain(outputs).chain(request.targets.iter().map(|&node| u64::from(node))).collect()
}

impl CallCache {
    pub(super) fn find(&self, request: &Request) -> Option<Arc<Call>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&key(request)).cloned()
    }

    /// Keeps a request for this graph; another thread's where that was faster.
    pub(super) fn insert(&self, request: &Request, graph: &Graph) -> Arc<Call> {
        let shapes = request.feeds.iter().map(|&feed| graph.shape(feed)).collect();
        let Request { feeds, fetches, targets, .. } = request;
        let request_only =
            Request { feeds: feeds.clone(), fetches: fetches.clone(), targets: targets.clone(), values: Vec::new() };
        let call = Call { request: request_only, shapes, usual: OnceLock::new(), any: OnceLock::new() };
        let mut calls = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if calls.len() >= MAX_CALLS {
            calls.clear();
        }
        calls.entry(key(request)).or_insert_with(|| Arc::new(call)).clone()
    }
}
