//! Working on a run with several threads of the pool.
//!
//! The state is behind a lock then, which no kernel runs under. Workers take what is ready and go when nothing is;
//! they never wait. The driving thread works too, runs what may wait, and waits for the rest. Where there is one thing
//! to do, the driving thread does it: then workers are free for the parts of its kernel.

use std::sync::{Mutex, MutexGuard, PoisonError};

use oplink_api::Result;
use oplink_core::Team;

use super::Dataflow;
use super::cost::WORTH_HANDING;
use super::run::Run;
use super::state::{Queue, State, Task, Worker};
use crate::kernels::StepEnvs;

/// A run that several threads work on.
struct Shared<'a> {
    run: &'a Run<'a>,
    state: Mutex<Box<State>>,
    /// Workers that take part at most.
    most_helpers: usize,
}

type Guard<'s> = MutexGuard<'s, Box<State>>;

impl Run<'_> {
    /// Runs the rest with the pool's threads.
    #[cold]
    pub(super) fn share(&self, state: Box<State>) -> Box<State> {
        let Some(pool) = &self.plan.pool else { return state };
        let threads = self.plan.envs.host().intra_op_threads().min(pool.threads());
        let shared = Shared { run: self, state: Mutex::new(state), most_helpers: threads.saturating_sub(1).max(1) };
        pool.with_team(&|team| shared.help(team), |team| shared.drive(team));
        let mut state = shared.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        (state.helpers, state.driver_waits) = (0, false);
        state
    }
}

impl Shared<'_> {
    fn lock(&self) -> Guard<'_> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn envs(&self) -> StepEnvs<'_> {
        let Dataflow { envs, spreads, .. } = self.run.plan;
        envs.in_step(self.run.step, spreads)
    }

    /// The driving thread's part. Workers that still run a kernel when it returns find the run stopped.
    fn drive(&self, team: &Team<'_>) {
        let (envs, mut worker) = (self.envs(), Worker::default());
        let cancellation = self.run.step.cancellation();
        let mailbox = self.run.mailbox();
        let waker = mailbox.clone();
        let _wakes = cancellation.on_cancel(move || waker.wake());
        loop {
            let mut state = self.lock();
            state.driver_waits = false;
            self.run.receive(&mut state);
            if let Err(error) = cancellation.check() {
                self.run.stop(&mut state, error);
            }
            if state.stopped || state.is_idle() && state.elsewhere == 0 {
                return;
            }
            let of_driver = state.queue.driver.pop();
            let task = of_driver.or_else(|| state.queue.next(self.run.plan, Some(WORTH_HANDING)));
            if let Some(task) = task {
                self.call_helper_for_the_rest(&mut state, team);
                drop(self.work(state, task, &envs, &mut worker));
                continue;
            }
            state.driver_waits = true;
            drop(state);
            if !team.assist(|| mailbox.has_news()) {
                mailbox.wait(cancellation.deadline());
            }
        }
    }

    /// Calls a worker where there is something for it to do.
    fn call_helper_for_the_rest(&self, state: &mut State, team: &Team<'_>) {
        let is_worth_it = !state.queue.expensive.is_empty() && state.helpers < self.most_helpers;
        if is_worth_it || state.helpers == 0 && state.queue.has_work_for_all() {
            state.helpers += 1;
            team.call();
        }
    }

    /// A worker's part.
    fn help(&self, team: &Team<'_>) {
        let (envs, mut worker) = (self.envs(), Worker::default());
        let mut state = self.lock();
        while let Some(task) = self.next(&mut state, team) {
            state = self.work(state, task, &envs, &mut worker);
        }
        state.helpers -= 1;
        let wakes = state.driver_waits || state.stopped;
        drop(state);
        if wakes {
            self.run.mailbox().wake();
        }
    }

    /// What a worker runs next; where there is more, another one is called.
    fn next(&self, state: &mut State, team: &Team<'_>) -> Option<Task> {
        if state.stopped {
            return None;
        }
        self.run.receive(state);
        let waiting = state.queue.driver.len();
        let task = state.queue.next_for_all(self.run.plan)?;
        if state.driver_waits && state.queue.driver.len() > waiting {
            self.run.mailbox().wake();
        }
        if state.driver_waits && self.run.plan.costs.takes(task.node, WORTH_HANDING) {
            if state.queue.expensive.is_empty() {
                // For the driving thread, which is woken at the end.
                state.queue.expensive.push(task);
                return None;
            }
            state.driver_waits = false;
            self.run.mailbox().wake();
        }
        self.call_helper_for_the_rest(state, team);
        Some(task)
    }

    /// Runs a node; its kernel without the lock.
    fn work<'s>(&'s self, mut state: Guard<'s>, task: Task, envs: &StepEnvs<'_>, worker: &mut Worker) -> Guard<'s> {
        let plan = self.run.plan;
        let node = &plan.nodes[task.node as usize];
        let Some(kernel) = node.kernel.as_ref().filter(|_| !task.dead) else {
            let performed = state.perform_role(plan, task);
            self.check(&mut state, performed);
            return state;
        };
        let staged = self.run.step.cancellation().check();
        if let Err(error) = staged.and_then(|()| state.stage(plan, task, &mut worker.inputs)) {
            worker.inputs.clear();
            self.run.stop(&mut state, error);
            return state;
        }
        state.elsewhere += 1;
        drop(state);
        let env = envs.of(node.env);
        if node.is_async {
            self.run.start(task, kernel, std::mem::take(&mut worker.inputs), env);
            return self.lock();
        }
        let computed = self.run.compute(task, kernel, env, worker, true);
        let mut state = self.lock();
        state.elsewhere -= 1;
        if computed.is_ok() && !state.stopped {
            state.finish(plan, task, &mut worker.outputs);
        }
        self.check(&mut state, computed);
        state
    }

    fn check(&self, state: &mut Guard<'_>, result: Result<()>) {
        if let Err(error) = result {
            self.run.stop(state, error);
        }
    }
}

impl Queue {
    /// Whether there is anything that a pool thread may run, as far as is known.
    fn has_work_for_all(&self) -> bool {
        !(self.ready.is_empty() && self.later.is_empty() && self.expensive.is_empty())
    }

    /// As [`Queue::next`], without what only the driving thread runs.
    fn next_for_all(&mut self, plan: &Dataflow) -> Option<Task> {
        while let Some(task) = self.next(plan, Some(WORTH_HANDING)) {
            if task.dead || !plan.nodes[task.node as usize].may_wait {
                return Some(task);
            }
            self.driver.push(task);
        }
        None
    }
}
