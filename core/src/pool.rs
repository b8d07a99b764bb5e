//! The one pool of intra-op threads of the process.

use std::ops::Range;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use oplink_api::{Code, Error, ErrorKind, Result};

/// Pieces that a thread gets of work that is spread over all threads, so that an uneven load evens out.
const PIECES_PER_THREAD: usize = 4;

/// Where work on borrowed data is spawned; see [`IntraOpPool::scope`].
pub type PoolScope<'scope> = rayon::Scope<'scope>;

/// Threads that kernels and executors share.
#[derive(Debug)]
pub struct IntraOpPool {
    pool: rayon::ThreadPool,
    threads: usize,
}

impl IntraOpPool {
    /// A pool of its own; `0` threads means one for each core. Processes use the shared [`intra_op_pool`].
    ///
    /// # Errors
    /// The system refuses the threads.
    pub fn new(threads: usize) -> Result<Self> {
        let threads = if threads == 0 { available_cores() } else { threads };
        let name = |index| format!("intra-op-{index}");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build();
        let failed = |e| {
            Error::new(
                Code::ResourceExhausted,
                ErrorKind::Resource,
                format!("cannot start {threads} intra-op threads: {e}"),
            )
        };
        Ok(Self { pool: pool.map_err(failed)?, threads })
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Runs `work` on one of the pool's threads and waits. Work that is spread out from there starts without waking the
    /// pool from outside: a step runs inside one `install`.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }

    /// Runs `body` on this thread and waits for what it spawned in the pool.
    pub fn scope<'scope, R>(&self, body: impl FnOnce(&PoolScope<'scope>) -> R) -> R {
        self.pool.in_place_scope(body)
    }

    /// Whether this thread is one of the pool's.
    pub fn is_here(&self) -> bool {
        self.pool.current_thread_index().is_some()
    }

    /// Runs `body` on ranges that cover `0..count`, each at least `grain` long as far as `count` allows, on at most
    /// `threads` threads. Returns when all are done; a panic of `body` goes on to the caller.
    pub fn parallel_for(&self, threads: usize, count: usize, grain: usize, body: &(dyn Fn(Range<usize>) + Sync)) {
        let pieces = pieces(threads.min(self.threads), self.threads, count, grain.max(1));
        match (count, pieces) {
            (0, _) => {}
            (_, 0 | 1) => body(0..count),
            _ if self.pool.current_thread_index().is_some() => split(0..pieces, pieces, count, body),
            _ => self.pool.install(|| split(0..pieces, pieces, count, body)),
        }
    }
}

/// Pieces to make: no more than threads where they are limited, so that no more than these run at once.
fn pieces(threads: usize, pool_threads: usize, count: usize, grain: usize) -> usize {
    let most = match threads {
        0 | 1 => 1,
        threads if threads == pool_threads => threads * PIECES_PER_THREAD,
        threads => threads,
    };
    (count / grain).min(most)
}

/// Runs the numbered pieces out of `pieces` equal ones, halving them over the threads.
fn split(numbers: Range<usize>, pieces: usize, count: usize, body: &(dyn Fn(Range<usize>) + Sync)) {
    if numbers.len() == 1 {
        let start_of = |piece: usize| (piece as u128 * count as u128 / pieces as u128) as usize;
        return body(start_of(numbers.start)..start_of(numbers.end));
    }
    let middle = numbers.start + numbers.len() / 2;
    rayon::join(
        || split(numbers.start..middle, pieces, count, body),
        || split(middle..numbers.end, pieces, count, body),
    );
}

fn available_cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
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
