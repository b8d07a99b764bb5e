//! What a run has under way: iterations with the values that wait in them, and the nodes that are ready.

use oplink_api::{Error, Tensor};

use super::{Dataflow, NONE, Pending};

/// The iteration outside of all loops.
pub(super) const ROOT_ITERATION: u32 = 0;
/// The frame outside of all loops.
pub(super) const ROOT_FRAME: u32 = 0;

/// A node to run in an iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) node: u32,
    pub(super) iteration: u32,
    /// Whether it is on a branch that is not taken: then it passes on only that.
    pub(super) dead: bool,
}

/// All that changes during a run. Kept between runs, so that a run allocates nothing but tensors.
#[derive(Default)]
pub(super) struct State {
    pub(super) iterations: Vec<Iteration>,
    /// By layout: iterations that are not in use.
    pub(super) free_iterations: Vec<Vec<u32>>,
    pub(super) frames: Vec<Frame>,
    /// By layout: frames that are not in use.
    pub(super) free_frames: Vec<Vec<u32>>,
    pub(super) queue: Queue,
    /// By fetch.
    pub(super) fetched: Vec<Fetched>,
    /// What stopped the run.
    pub(super) error: Option<Error>,
    /// Whether something stopped it.
    pub(super) stopped: bool,
    /// Nodes that run on other threads, or will finish there.
    pub(super) elsewhere: usize,
    /// Workers of the pool that were called to work on the run and did not leave.
    pub(super) helpers: usize,
    /// Whether the driving thread has nothing to do.
    pub(super) driver_waits: bool,
    pub(super) worker: Worker,
}

/// The nodes that are ready, by when to run them.
#[derive(Default)]
pub(super) struct Queue {
    /// Those to look at next; the last one first.
    pub(super) ready: Vec<Task>,
    /// Those that start iterations, which wait until everything else is done.
    pub(super) later: Vec<Task>,
    /// Those that are worth a thread of their own.
    pub(super) expensive: Vec<Task>,
    /// Those that only the driving thread runs, while others work on the run too.
    pub(super) driver: Vec<Task>,
}

/// What a thread needs to run nodes.
#[derive(Default)]
pub(super) struct Worker {
    pub(super) inputs: Vec<Tensor>,
    pub(super) outputs: Vec<Option<Tensor>>,
}

/// What arrived for a fetch.
#[derive(Debug, Default)]
pub(super) enum Fetched {
    #[default]
    Nothing,
    Dead,
    Value(Tensor),
}

/// One iteration of a frame that is under way.
#[derive(Debug, Default)]
pub(super) struct Iteration {
    pub(super) frame: u32,
    pub(super) number: u64,
    /// The iteration after it; `NONE` where it has not begun.
    pub(super) next: u32,
    pub(super) first_node: u32,
    /// Nodes that are ready or run.
    pub(super) outstanding: u32,
    /// Frames inside it that are under way.
    pub(super) num_children: u32,
    /// By child layout: the frame; `NONE` where it is not under way.
    pub(super) children: Vec<u32>,
    pub(super) pending: Vec<Pending>,
    pub(super) slots: Vec<Option<Tensor>>,
}

/// One entering of a loop.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) layout: u32,
    pub(super) parent: u32,
    /// What a new iteration waits for: less than its layout's template once invariants are there.
    pub(super) template: Vec<Pending>,
    pub(super) invariants: Vec<Option<Tensor>>,
    /// Values that each new iteration is sent, by the `Enter` they came through; `None` is dead.
    pub(super) sent: Vec<(u32, Option<Tensor>)>,
    /// Nodes that wait for nothing but invariants, and whether they are dead.
    pub(super) each: Vec<(u32, bool)>,
    /// Values for an iteration that may not begin yet, by the `NextIteration` they came through.
    pub(super) deferred: Vec<(u32, Tensor)>,
    /// `Exit`s that were dead in the newest iteration.
    pub(super) dead_exits: Vec<u32>,
    pub(super) oldest: u32,
    pub(super) newest: u32,
    pub(super) newest_number: u64,
    pub(super) num_active: u32,
    pub(super) pending_enters: u32,
}

impl State {
    /// A state with the root frame and its iteration.
    pub(super) fn new(plan: &Dataflow) -> Self {
        let mut state = Self {
            free_iterations: vec![Vec::new(); plan.layouts.len()],
            free_frames: vec![Vec::new(); plan.layouts.len()],
            ..Self::default()
        };
        state.frames.push(Frame { oldest: ROOT_ITERATION, newest: ROOT_ITERATION, parent: NONE, ..Frame::default() });
        let iteration = state.new_iteration(plan, ROOT_FRAME);
        debug_assert_eq!(iteration, ROOT_ITERATION);
        state
    }

    /// Makes it ready for a run.
    pub(super) fn reset(&mut self, plan: &Dataflow) {
        let root = &plan.layouts[ROOT_FRAME as usize].template;
        self.iterations[ROOT_ITERATION as usize].pending.clone_from(root);
        self.fetched.resize_with(plan.fetches.len(), Fetched::default);
    }

    /// Drops everything that a run left behind; after an error also what was under way.
    pub(super) fn clear(&mut self, plan: &Dataflow) {
        let root = &mut self.iterations[ROOT_ITERATION as usize];
        if self.stopped || root.num_children > 0 {
            *self = Self::new(plan);
            return;
        }
        root.slots.fill(None);
        root.outstanding = 0;
        self.fetched.clear();
    }

    /// An iteration of a frame, with what it waits for as the frame says.
    pub(super) fn new_iteration(&mut self, plan: &Dataflow, frame: u32) -> u32 {
        let of_frame = &self.frames[frame as usize];
        let layout = &plan.layouts[of_frame.layout as usize];
        let id = match self.free_iterations[of_frame.layout as usize].pop() {
            Some(id) => id,
            None => {
                self.iterations.push(Iteration {
                    first_node: layout.first_node,
                    children: vec![NONE; layout.num_children as usize],
                    slots: vec![None; layout.num_slots as usize],
                    ..Iteration::default()
                });
                self.iterations.len() as u32 - 1
            }
        };
        let iteration = &mut self.iterations[id as usize];
        iteration.frame = frame;
        iteration.next = NONE;
        iteration.outstanding = 0;
        iteration.num_children = 0;
        iteration.pending.clone_from(&of_frame.template);
        id
    }

    /// Whether nothing is ready.
    pub(super) fn is_idle(&self) -> bool {
        let Queue { ready, later, expensive, driver } = &self.queue;
        ready.is_empty() && later.is_empty() && expensive.is_empty() && driver.is_empty()
    }

    /// Stops the run: nothing more is ready. The first error stays.
    pub(super) fn fail(&mut self, error: Error) {
        self.error.get_or_insert(error);
        self.stopped = true;
        self.queue.clear();
    }
}

impl Queue {
    pub(super) fn clear(&mut self) {
        for tasks in [&mut self.ready, &mut self.later, &mut self.expensive, &mut self.driver] {
            tasks.clear();
        }
    }
}
