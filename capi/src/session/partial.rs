//! Partial runs: one run in several calls, each of which brings some of its feeds and takes some of its fetches.
//!
//! The feeds are kept. A call runs what its fetches and targets need from all feeds so far; values that were handed out
//! before are fed again instead of computed again. What no call fetches may be computed by several of them.

use std::collections::HashMap;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

use oplink_api::{Output, Result, Tensor, bail, ensure};
use oplink_graph::RunOptions;

use super::{ClientSession, Request};

/// A partial run that is under way.
#[derive(Debug)]
pub(super) struct PartialRun {
    /// Feeds that have not come yet.
    feeds: Vec<Output>,
    /// Fetches that were not taken yet.
    fetches: Vec<Output>,
    /// Targets that have not run yet.
    targets: Vec<u32>,
    /// What was fed and what was fetched.
    known: HashMap<Output, Tensor>,
}

impl ClientSession {
    /// Begins a partial run; returns its name.
    pub(super) fn begin_partial(&self, request: Request) -> Result<String> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let Request { feeds, fetches, targets, .. } = request;
        ensure!(!(fetches.is_empty() && targets.is_empty()), "nothing to run: give at least one fetch or target");
        let name = format!("partial-run-{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let run = PartialRun { feeds, fetches, targets, known: HashMap::new() };
        self.partial.lock().unwrap_or_else(PoisonError::into_inner).insert(name.clone(), run);
        Ok(name)
    }

    /// Goes on with a partial run; returns what is fetched.
    pub(super) fn resume(&self, name: &str, request: Request) -> Result<Vec<Tensor>> {
        let Some(mut run) = self.take_partial(name) else { bail!("there is no partial run `{name}`; set it up first") };
        let fetched = run.check(&request).and_then(|()| self.part(&mut run, request));
        if !run.is_done() || fetched.is_err() {
            self.partial.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), run);
        }
        fetched
    }

    fn take_partial(&self, name: &str) -> Option<PartialRun> {
        self.partial.lock().unwrap_or_else(PoisonError::into_inner).remove(name)
    }

    fn part(&self, run: &mut PartialRun, request: Request) -> Result<Vec<Tensor>> {
        let mut known = run.known.clone();
        known.extend(request.feeds.iter().copied().zip(request.values));
        let mut fetched = Vec::new();
        if !(request.fetches.is_empty() && request.targets.is_empty()) {
            let (feeds, values) = known.iter().map(|(output, value)| (*output, value.clone())).unzip();
            let (fetches, targets) = (request.fetches.clone(), request.targets.clone());
            fetched = self.run(Request { feeds, values, fetches, targets }, &RunOptions::default())?.0;
        }
        known.extend(request.fetches.iter().copied().zip(fetched.iter().cloned()));
        run.known = known;
        run.feeds.retain(|feed| !request.feeds.contains(feed));
        run.fetches.retain(|fetch| !request.fetches.contains(fetch));
        run.targets.retain(|target| !request.targets.contains(target));
        Ok(fetched)
    }
}

impl PartialRun {
    fn check(&self, request: &Request) -> Result<()> {
        let open = |wanted: &[Output], open: &[Output]| wanted.iter().all(|output| open.contains(output));
        ensure!(open(&request.feeds, &self.feeds), "a feed was not set up, or came already");
        ensure!(open(&request.fetches, &self.fetches), "a fetch was not set up, or was taken already");
        let targets = request.targets.iter().all(|target| self.targets.contains(target));
        ensure!(targets, "a target was not set up, or has run already");
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.feeds.is_empty() && self.fetches.is_empty() && self.targets.is_empty()
    }
}
