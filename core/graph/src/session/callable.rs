//! A prepared call.

use std::fmt;
use std::sync::Arc;

use oplink_api::{Cancellation, Result, Tensor};

use super::active_steps::ActiveSteps;
use super::metadata::RunMetadata;
use super::run_options::RunOptions;
use crate::executor::Executor;

/// A call of a session that is worked out: run it with values, in the order of the names it was prepared with.
///
/// It may be run from several threads at once, and outlive its session.
#[derive(Clone)]
pub struct Callable {
    executor: Arc<Executor>,
    runs: Arc<ActiveSteps>,
}

impl Callable {
    pub(super) fn new(executor: Arc<Executor>, runs: Arc<ActiveSteps>) -> Self {
        Self { executor, runs }
    }

    /// Runs once and returns the fetched values.
    ///
    /// # Errors
    /// A feed of the wrong number, dtype or shape; an error or a panic of a kernel.
    pub fn run(&self, feeds: &[Tensor]) -> Result<Vec<Tensor>> {
        let mut fetched = Vec::with_capacity(self.num_fetches());
        self.run_into(feeds.iter().cloned(), &mut fetched).map(|()| fetched)
    }

    /// As [`Callable::run`], with values given away, whose memory kernels may then reuse; the fetched ones are appended
    /// to `fetched`.
    ///
    /// # Errors
    /// As [`Callable::run`]; `fetched` is unchanged then.
    pub fn run_into(
        &self,
        feeds: impl IntoIterator<Item = Tensor, IntoIter: ExactSizeIterator>,
        fetched: &mut Vec<Tensor>,
    ) -> Result<()> {
        let run = self.runs.begin(Cancellation::default())?;
        self.executor.run(&run.step, feeds.into_iter(), fetched)
    }

    /// As [`Callable::run_into`], within a time, until it is cancelled, or traced, as the options say.
    ///
    /// # Errors
    /// As [`Callable::run`]; `DeadlineExceeded` where the time is over, and the reason of a cancellation.
    pub fn run_with(
        &self,
        options: &RunOptions,
        feeds: impl IntoIterator<Item = Tensor, IntoIter: ExactSizeIterator>,
        fetched: &mut Vec<Tensor>,
    ) -> Result<RunMetadata> {
        let feeds = feeds.into_iter();
        self.runs.run_with(options, |step| self.executor.run(step, feeds, fetched))
    }

    /// The number of values to feed.
    pub fn num_feeds(&self) -> usize {
        self.executor.num_feeds()
    }

    /// The number of values that a run returns.
    pub fn num_fetches(&self) -> usize {
        self.executor.num_fetches()
    }

    /// The nodes that a run computes, in order. Constants, placeholders and nodes that forward their input are not
    /// among them.
    pub fn node_names(&self) -> impl Iterator<Item = &str> {
        self.executor.node_names()
    }
}

impl fmt::Debug for Callable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Callable({} feeds, {} nodes, {} fetches)",
            self.num_feeds(),
            self.node_names().count(),
            self.num_fetches()
        )
    }
}
