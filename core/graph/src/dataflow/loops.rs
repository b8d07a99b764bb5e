//! Entering loops, going from iteration to iteration, and leaving them.
//!
//! A frame ends when all that enters it has arrived and all its iterations have ended; an iteration ends when nothing
//! in it is ready, runs, or waits for a frame inside it, and the iterations before it have ended.

use oplink_api::Tensor;

use super::state::{Frame, ROOT_FRAME, State, Task};
use super::{Dataflow, Edge, Invariant, NONE, Node};

impl State {
    /// Brings what arrived at an `Enter` into its frame.
    pub(super) fn enter(&mut self, plan: &Dataflow, task: Task, value: Option<Tensor>) {
        let node = &plan.nodes[task.node as usize];
        let frame = self.frame_inside(plan, task.iteration, node.layout);
        self.frames[frame as usize].pending_enters -= 1;
        let (values, signals) = (plan.edges_of(node, 0), plan.signals_of(node));
        match node.invariant {
            Invariant::No => self.send(self.frames[frame as usize].oldest, values, signals, value),
            Invariant::Kept(number) => self.keep(plan, frame, number, node, value),
            Invariant::Sent => {
                let mut iteration = self.frames[frame as usize].oldest;
                while iteration != NONE {
                    self.send(iteration, values, signals, value.clone());
                    iteration = self.iterations[iteration as usize].next;
                }
                self.frames[frame as usize].sent.push((task.node, value));
            }
        }
        // A frame that nothing waits for in may be over at once.
        self.end_iterations(plan, frame);
    }

    fn send(&mut self, to: u32, values: &[Edge], signals: &[Edge], value: Option<Tensor>) {
        let dead = value.is_none();
        match value {
            None => self.deliver_dead_entry(to, values),
            value => self.deliver(to, values, value),
        }
        self.signal(to, signals, dead);
    }

    /// Keeps an invariant for the readers of all iterations, which no longer wait for it.
    fn keep(&mut self, plan: &Dataflow, frame: u32, number: u32, node: &Node, value: Option<Tensor>) {
        let dead = value.is_none();
        let (values, signals) = (plan.edges_of(node, 0), plan.signals_of(node));
        let of_frame = &mut self.frames[frame as usize];
        of_frame.invariants[number as usize] = value;
        let first_node = plan.layouts[of_frame.layout as usize].first_node;
        for edge in values.iter().chain(signals) {
            let pending = &mut of_frame.template[(edge.node - first_node) as usize];
            if let Some(dead) = pending.arrive(edge, dead, || ()) {
                of_frame.each.push((edge.node, dead));
            }
        }
        let mut iteration = of_frame.oldest;
        while iteration != NONE {
            self.signal(iteration, values, dead);
            self.signal(iteration, signals, dead);
            iteration = self.iterations[iteration as usize].next;
        }
    }

    /// The frame of a loop within an iteration around it; begins with the first `Enter`.
    fn frame_inside(&mut self, plan: &Dataflow, parent: u32, layout: u32) -> u32 {
        let of_layout = &plan.layouts[layout as usize];
        let known = self.iterations[parent as usize].children[of_layout.child as usize];
        if known != NONE {
            return known;
        }
        let id = self.free_frames[layout as usize].pop().unwrap_or_else(|| {
            self.frames.push(Frame::default());
            self.frames.len() as u32 - 1
        });
        let frame = &mut self.frames[id as usize];
        frame.layout = layout;
        frame.parent = parent;
        frame.template.clone_from(&of_layout.template);
        frame.invariants.resize(of_layout.num_invariants as usize, None);
        frame.pending_enters = of_layout.num_enters;
        frame.newest_number = 0;
        frame.num_active = 1;
        let first = self.new_iteration(plan, id);
        self.iterations[first as usize].number = 0;
        let frame = &mut self.frames[id as usize];
        (frame.oldest, frame.newest) = (first, first);
        let parent = &mut self.iterations[parent as usize];
        parent.children[of_layout.child as usize] = id;
        parent.num_children += 1;
        id
    }

    /// Brings what arrived at a `NextIteration` into the next iteration, which begins with the first such value: at
    /// once, or when fewer iterations are under way.
    pub(super) fn next_iteration(&mut self, plan: &Dataflow, task: Task, value: Option<Tensor>) {
        let Some(value) = value else { return };
        let iteration = &self.iterations[task.iteration as usize];
        let (frame, mut next) = (iteration.frame, iteration.next);
        if next == NONE {
            let of_frame = &mut self.frames[frame as usize];
            if of_frame.num_active >= plan.layouts[of_frame.layout as usize].parallel_iterations {
                of_frame.deferred.push((task.node, value));
                return;
            }
            next = self.begin_iteration(plan, frame);
        }
        self.bring_next(plan, next, task.node, value);
    }

    fn bring_next(&mut self, plan: &Dataflow, iteration: u32, from: u32, value: Tensor) {
        let node = &plan.nodes[from as usize];
        self.deliver(iteration, plan.edges_of(node, 0), Some(value));
        self.signal(iteration, plan.signals_of(node), false);
    }

    fn begin_iteration(&mut self, plan: &Dataflow, frame: u32) -> u32 {
        let id = self.new_iteration(plan, frame);
        let of_frame = &mut self.frames[frame as usize];
        of_frame.newest_number += 1;
        of_frame.num_active += 1;
        of_frame.dead_exits.clear();
        let before = std::mem::replace(&mut of_frame.newest, id);
        if of_frame.oldest == NONE {
            of_frame.oldest = id;
        } else {
            self.iterations[before as usize].next = id;
        }
        let iteration = &mut self.iterations[id as usize];
        iteration.number = of_frame.newest_number;
        iteration.outstanding += of_frame.each.len() as u32;
        let each = of_frame.each.iter().map(|&(node, dead)| Task { node, iteration: id, dead });
        self.queue.ready.extend(each);
        for index in 0..self.frames[frame as usize].sent.len() {
            let (from, value) = self.frames[frame as usize].sent[index].clone();
            let node = &plan.nodes[from as usize];
            self.send(id, plan.edges_of(node, 0), plan.signals_of(node), value);
        }
        id
    }

    /// Brings what arrived at an `Exit` to the iteration around the loop. A dead one counts where the loop ends with
    /// it.
    pub(super) fn exit(&mut self, plan: &Dataflow, task: Task, value: Option<Tensor>) {
        let iteration = &self.iterations[task.iteration as usize];
        let frame = &mut self.frames[iteration.frame as usize];
        if value.is_none() {
            if iteration.number == frame.newest_number {
                frame.dead_exits.push(task.node);
            }
            return;
        }
        let parent = frame.parent;
        let node = &plan.nodes[task.node as usize];
        self.deliver(parent, plan.edges_of(node, 0), value);
        self.signal(parent, plan.signals_of(node), false);
    }

    /// Counts a node of an iteration as done.
    #[inline]
    pub(super) fn end_node(&mut self, plan: &Dataflow, iteration: u32) {
        let of_node = &mut self.iterations[iteration as usize];
        of_node.outstanding -= 1;
        if of_node.outstanding == 0 && of_node.frame != ROOT_FRAME {
            let frame = of_node.frame;
            self.end_iterations(plan, frame);
        }
    }

    /// Ends what iterations of a frame are over, and the frame itself where all are.
    fn end_iterations(&mut self, plan: &Dataflow, mut frame: u32) {
        while frame != ROOT_FRAME {
            while self.oldest_is_over(frame) {
                self.end_oldest(plan, frame);
            }
            let of_frame = &self.frames[frame as usize];
            if of_frame.num_active > 0 || of_frame.pending_enters > 0 {
                return;
            }
            let parent = self.end_frame(plan, frame);
            let around = &self.iterations[parent as usize];
            if around.outstanding > 0 || around.num_children > 0 {
                return;
            }
            frame = around.frame;
        }
    }

    fn oldest_is_over(&self, frame: u32) -> bool {
        let frame = &self.frames[frame as usize];
        let Some(iteration) = self.iterations.get(frame.oldest as usize) else { return false };
        let begun = iteration.number > 0 || frame.pending_enters == 0;
        begun && iteration.outstanding == 0 && iteration.num_children == 0
    }

    fn end_oldest(&mut self, plan: &Dataflow, frame: u32) {
        let of_frame = &mut self.frames[frame as usize];
        let oldest = of_frame.oldest;
        let iteration = &mut self.iterations[oldest as usize];
        iteration.slots.fill(None);
        of_frame.oldest = iteration.next;
        of_frame.num_active -= 1;
        self.free_iterations[of_frame.layout as usize].push(oldest);
        if !of_frame.deferred.is_empty() {
            let deferred = std::mem::take(&mut of_frame.deferred);
            let next = self.begin_iteration(plan, frame);
            for (from, value) in deferred {
                self.bring_next(plan, next, from, value);
            }
        }
    }

    /// Ends a frame; its `Exit`s that stayed dead are dead for the iteration around it, which is returned.
    fn end_frame(&mut self, plan: &Dataflow, frame: u32) -> u32 {
        let of_frame = &mut self.frames[frame as usize];
        let (layout, parent) = (of_frame.layout, of_frame.parent);
        of_frame.invariants.clear();
        of_frame.sent.clear();
        of_frame.each.clear();
        for index in 0..of_frame.dead_exits.len() {
            let exit = self.frames[frame as usize].dead_exits[index];
            let node = &plan.nodes[exit as usize];
            self.deliver(parent, plan.edges_of(node, 0), None);
            self.signal(parent, plan.signals_of(node), true);
        }
        self.frames[frame as usize].dead_exits.clear();
        self.free_frames[layout as usize].push(frame);
        let around = &mut self.iterations[parent as usize];
        around.children[plan.layouts[layout as usize].child as usize] = NONE;
        around.num_children -= 1;
        parent
    }
}
