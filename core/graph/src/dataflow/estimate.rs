//! Whether several threads could shorten a run.

use std::time::Duration;

use super::frames::ROOT;
use super::{Dataflow, Node};

/// What threads must save of a run's time.
const LEAST_SHARE_SAVED: f64 = 0.1;
/// Shorter runs are over before another thread begins.
const LEAST_TIME: Duration = Duration::from_micros(100);
/// Nodes that a call of functions counts for.
const NODES_OF_CALL: f64 = 32.0;

impl Dataflow {
    /// Whether nodes that do not wait for one another make up enough of the graph: each counts alike, but for calls of
    /// functions, which count for what they may run.
    pub(crate) fn is_wide(&self, threads: usize) -> bool {
        let weight = |node: &Node| match (&node.kernel, node.calls_functions) {
            (None, _) => 0.0,
            (Some(_), false) => 1.0,
            (Some(_), true) => NODES_OF_CALL,
        };
        let (sum, span) = self.estimate(threads, |node| weight(&self.nodes[node]));
        span < sum * (1.0 - LEAST_SHARE_SAVED)
    }

    /// Whether so many threads could shorten a run, by what nodes took so far.
    pub(crate) fn could_gain(&self, threads: usize) -> bool {
        let (sum, span) = self.estimate(threads, |node| self.costs.of(node as u32).as_secs_f64());
        sum >= LEAST_TIME.as_secs_f64() && span < sum * (1.0 - LEAST_SHARE_SAVED)
    }

    /// The cost of all nodes outside of loops, and the least time in which so many threads could do them: that of the
    /// longest chain of nodes that wait for one another, or an even share.
    fn estimate(&self, threads: usize, cost: impl Fn(usize) -> f64) -> (f64, f64) {
        let count = self.layouts[ROOT as usize].template.len();
        let mut ready = vec![0.0f64; count];
        let (mut sum, mut longest) = (0.0, 0.0f64);
        // Nodes of a frame are numbered in an order in which each comes after those it waits for.
        for number in 0..count {
            let took = cost(number);
            let end = ready[number] + took;
            sum += took;
            longest = longest.max(end);
            let node = &self.nodes[number];
            for entry in node.first_output..=node.first_output + node.num_outputs {
                for edge in self.edges_at(entry) {
                    if let Some(reader) = ready.get_mut(edge.node as usize) {
                        *reader = reader.max(end);
                    }
                }
            }
        }
        (sum, longest.max(sum / threads.max(1) as f64))
    }
}
