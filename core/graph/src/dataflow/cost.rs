//! How long each node takes, measured.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// A node that takes at least so long is worth a thread that sleeps.
pub(super) const WORTH_WAKING: Duration = Duration::from_micros(20);
/// A node that takes at least so long is worth a thread that looks for work.
pub(super) const WORTH_HANDING: Duration = Duration::from_micros(5);
/// The first runs are measured, and then one out of so many.
const MEASURED_FIRST: u32 = 4;
const MEASURED_EACH: u32 = 256;

/// A moving average for each node.
pub(super) struct Costs {
    nanoseconds: Vec<AtomicU32>,
    runs: AtomicU32,
}

impl Costs {
    pub(super) fn new(nodes: usize) -> Self {
        Self { nanoseconds: (0..nodes).map(|_| AtomicU32::new(0)).collect(), runs: AtomicU32::new(0) }
    }

    /// Counts a run; how many of its nodes to measure.
    pub(super) fn begin_run(&self) -> usize {
        let run = self.runs.fetch_add(1, Ordering::Relaxed);
        let measured = run < MEASURED_FIRST || run.is_multiple_of(MEASURED_EACH);
        if measured { 8 * self.nanoseconds.len() } else { 0 }
    }

    pub(super) fn add(&self, node: u32, took: Duration) {
        let cost = &self.nanoseconds[node as usize];
        let took = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX).min(u64::from(u32::MAX));
        let known = u64::from(cost.load(Ordering::Relaxed));
        let average = if known == 0 { took } else { (3 * known + took) / 4 };
        cost.store((average as u32).max(1), Ordering::Relaxed);
    }

    /// Whether the node takes at least so long, as far as is known.
    #[inline]
    pub(super) fn takes(&self, node: u32, least: Duration) -> bool {
        u128::from(self.nanoseconds[node as usize].load(Ordering::Relaxed)) >= least.as_nanos()
    }

    /// The average; zero where nothing is known.
    pub(super) fn of(&self, node: u32) -> Duration {
        Duration::from_nanos(self.nanoseconds[node as usize].load(Ordering::Relaxed).into())
    }
}
