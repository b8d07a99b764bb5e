//! The plans that a session keeps.

use std::sync::Arc;

use crate::executor::Executor;

/// Plans by the names that they were asked for with; bounded.
#[derive(Default)]
pub(super) struct PlanCache {
    entries: Vec<Entry>,
    capacity: usize,
    clock: u64,
}

struct Entry {
    /// Feeds, fetches and targets, one after the other.
    names: Vec<String>,
    num_feeds: usize,
    num_fetches: usize,
    last_use: u64,
    plan: Arc<Executor>,
}

impl PlanCache {
    pub(super) fn new(capacity: usize) -> Self {
        Self { capacity: capacity.max(1), ..Self::default() }
    }

    pub(super) fn find<'n>(
        &mut self,
        feeds: impl Iterator<Item = &'n str> + Clone,
        fetches: &[&'n str],
        targets: &[&'n str],
    ) -> Option<Arc<Executor>> {
        self.clock += 1;
        let names = || feeds.clone().chain(fetches.iter().copied()).chain(targets.iter().copied());
        let same = |entry: &&mut Entry| {
            entry.num_fetches == fetches.len() && entry.names.iter().map(String::as_str).eq(names())
        };
        let num_feeds = feeds.clone().count();
        let entry = self.entries.iter_mut().filter(|entry| entry.num_feeds == num_feeds).find(same)?;
        entry.last_use = self.clock;
        Some(entry.plan.clone())
    }

    /// Keeps a plan; the one to use comes back, which is another thread's where that was faster.
    pub(super) fn insert(
        &mut self,
        feeds: &[&str],
        fetches: &[&str],
        targets: &[&str],
        plan: Arc<Executor>,
    ) -> Arc<Executor> {
        if let Some(plan) = self.find(feeds.iter().copied(), fetches, targets) {
            return plan;
        }
        if self.entries.len() >= self.capacity {
            let oldest = self.entries.iter().enumerate().min_by_key(|(_, entry)| entry.last_use);
            oldest.map(|(at, _)| at).map(|at| self.entries.swap_remove(at));
        }
        self.entries.push(Entry {
            names: [feeds, fetches, targets].concat().iter().map(ToString::to_string).collect(),
            num_feeds: feeds.len(),
            num_fetches: fetches.len(),
            last_use: self.clock,
            plan: plan.clone(),
        });
        plan
    }
}
