//! The one pool of intra-op threads of the process.
//!
//! A pool of `n` threads has `n - 1` workers: the thread that asks for work to be spread takes its share. `job` is
//! work that is spread, `workers` are the threads that take part in it. Workers that have nothing to do look for work a
//! short time, in which they let other programs have the processor, then sleep (`waiting`); so the small kernels of one
//! step find them awake. Threads that run steps count as threads of the pool: where several steps run at once, workers
//! take part in none beyond the number of threads.

mod job;
mod waiting;
mod workers;

use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::thread;

use oplink_api::{Code, Error, ErrorKind, Result};

use job::{Job, Span};
use workers::Workers;

/// Pieces that a thread gets of work that is spread over threads, so that an uneven load evens out.
const PIECES_PER_THREAD: usize = 4;

thread_local! {
    /// The pool whose worker this thread is, or in whose step it is; 0 for none.
    static POOL: Cell<usize> = const { Cell::new(0) };
    /// Whether this thread is a pool's worker.
    static IS_WORKER: Cell<bool> = const { Cell::new(false) };
}

/// Threads that kernels and executors share.
#[derive(Debug)]
pub struct IntraOpPool {
    workers: Arc<Workers>,
    threads: usize,
}

impl IntraOpPool {
    /// A pool of its own; `0` threads means one for each core. Processes use the shared [`intra_op_pool`].
    ///
    /// # Errors
    /// The system refuses the threads.
    pub fn new(threads: usize) -> Result<Self> {
        let threads = if threads == 0 { available_cores() } else { threads };
        let pool = Self { workers: Arc::new(Workers::new(threads)), threads };
        for index in 1..threads {
            let workers = pool.workers.clone();
            let work = move || {
                POOL.set(workers.id());
                IS_WORKER.set(true);
                workers.work();
            };
            let started = thread::Builder::new().name(format!("intra-op-{index}")).spawn(work);
            started.map_err(|e| {
                let message = format!("cannot start {threads} intra-op threads: {e}");
                Error::new(Code::ResourceExhausted, ErrorKind::Resource, message)
            })?;
        }
        Ok(pool)
    }

    /// The number of threads, with the one that asks for work to be spread.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Counts this thread among the pool's until the returned value is dropped, and has workers look for work: for a
    /// step whose kernels spread theirs. Within another such step of this thread it does nothing.
    #[must_use = "the thread counts until this is dropped"]
    pub fn enter(&self) -> EnteredPool<'_> {
        EnteredPool::new(&self.workers, true)
    }

    /// Whether this thread is one of the pools' workers.
    pub fn is_worker() -> bool {
        IS_WORKER.get()
    }

    /// Runs `lead` on this thread, which counts among the pool's meanwhile, and `help` on workers as often as
    /// [`Team::call`] asks for it; waits for all of them.
    /// What was asked for and no worker began with when `lead` returns is not run. A panic of `help` goes on to the
    /// caller.
    pub fn with_team<R>(&self, help: &(dyn Fn(&Team<'_>) + Sync), lead: impl FnOnce(&Team<'_>) -> R) -> R {
        let (workers, most) = (&*self.workers, self.threads - 1);
        let _entered = self.enter();
        let job = OnceLock::new();
        let run = |_: usize| {
            if let Some(job) = job.get() {
                help(&Team { workers, job });
            }
        };
        Job::with(&run, 0, (most, Span::Long), |shared| {
            let shared = job.get_or_init(|| shared.clone());
            let _published = workers.publish(shared, 0);
            lead(&Team { workers, job: shared })
        })
    }

    /// Runs `body` on ranges that cover `0..count`, each at least `grain` long as far as `count` allows, on at most
    /// `threads` threads, this one among them. Returns when all are done; a panic of `body` goes on to the caller.
    ///
    /// This thread waits for ranges that others have begun, and for nothing else.
    ///
    /// This thread takes ranges from the first one on, the others from the last one back: so what a thread wrote for
    /// one kernel is about what it reads for the next, and is in its cache.
    pub fn parallel_for(&self, threads: usize, count: usize, grain: usize, body: &(dyn Fn(Range<usize>) + Sync)) {
        let threads = threads.min(self.threads);
        let pieces = (count / grain.max(1)).min(threads * PIECES_PER_THREAD);
        if threads <= 1 || pieces <= 1 {
            if count > 0 {
                body(0..count);
            }
            return;
        }
        let start_of = |piece: usize| (piece as u128 * count as u128 / pieces as u128) as usize;
        let (owner, first, last) = (thread::current().id(), AtomicUsize::new(0), AtomicUsize::new(pieces));
        // As many pieces are claimed as there are, so that the ends do not meet.
        let run = |_: usize| {
            let piece = if thread::current().id() == owner {
                first.fetch_add(1, Ordering::Relaxed)
            } else {
                last.fetch_sub(1, Ordering::Relaxed) - 1
            };
            body(start_of(piece)..start_of(piece + 1));
        };
        let _entered = EnteredPool::new(&self.workers, false);
        Job::with(&run, pieces, (threads - 1, Span::Brief), |job| {
            let _published = self.workers.publish(job, pieces - 1);
            job.take_part();
        });
    }
}

impl Drop for IntraOpPool {
    fn drop(&mut self) {
        self.workers.close();
    }
}

/// What the threads that work together on something ask for more of them with; see [`IntraOpPool::with_team`].
#[derive(Debug)]
pub struct Team<'a> {
    workers: &'a Workers,
    job: &'a Arc<Job>,
}

impl Team<'_> {
    /// Asks for one more worker.
    pub fn call(&self) {
        self.job.add_piece();
        self.workers.wake(1);
    }

    /// Takes part in kernels that other threads spread, or waits a short time, until `is_so`. Whether to look again at
    /// what there is to do; otherwise nothing happened.
    pub fn assist(&self, is_so: impl FnMut() -> bool) -> bool {
        self.workers.assist(is_so)
    }
}

/// Counts a thread among a pool's; see [`IntraOpPool::enter`].
#[derive(Debug)]
pub struct EnteredPool<'a> {
    /// `None` within a step that counts already.
    workers: Option<&'a Workers>,
    before: usize,
    /// The thread's own, which is what is counted.
    _not_send: std::marker::PhantomData<*const ()>,
}

impl<'a> EnteredPool<'a> {
    fn new(workers: &'a Workers, wakes: bool) -> Self {
        let before = POOL.replace(workers.id());
        let workers = (before != workers.id()).then_some(workers);
        if let Some(workers) = workers {
            workers.enter(wakes);
        }
        Self { workers, before, _not_send: std::marker::PhantomData }
    }
}

impl Drop for EnteredPool<'_> {
    fn drop(&mut self) {
        POOL.set(self.before);
        if let Some(workers) = self.workers {
            workers.leave();
        }
    }
}

fn available_cores() -> usize {
    thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn shared() -> &'static RwLock<Option<Arc<IntraOpPool>>> {
    static POOL: OnceLock<RwLock<Option<Arc<IntraOpPool>>>> = OnceLock::new();
    POOL.get_or_init(RwLock::default)
}

/// The process's pool, made on first use with a thread for each core.
///
/// # Errors
/// The system refuses the threads.
pub fn intra_op_pool() -> Result<Arc<IntraOpPool>> {
    if let Some(pool) = &*shared().read().unwrap_or_else(PoisonError::into_inner) {
        return Ok(pool.clone());
    }
    let mut slot = shared().write().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = &*slot {
        return Ok(pool.clone());
    }
    let pool = Arc::new(IntraOpPool::new(0)?);
    *slot = Some(pool.clone());
    Ok(pool)
}

/// Replaces the process's pool by one of this size; `0` means a thread for each core. Devices and sessions made before
/// keep the pool they have.
///
/// # Errors
/// The system refuses the threads.
pub fn set_intra_op_threads(threads: usize) -> Result<()> {
    let pool = Arc::new(IntraOpPool::new(threads)?);
    *shared().write().unwrap_or_else(PoisonError::into_inner) = Some(pool);
    Ok(())
}
