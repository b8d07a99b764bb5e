//! Bringing values and signals to the nodes that wait for them.

use oplink_api::Tensor;

use super::state::{Fetched, Iteration, State, Task};
use super::{Dataflow, Edge, Node, Pending, To};

impl Dataflow {
    /// The edges of one of a node's outputs.
    #[inline]
    pub(super) fn edges_of(&self, node: &Node, output: u32) -> &[Edge] {
        self.edges_at(node.first_output + output)
    }

    /// The edges that wait for a node, not for one of its values.
    #[inline]
    pub(super) fn signals_of(&self, node: &Node) -> &[Edge] {
        self.edges_at(node.first_output + node.num_outputs)
    }

    #[inline]
    pub(super) fn edges_at(&self, entry: u32) -> &[Edge] {
        let entry = entry as usize;
        &self.edges[self.outputs[entry] as usize..self.outputs[entry + 1] as usize]
    }
}

impl State {
    /// Brings a value to an iteration; `None` is a dead one.
    #[inline]
    pub(super) fn deliver(&mut self, to: u32, edges: &[Edge], value: Option<Tensor>) {
        let Some((last, edges)) = edges.split_last() else { return };
        let dead = value.is_none();
        let mut target = Target { iteration: &mut self.iterations[to as usize], to, ready: &mut self.queue.ready };
        for edge in edges {
            let value = if edge.to >= To::Value { value.clone() } else { None };
            target.bring(&mut self.fetched, edge, value, dead);
        }
        target.bring(&mut self.fetched, last, value, dead);
    }

    /// Tells an iteration that a node has ended.
    #[inline]
    pub(super) fn signal(&mut self, to: u32, edges: &[Edge], dead: bool) {
        let mut target = Target { iteration: &mut self.iterations[to as usize], to, ready: &mut self.queue.ready };
        for edge in edges {
            target.bring(&mut self.fetched, edge, None, dead);
        }
    }

    /// As [`State::deliver`] of a dead value, from an `Enter`: a `Merge` is then dead at once, since nothing comes back
    /// from an iteration that is dead.
    pub(super) fn deliver_dead_entry(&mut self, to: u32, edges: &[Edge]) {
        let iteration = &mut self.iterations[to as usize];
        for edge in edges.iter().filter(|edge| edge.to == To::MergeValue) {
            let pending = &mut iteration.pending[(edge.node - iteration.first_node) as usize];
            if pending.dead != Pending::LIVE && pending.dead != pending.inputs {
                pending.dead = pending.inputs.saturating_sub(1);
            }
        }
        self.deliver(to, edges, None);
    }
}

/// The iteration that something arrives in.
struct Target<'a> {
    iteration: &'a mut Iteration,
    to: u32,
    ready: &'a mut Vec<Task>,
}

impl Target<'_> {
    #[inline]
    fn bring(&mut self, fetched: &mut [Fetched], edge: &Edge, value: Option<Tensor>, dead: bool) {
        if edge.to == To::Fetch {
            fetched[edge.node as usize] = value.map_or(Fetched::Dead, Fetched::Value);
            return;
        }
        let pending = &mut self.iteration.pending[(edge.node - self.iteration.first_node) as usize];
        if let Some(dead) = pending.arrive(edge, dead, || self.iteration.slots[edge.slot as usize] = value) {
            self.iteration.outstanding += 1;
            self.ready.push(Task { node: edge.node, iteration: self.to, dead });
        }
    }
}

impl Pending {
    /// Counts what an edge brings; where the node is ready then, whether it is dead. `keep` puts the value in its slot.
    /// What comes again, in a loop with mistakes, counts for nothing.
    #[inline]
    pub(super) fn arrive(&mut self, edge: &Edge, dead: bool, keep: impl FnOnce()) -> Option<bool> {
        match edge.to {
            To::Value if !dead => keep(),
            To::Value | To::Signal => self.dead |= u16::from(dead),
            To::MergeValue => return self.arrive_at_merge(edge.index, dead, keep),
            To::MergeSignal => {
                self.waiting = self.waiting.checked_sub(1)?;
                return self.merge_is_ready();
            }
            To::Trigger | To::Fetch => {}
        }
        self.waiting = self.waiting.checked_sub(1)?;
        (self.waiting == 0).then_some(self.dead != 0)
    }

    /// The first value that is not dead counts; without any, the last dead one.
    fn arrive_at_merge(&mut self, index: u16, dead: bool, keep: impl FnOnce()) -> Option<bool> {
        if self.dead == Self::LIVE || self.dead == self.inputs {
            return None;
        }
        if dead {
            self.dead += 1;
        } else {
            (self.dead, self.inputs) = (Self::LIVE, index);
            keep();
        }
        self.merge_is_ready()
    }

    fn merge_is_ready(&self) -> Option<bool> {
        let live = self.dead == Self::LIVE;
        (self.waiting == 0 && (live || self.dead == self.inputs)).then_some(!live)
    }
}
