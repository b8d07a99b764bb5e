//! What one run asks for beside its feeds and fetches.

use std::time::{Duration, Instant};

use oplink_api::Cancellation;

/// What one run asks for beside its feeds and fetches.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// The run must end within this time; else it stops with `DeadlineExceeded`.
    pub timeout: Option<Duration>,
    /// Stops the run when it is cancelled, from any thread; a deadline of its own counts too. One handle may stop
    /// several runs.
    pub cancellation: Option<Cancellation>,
    /// What the run's metadata tell.
    pub trace: TraceLevel,
}

/// What a run's metadata tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TraceLevel {
    /// Nothing, which costs nothing.
    #[default]
    Off,
    /// Of each node when and where it ran, and what it gave.
    Nodes,
}

impl RunOptions {
    /// When a run that begins now must end.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let timeout = self.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let given = self.cancellation.as_ref().and_then(Cancellation::deadline);
        timeout.into_iter().chain(given).min()
    }
}
