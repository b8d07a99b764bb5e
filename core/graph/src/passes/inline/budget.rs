//! How many nodes inlining may add.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Nodes that several plans together may still take in.
#[derive(Debug)]
pub(crate) struct InliningBudget(AtomicUsize);

impl InliningBudget {
    /// So many nodes.
    pub(crate) fn new(nodes: usize) -> Arc<Self> {
        Arc::new(Self(AtomicUsize::new(nodes)))
    }

    fn take(&self, count: usize) -> bool {
        let take = |left: usize| left.checked_sub(count);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok()
    }
}

/// The nodes that one plan took in; the budget has them again when this is dropped.
#[derive(Debug)]
pub(crate) struct InlinedNodes {
    budget: Arc<InliningBudget>,
    /// How many of the budget's this plan may take.
    most: usize,
    count: usize,
}

impl InlinedNodes {
    /// None yet, and at most so many of the budget.
    pub(crate) fn new(budget: &Arc<InliningBudget>, most: usize) -> Self {
        Self { budget: budget.clone(), most, count: 0 }
    }

    /// Takes so many more, where both limits leave room for them.
    pub(super) fn take(&mut self, count: usize) -> bool {
        let takes = count <= self.most - self.count && self.budget.take(count);
        self.count += if takes { count } else { 0 };
        takes
    }
}

impl Drop for InlinedNodes {
    fn drop(&mut self) {
        self.budget.0.fetch_add(self.count, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_limits_count_and_nodes_come_back() {
        let budget = InliningBudget::new(10);
        let (mut one, mut two) = (InlinedNodes::new(&budget, 8), InlinedNodes::new(&budget, 8));
        assert!(one.take(7) && !one.take(2) && one.take(1));
        assert!(!two.take(3) && two.take(2));
        drop(one);
        assert!(two.take(6) && !two.take(1));
    }
}
