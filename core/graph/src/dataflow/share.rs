//! Working on a run with several threads of the pool.
//!
//! The state is behind a lock then, which no kernel runs under. Pool threads take what is ready and go when nothing is;
//! they never wait. The driving thread waits for them, runs what may wait, and takes in what asynchronous kernels
//! finish.

use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, PoisonError};

use oplink_api::Result;
use oplink_core::PoolScope;

use super::Dataflow;
use super::run::Run;
use super::state::{Queue, State, Task, Worker};
use crate::kernels::StepEnvs;

thread_local! {
    /// Runs that this thread works on: the pool may give it one while it waits within a kernel of another.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// A run that several threads work on.
struct Shared<'a> {
    run: &'a Run<'a>,
    state: Mutex<Box<State>>,
    threads: usize,
}

type Guard<'s> = MutexGuard<'s, Box<State>>;

impl Run<'_> {
    /// Runs the rest with the pool's threads.
    #[cold]
    pub(super) fn share(&self, state: Box<State>) -> Box<State> {
        let Some(pool) = &self.plan.pool else { return state };
        let threads = self.plan.envs.host().intra_op_threads().min(pool.threads()).max(1);
        let shared = Shared { run: self, state: Mutex::new(state), threads };
        pool.scope(|scope| shared.drive(scope));
        shared.state.into_inner().unwrap_or_else(PoisonError::into_inner)
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

    /// The driving thread's part. Pool threads that still run a kernel when it returns find the run stopped.
    fn drive<'s>(&'s self, scope: &PoolScope<'s>) {
        let (envs, mut worker) = (self.envs(), Worker::default());
        let cancellation = self.run.step.cancellation();
        let mailbox = self.run.mailbox();
        let waker = mailbox.clone();
        let _wakes = cancellation.on_cancel(move || waker.wake());
        loop {
            let mut state = self.lock();
            self.run.receive(&mut state);
            if let Err(error) = cancellation.check() {
                self.run.stop(&mut state, error);
            }
            if state.stopped || state.is_idle() && state.elsewhere == 0 {
                return;
            }
            if state.helpers == 0 && state.queue.has_work_for_all() {
                self.call_helper(&mut state, scope);
            }
            if let Some(task) = state.queue.driver.pop() {
                drop(self.work(state, task, &envs, &mut worker));
                continue;
            }
            drop(state);
            mailbox.wait(cancellation.deadline());
        }
    }

    fn call_helper<'s>(&'s self, state: &mut Guard<'_>, scope: &PoolScope<'s>) {
        state.helpers += 1;
        scope.spawn(|scope| self.help(scope));
    }

    /// A pool thread's part.
    fn help<'s>(&'s self, scope: &PoolScope<'s>) {
        let depth = DEPTH.replace(DEPTH.get() + 1);
        let (envs, mut worker) = (self.envs(), Worker::default());
        let mut state = self.lock();
        while let Some(task) = self.next(&mut state, scope) {
            let expensive = self.run.plan.costs.is_expensive(task.node);
            state = self.work(state, task, &envs, &mut worker);
            // Within another kernel's wait: that kernel must not wait for all the rest.
            if depth > 0 && expensive {
                break;
            }
        }
        state.helpers -= 1;
        let last = state.helpers == 0 || state.stopped;
        drop(state);
        DEPTH.set(depth);
        if last {
            self.run.mailbox().wake();
        }
    }

    /// What a pool thread runs next; where there is more, another one is called.
    fn next<'s>(&'s self, state: &mut Guard<'_>, scope: &PoolScope<'s>) -> Option<Task> {
        if state.stopped {
            return None;
        }
        let waiting = state.queue.driver.len();
        let task = state.queue.next_for_all(self.run.plan);
        if state.queue.driver.len() > waiting {
            self.run.mailbox().wake();
        }
        if !state.queue.expensive.is_empty() && state.helpers < self.threads {
            self.call_helper(state, scope);
        }
        task
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
        while let Some(task) = self.next(plan, true) {
            if task.dead || !plan.nodes[task.node as usize].may_wait {
                return Some(task);
            }
            self.driver.push(task);
        }
        None
    }
}
