//! A run: driven on the caller's thread.

use std::sync::{Arc, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use oplink_api::tracer::NodeRun;
use oplink_api::{Code, Error, ErrorKind, Result, Step, Tensor};
use oplink_core::{IntraOpPool, PreparedKernel};

use super::cost::WORTH_WAKING;
use super::mailbox::{Finished, Mailbox};
use super::role::Role;
use super::state::{Fetched, Queue, ROOT_ITERATION, State, Task, Worker};
use super::{Dataflow, Fetch};
use crate::kernels::{StepEnv, StepEnvs, Trust, dereference, wrong_feed_count};

/// When a run goes to the pool's threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Threads {
    /// Once there are several nodes to run at the same time that are worth it.
    WhereWorthIt,
    /// At once.
    FromStart,
    /// Not at all.
    Never,
}

/// One run.
pub(super) struct Run<'a> {
    pub(super) plan: &'a Dataflow,
    pub(super) step: &'a Step,
    pub(super) trust: Trust,
    mailbox: OnceLock<Arc<Mailbox>>,
}

impl Dataflow {
    /// Runs once, as part of `step`. `feeds` are in the signature's order, the fetched values are appended to `fetched`
    /// in the signature's order. Runs may overlap.
    ///
    /// # Errors
    /// A feed of the wrong number, dtype or shape; an error or a panic of a kernel, with node, device and inputs; the
    /// step's cancellation; a fetched value on a branch that is not taken. `fetched` is unchanged then.
    pub(crate) fn run(
        &self,
        step: &Step,
        feeds: impl ExactSizeIterator<Item = Tensor>,
        fetched: &mut Vec<Tensor>,
        threads: Threads,
    ) -> Result<()> {
        if feeds.len() != self.feeds.len() {
            return Err(wrong_feed_count(feeds.len(), self.feeds.len()));
        }
        let mut state = self.take_state();
        state.reset(self);
        let mut result = self.begin(&mut state, feeds);
        if result.is_ok() {
            let run = Run { plan: self, step, trust: Trust::new(), mailbox: OnceLock::new() };
            let shares = threads != Threads::Never && self.pool.is_some() && !IntraOpPool::is_worker();
            let from_start = shares && threads == Threads::FromStart;
            state = if from_start { run.share(state) } else { run.drive(state, shares) };
            result = state.error.take().map_or(Ok(()), Err);
        }
        let before = fetched.len();
        if result.is_ok() {
            result = self.fetch(&mut state, fetched);
        }
        if result.is_err() {
            fetched.truncate(before);
        }
        state.clear(self);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(state);
        result
    }

    fn take_state(&self) -> Box<State> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.unwrap_or_else(|| Box::new(State::new(self)))
    }

    /// Delivers the feeds and makes ready what waits for nothing.
    fn begin(&self, state: &mut State, feeds: impl Iterator<Item = Tensor>) -> Result<()> {
        for ((feed, &entry), value) in self.feeds.iter().zip(&self.feed_outputs).zip(feeds) {
            if let Err(error) = feed.check(&value) {
                state.stopped = true;
                state.queue.clear();
                return Err(error);
            }
            state.deliver(ROOT_ITERATION, self.edges_at(entry), Some(value));
        }
        let start = |&node: &u32| Task { node, iteration: ROOT_ITERATION, dead: false };
        state.queue.ready.extend(self.starts.iter().rev().map(start));
        state.iterations[ROOT_ITERATION as usize].outstanding += self.starts.len() as u32;
        Ok(())
    }

    fn fetch(&self, state: &mut State, fetched: &mut Vec<Tensor>) -> Result<()> {
        for (fetch, arrived) in self.fetches.iter().zip(&mut state.fetched) {
            match (fetch, std::mem::take(arrived)) {
                (Fetch::Constant(value), _) => fetched.push(value.clone()),
                (Fetch::Delivered { is_reference: false, .. }, Fetched::Value(value)) => fetched.push(value),
                (Fetch::Delivered { .. }, Fetched::Value(handle)) => fetched.push(dereference(&handle)?),
                (Fetch::Delivered { name, .. }, missing) => return Err(not_there(name, &missing)),
            }
        }
        Ok(())
    }
}

impl Run<'_> {
    /// Runs everything, or until something fails, which is left in the state.
    fn drive(&self, mut state: Box<State>, shares: bool) -> Box<State> {
        let plan = self.plan;
        let envs = plan.envs.in_step(self.step, &plan.spreads);
        let cancellation = self.step.cancellation();
        let mut worker = std::mem::take(&mut state.worker);
        let mut measured = plan.costs.begin_run();
        let worth = shares.then_some(WORTH_WAKING);
        loop {
            if state.elsewhere > 0 {
                self.receive(&mut state);
            }
            let Some(task) = state.queue.next(plan, worth) else {
                if state.elsewhere == 0 || state.stopped {
                    break;
                }
                self.wait(&mut state);
                continue;
            };
            if !state.queue.expensive.is_empty() && worth.is_some_and(|worth| plan.costs.takes(task.node, worth)) {
                state.queue.expensive.push(task);
                state = self.share(state);
                break;
            }
            measured = measured.saturating_sub(1);
            let ran = match cancellation.check() {
                Ok(()) => self.perform(&mut state, task, &envs, &mut worker, measured > 0),
                Err(error) => Err(error),
            };
            if let Err(error) = ran {
                self.stop(&mut state, error);
                break;
            }
        }
        worker.inputs.clear();
        state.worker = worker;
        state
    }

    /// Runs a node while nobody else works on the run.
    #[inline]
    fn perform(
        &self,
        state: &mut State,
        task: Task,
        envs: &StepEnvs<'_>,
        worker: &mut Worker,
        measure: bool,
    ) -> Result<()> {
        let node = &self.plan.nodes[task.node as usize];
        match &node.kernel {
            Some(kernel) if !task.dead => {
                state.stage(self.plan, task, &mut worker.inputs)?;
                let env = envs.of(node.env);
                if node.is_async {
                    state.elsewhere += 1;
                    self.start(task, kernel, std::mem::take(&mut worker.inputs), env);
                    return Ok(());
                }
                self.compute(task, kernel, env, worker, measure)?;
                state.finish(self.plan, task, &mut worker.outputs);
                Ok(())
            }
            _ => state.perform_role(self.plan, task),
        }
    }

    /// Starts an asynchronous kernel, which is counted as running elsewhere.
    pub(super) fn start(&self, task: Task, kernel: &PreparedKernel, inputs: Vec<Tensor>, env: &StepEnv<'_>) {
        let (mailbox, start) = (self.mailbox().clone(), Instant::now());
        let done = move |outputs| mailbox.send(Finished { task, start, end: Instant::now(), outputs });
        kernel.start(inputs, env, Box::new(done));
    }

    /// Takes in what asynchronous kernels finished.
    #[inline]
    pub(super) fn receive(&self, state: &mut State) {
        let Some(mailbox) = self.mailbox.get() else { return };
        for Finished { task, start, end, outputs } in mailbox.receive() {
            state.elsewhere -= 1;
            let checked = match outputs {
                Ok(outputs) => self.check(task, Ok(()), &outputs).map(|()| outputs),
                Err(error) => self.check(task, Err(error), &[]).map(|()| Vec::new()),
            };
            match checked {
                Ok(mut outputs) => {
                    let node = &self.plan.nodes[task.node as usize].info;
                    if let Some(tracer) = self.step.tracer() {
                        tracer.ran(NodeRun { node, start, end, outputs: &outputs });
                    }
                    if !state.stopped {
                        state.finish(self.plan, task, &mut outputs);
                    }
                }
                Err(error) => self.stop(state, error),
            }
        }
    }

    /// Waits until something finishes elsewhere; a cancelled step stops.
    fn wait(&self, state: &mut State) {
        let cancellation = self.step.cancellation();
        let mailbox = self.mailbox().clone();
        let _wakes = cancellation.on_cancel(move || mailbox.wake());
        self.mailbox().wait(cancellation.deadline());
        self.receive(state);
        if let Err(error) = cancellation.check() {
            self.stop(state, error);
        }
    }

    /// Ends the run with an error; what runs elsewhere is stopped.
    pub(super) fn stop(&self, state: &mut State, error: Error) {
        state.fail(error);
        if state.elsewhere > 0 {
            self.step.cancellation().cancel(stopped());
        }
    }

    pub(super) fn mailbox(&self) -> &Arc<Mailbox> {
        self.mailbox.get_or_init(Arc::default)
    }
}

impl Queue {
    /// The next node to run. Nodes that are `worth` another thread, by the time that they take, are kept back until
    /// there is nothing else; none is where the run may not be shared.
    #[inline]
    pub(super) fn next(&mut self, plan: &Dataflow, worth: Option<Duration>) -> Option<Task> {
        while let Some(task) = self.ready.pop() {
            if task.dead {
                return Some(task);
            }
            let node = &plan.nodes[task.node as usize];
            if node.role == Role::Next {
                self.later.push(task);
            } else if !node.may_wait && worth.is_some_and(|worth| plan.costs.takes(task.node, worth)) {
                self.expensive.push(task);
            } else {
                return Some(task);
            }
        }
        if self.expensive.len() == 1 {
            return self.later.pop().or_else(|| self.expensive.pop());
        }
        self.expensive.pop().or_else(|| self.later.pop())
    }
}

#[cold]
fn stopped() -> Error {
    Error::new(Code::Cancelled, ErrorKind::Cancelled, "another node of the step failed")
}

#[cold]
fn not_there(name: &str, arrived: &Fetched) -> Error {
    let message = match arrived {
        Fetched::Dead => format!(
            "`{name}` has no value: it is on a branch that was not taken; fetch what the Merge behind the branches gives"
        ),
        _ => format!("`{name}` was not computed: what it waits for never came"),
    };
    Error::invalid_argument(message).context(format!("fetch `{name}`"))
}
