//! The threads of a pool beside those that ask for work to be spread: how they find it, and how they wait.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::job::{Job, Span};
use super::waiting::{Patience, pause};

/// What a pool's workers and those that give them work share.
#[derive(Debug)]
pub(super) struct Workers {
    threads: usize,
    jobs: Mutex<Vec<Arc<Job>>>,
    num_jobs: AtomicUsize,
    /// Counts whatever may be news for workers that found nothing to do.
    news: AtomicU32,
    /// Threads in steps, and workers that take part in jobs.
    running: AtomicUsize,
    sleeping: AtomicUsize,
    lock: Mutex<()>,
    woken: Condvar,
    is_closed: AtomicBool,
}

/// A job that workers find; dropping it takes it back.
pub(super) struct Published<'a> {
    workers: &'a Workers,
    job: &'a Arc<Job>,
}

impl Workers {
    /// Of a pool of so many threads.
    pub(super) fn new(threads: usize) -> Self {
        Self {
            threads,
            jobs: Mutex::default(),
            num_jobs: AtomicUsize::new(0),
            news: AtomicU32::new(0),
            running: AtomicUsize::new(0),
            sleeping: AtomicUsize::new(0),
            lock: Mutex::default(),
            woken: Condvar::new(),
            is_closed: AtomicBool::new(false),
        }
    }

    /// Distinguishes pools that exist at the same time; not 0.
    pub(super) fn id(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// Counts a thread in a step. `wakes` has sleeping workers look for work.
    pub(super) fn enter(&self, wakes: bool) {
        let running = self.running.fetch_add(1, Ordering::SeqCst);
        if wakes && running < self.threads {
            self.wake(self.threads - 1 - running.min(self.threads - 1));
        }
    }

    /// Counts a thread in a step no more; a worker may take its place.
    pub(super) fn leave(&self) {
        self.running.fetch_sub(1, Ordering::SeqCst);
        if self.num_jobs.load(Ordering::SeqCst) > 0 && self.jobs().iter().any(|job| job.has_work()) {
            self.wake(1);
        }
    }

    /// Lets workers find a job until the result is dropped, and wakes `wanted` at most.
    pub(super) fn publish<'a>(&'a self, job: &'a Arc<Job>, wanted: usize) -> Published<'a> {
        self.jobs().push(job.clone());
        self.num_jobs.fetch_add(1, Ordering::SeqCst);
        let free = self.threads.saturating_sub(self.running.load(Ordering::SeqCst));
        self.wake(wanted.min(free));
        Published { workers: self, job }
    }

    /// Tells workers that there may be work, and wakes so many of those that sleep.
    pub(super) fn wake(&self, workers: usize) {
        self.news.fetch_add(1, Ordering::SeqCst);
        let sleeping = self.sleeping.load(Ordering::SeqCst).min(workers);
        if sleeping > 0 {
            drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner));
            (0..sleeping).for_each(|_| self.woken.notify_one());
        }
    }

    /// Ends the workers once they have nothing to do.
    pub(super) fn close(&self) {
        self.is_closed.store(true, Ordering::SeqCst);
        self.wake(self.threads);
    }

    /// A worker's life.
    pub(super) fn work(&self) {
        while !self.is_closed.load(Ordering::SeqCst) {
            let seen = self.news.load(Ordering::SeqCst);
            if self.take_part(|_| true) {
                continue;
            }
            let patience = if self.running.load(Ordering::Relaxed) > 0 { Patience::InStep } else { Patience::Idle };
            if !pause(patience, || self.news.load(Ordering::Acquire) != seen) {
                self.sleep(seen);
            }
        }
    }

    /// Takes part in pieces of kernels, or waits within a step, until `is_so`; whether anything happened.
    pub(super) fn assist(&self, mut is_so: impl FnMut() -> bool) -> bool {
        let seen = self.news.load(Ordering::SeqCst);
        is_so()
            || self.take_part(|job| job.span() == Span::Brief)
            || pause(Patience::InStep, || is_so() || self.news.load(Ordering::Acquire) != seen)
    }

    /// Takes part in such a job, where there is one; whether it did.
    fn take_part(&self, suits: impl Fn(&Job) -> bool) -> bool {
        let Some(job) = self.join(suits) else { return false };
        job.take_part();
        job.leave_seat();
        drop(job);
        self.leave();
        true
    }

    /// A job with work, where no more threads run than there may; the worker counts as one that runs then.
    fn join(&self, suits: impl Fn(&Job) -> bool) -> Option<Arc<Job>> {
        let jobs = self.jobs();
        let job = jobs.iter().find(|job| suits(job) && job.has_work() && job.take_seat())?;
        let more = |running: usize| (running < self.threads).then_some(running + 1);
        if self.running.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).is_err() {
            job.leave_seat();
            return None;
        }
        Some(job.clone())
    }

    /// Sleeps until there is news.
    fn sleep(&self, seen: u32) {
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.sleeping.fetch_add(1, Ordering::SeqCst);
        while self.news.load(Ordering::SeqCst) == seen {
            guard = self.woken.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        self.sleeping.fetch_sub(1, Ordering::SeqCst);
    }

    fn jobs(&self) -> MutexGuard<'_, Vec<Arc<Job>>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Published<'_> {
    fn drop(&mut self) {
        let mut jobs = self.workers.jobs();
        jobs.retain(|job| !Arc::ptr_eq(job, self.job));
        self.workers.num_jobs.fetch_sub(1, Ordering::SeqCst);
    }
}
