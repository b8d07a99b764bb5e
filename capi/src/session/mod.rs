//! `TF_Session`: a session on a graph that may grow while it runs.
#![allow(unsafe_code, reason = "room: the C ABI")]

mod call;
pub mod deprecated;
pub mod devices;
pub mod lifetime;
mod metadata;
pub mod options;
mod partial;
pub mod partial_api;
pub mod run;
pub mod saved_model;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use oplink_abi::TF_Session;
use oplink_api::{Cancellation, Output, Result, Tensor, bail, ensure};
use oplink_core::Device;
use oplink_graph::{RunMetadata, RunOptions, Session};
use oplink_host::guard::borrow;

use crate::graph::GraphState;
use call::{Call, CallCache};
pub(crate) use devices::device_list;
pub(crate) use options::ClientOptions;
use partial::PartialRun;

/// What a `TF_Session` is here.
#[derive(Debug)]
pub(crate) struct ClientSession {
    graph: Arc<GraphState>,
    session: Session,
    /// The state of the graph that the session has.
    seen: Mutex<u64>,
    calls: CallCache,
    partial: Mutex<HashMap<String, PartialRun>>,
    timeout: Option<std::time::Duration>,
}

/// What a run is asked for.
#[derive(Debug, Default)]
pub(crate) struct Request {
    pub(crate) feeds: Vec<Output>,
    pub(crate) values: Vec<Tensor>,
    pub(crate) fetches: Vec<Output>,
    pub(crate) targets: Vec<u32>,
}

impl ClientSession {
    /// A session on a graph.
    ///
    /// # Errors
    /// The options ask for another process or for devices that there are not; no device is linked.
    pub(crate) fn new(graph: Arc<GraphState>, options: &ClientOptions) -> Result<Self> {
        options.check_target()?;
        let (snapshot, version) = {
            let inner = graph.lock();
            (inner.graph.snapshot(), inner.version)
        };
        let session = match options.devices()?.as_slice() {
            [only] => Session::on_device(snapshot, only.clone(), options.session_options())?,
            several => Session::on_devices(snapshot, several.to_vec(), options.session_options())?,
        };
        Ok(Self {
            graph,
            session,
            seen: Mutex::new(version),
            calls: CallCache::default(),
            partial: Mutex::default(),
            timeout: options.timeout(),
        })
    }

    /// The graph.
    pub(crate) fn graph(&self) -> &Arc<GraphState> {
        &self.graph
    }

    /// Takes over what was added to the graph.
    ///
    /// # Errors
    /// None that a graph of this library causes.
    pub(crate) fn extend(&self) -> Result<()> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let inner = self.graph.lock();
        if inner.version == *seen {
            return Ok(());
        }
        let (snapshot, version) = (inner.graph.snapshot(), inner.version);
        drop(inner);
        self.session.extend(snapshot)?;
        *seen = version;
        Ok(())
    }

    /// Runs once.
    ///
    /// # Errors
    /// Those of [`Session::run_with`]; a value that is fed and fetched.
    pub(crate) fn run(&self, request: Request, options: &RunOptions) -> Result<(Vec<Tensor>, RunMetadata)> {
        self.extend()?;
        let call = self.call(&request)?;
        let started = Instant::now();
        let timeout = options.timeout.or(self.timeout);
        let deadline = Cancellation::with_deadline(timeout.and_then(|timeout| started.checked_add(timeout)));
        let callable = call.for_values(&self.session, &request.values, &deadline)?;
        let mut fetched = Vec::with_capacity(request.fetches.len());
        let timeout = timeout.map(|timeout| timeout.saturating_sub(started.elapsed()));
        let options = RunOptions { timeout, ..options.clone() };
        let metadata = callable.run_with(&options, request.values, &mut fetched)?;
        Ok((fetched, metadata))
    }

    /// The options of a run, with the session's timeout where they have none.
    pub(crate) fn with_timeout(&self, options: &RunOptions) -> RunOptions {
        RunOptions { timeout: options.timeout.or(self.timeout), ..options.clone() }
    }

    /// The session itself.
    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    fn call(&self, request: &Request) -> Result<Arc<Call>> {
        if let Some(call) = self.calls.find(request) {
            return Ok(call);
        }
        let graph = self.session.graph();
        if let Some(both) = request.fetches.iter().find(|fetch| request.feeds.contains(fetch)) {
            bail!("`{}` is both fed and fetched", graph.output_name(*both));
        }
        ensure!(request.feeds.len() == request.values.len(), "as many values as feeds are needed");
        Ok(self.calls.insert(request, &graph))
    }

    /// The devices.
    pub(crate) fn devices(&self) -> &[Arc<dyn Device>] {
        self.session.devices()
    }

    /// Refuses further runs and stops those under way.
    pub(crate) fn close(&self) {
        self.session.close();
    }
}

/// The session behind a handle.
///
/// # Errors
/// The handle is null.
///
/// # Safety
/// A handle that is not null is alive for `'a`.
pub(crate) unsafe fn session_of<'a>(session: *const TF_Session, function: &str) -> Result<&'a ClientSession> {
    // SAFETY: `session` is null or alive (Safety section).
    unsafe { borrow(session.cast::<ClientSession>(), function, "session") }
}
