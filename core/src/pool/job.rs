//! Work on borrowed data that several threads share.
//!
//! Contract: a job's function is called only for a piece that was claimed, and [`Job::with`], which borrows the
//! function, returns only when no piece can be claimed any more and all that were are done.
#![allow(unsafe_code, reason = "room: a function that is borrowed while other threads call it")]

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Thread};

use super::waiting::{Patience, pause};

/// The next piece of a job of which none is claimed any more.
const CLOSED: usize = usize::MAX;

type Payload = Box<dyn Any + Send>;

/// How long pieces take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Span {
    /// Parts of one kernel.
    Brief,
    /// As long as a run may.
    Long,
}

/// Numbered pieces of work: `run` is called once for each of `0..offered`.
pub(super) struct Job {
    run: Borrowed,
    offered: AtomicUsize,
    next: AtomicUsize,
    done: AtomicUsize,
    span: Span,
    /// Workers that may still join.
    seats: AtomicUsize,
    panic: Mutex<Option<Payload>>,
    owner: Thread,
    owner_sleeps: AtomicBool,
}

/// What a job calls.
type Function<'a> = *const (dyn Fn(usize) + Sync + 'a);

/// A function whose borrow is not tracked.
struct Borrowed(Function<'static>);

// SAFETY: the function is `Sync`, so that a reference to it may be used by any thread.
unsafe impl Send for Borrowed {}
// SAFETY: sharing gives others the function by reference alone, which is `Sync`.
unsafe impl Sync for Borrowed {}

impl Job {
    /// Calls `lead` with a job of which `offered` pieces may be claimed at first, by this thread and at most `workers`
    /// others, and waits for those that were claimed. Panics of pieces, and then one of `lead`, go on to the caller.
    pub(super) fn with<R>(
        run: &(dyn Fn(usize) + Sync),
        offered: usize,
        (workers, span): (usize, Span),
        lead: impl FnOnce(&Arc<Self>) -> R,
    ) -> R {
        // SAFETY: only the lifetime changes. The function is called for claimed pieces alone, and this function does
        // not return, by unwinding neither, before `finish` has closed the job and all claimed pieces are done.
        #[allow(clippy::transmute_ptr_to_ptr, reason = "a cast does not lengthen the lifetime of a trait object")]
        let run = Borrowed(unsafe { std::mem::transmute::<Function<'_>, Function<'static>>(run) });
        let job = Arc::new(Self {
            run,
            offered: AtomicUsize::new(offered),
            next: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            span,
            seats: AtomicUsize::new(workers),
            panic: Mutex::default(),
            owner: thread::current(),
            owner_sleeps: AtomicBool::new(false),
        });
        let led = catch_unwind(AssertUnwindSafe(|| lead(&job)));
        job.finish();
        let panic = job.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (panic, led) {
            (Some(payload), _) | (None, Err(payload)) => resume_unwind(payload),
            (None, Ok(result)) => result,
        }
    }

    /// Offers one piece more.
    pub(super) fn add_piece(&self) {
        self.offered.fetch_add(1, Ordering::Release);
    }

    /// Whether there are pieces that nobody claimed.
    pub(super) fn has_work(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.offered.load(Ordering::Acquire)
    }

    pub(super) fn span(&self) -> Span {
        self.span
    }

    /// Takes one of the workers' seats, where one is free.
    pub(super) fn take_seat(&self) -> bool {
        self.seats.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |seats| seats.checked_sub(1)).is_ok()
    }

    /// Gives the seat back, for pieces that are offered later.
    pub(super) fn leave_seat(&self) {
        self.seats.fetch_add(1, Ordering::Relaxed);
    }

    /// Runs pieces until there are none to claim.
    pub(super) fn take_part(&self) {
        while let Some(piece) = self.claim() {
            // SAFETY: the piece is claimed and not done, so that the borrow lasts; see the contract above.
            let run = unsafe { &*self.run.0 };
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| run(piece))) {
                self.offered.store(0, Ordering::Relaxed);
                self.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(payload);
            }
            self.done.fetch_add(1, Ordering::SeqCst);
            if self.owner_sleeps.load(Ordering::SeqCst) {
                self.owner.unpark();
            }
        }
    }

    fn claim(&self) -> Option<usize> {
        let mut next = self.next.load(Ordering::Relaxed);
        while next < self.offered.load(Ordering::Acquire) {
            match self.next.compare_exchange_weak(next, next + 1, Ordering::Acquire, Ordering::Relaxed) {
                Ok(piece) => return Some(piece),
                Err(now) => next = now,
            }
        }
        None
    }

    /// Closes the job and waits for the pieces that were claimed.
    fn finish(&self) {
        let claimed = self.next.swap(CLOSED, Ordering::AcqRel);
        let is_done = || self.done.load(Ordering::SeqCst) == claimed;
        if pause(Patience::Waiting, is_done) {
            return;
        }
        self.owner_sleeps.store(true, Ordering::SeqCst);
        while !is_done() {
            thread::park();
        }
    }
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job").field("offered", &self.offered).field("next", &self.next).finish_non_exhaustive()
    }
}
