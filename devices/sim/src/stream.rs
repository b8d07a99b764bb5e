//! Streams: a thread each, that does the work put into it in order, after a random delay.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use oplink::{Code, Error, ErrorKind, Result};

use crate::counters::{Counters, add, subtract};
use crate::faults::{self, Fault};
use crate::settings::Settings;

/// A piece of work.
pub(crate) type Work = Box<dyn FnOnce() -> Result<()> + Send>;

/// What a stream's thread and its users share.
pub(crate) struct Progress {
    state: Mutex<State>,
    moved: Condvar,
    closing: AtomicBool,
    timeout: Duration,
}

#[derive(Default)]
struct State {
    given: u64,
    done: u64,
    error: Option<Error>,
}

impl Progress {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The error of work that failed, which stays.
    pub(crate) fn error(&self) -> Option<Error> {
        self.state().error.clone()
    }

    /// The error of work that failed, once.
    pub(crate) fn take_error(&self) -> Result<()> {
        self.state().error.take().map_or(Ok(()), Err)
    }

    /// Waits for what was given so far, then gives the error, once.
    pub(crate) fn wait(&self) -> Result<()> {
        let (mut state, until) = (self.state(), Instant::now() + self.timeout);
        let wanted = state.given;
        while state.done < wanted {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(too_long("a stream", self.timeout));
            }
            state = self.moved.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.error.take().map_or(Ok(()), Err)
    }
}

/// What waiting too long says.
pub(crate) fn too_long(what: &str, timeout: Duration) -> Error {
    let message = format!("{what} of a simulated device did not end within {} ms", timeout.as_millis());
    Error::new(Code::DeadlineExceeded, ErrorKind::Cancelled, message)
}

/// A stream.
pub(crate) struct Stream {
    sender: Option<Sender<Work>>,
    pub(crate) progress: Arc<Progress>,
    thread: Option<JoinHandle<()>>,
    counters: &'static Counters,
}

impl Stream {
    /// A stream with a thread.
    ///
    /// # Errors
    /// The system gives no thread.
    pub(crate) fn new(device: usize, settings: &Settings, counters: &'static Counters) -> Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed) + 1;
        let (sender, receiver) = channel();
        let progress = Arc::new(Progress {
            state: Mutex::default(),
            moved: Condvar::new(),
            closing: AtomicBool::new(false),
            timeout: settings.timeout,
        });
        let delays = Delays { state: (settings.seed ^ number << 32).max(1), longest: settings.longest_delay };
        let worker = Worker { device, progress: progress.clone(), counters, delays };
        let thread = std::thread::Builder::new()
            .name(format!("sim-{device}-{number}"))
            .spawn(move || worker.run(receiver))
            .map_err(|error| Error::internal(format!("no thread for a stream: {error}")))?;
        add(&counters.streams);
        add(&counters.streams_live);
        Ok(Self { sender: Some(sender), progress, thread: Some(thread), counters })
    }

    /// Puts work at the end.
    pub(crate) fn put(&self, work: impl FnOnce() -> Result<()> + Send + 'static) -> Result<()> {
        self.progress.state().given += 1;
        add(&self.counters.work_pending);
        let sent = self.sender.as_ref().is_some_and(|sender| sender.send(Box::new(work)).is_ok());
        if sent { Ok(()) } else { Err(Error::internal("a stream whose thread has ended")) }
    }
}

/// Does the work that is left, unless the stream hangs, and ends the thread.
impl Drop for Stream {
    fn drop(&mut self) {
        self.progress.closing.store(true, Ordering::SeqCst);
        self.sender = None;
        let thread = self.thread.take().filter(|thread| thread.thread().id() != std::thread::current().id());
        if let Some(thread) = thread {
            drop(thread.join());
        }
        subtract(&self.counters.streams_live);
    }
}

/// A stream's thread.
struct Worker {
    device: usize,
    progress: Arc<Progress>,
    counters: &'static Counters,
    delays: Delays,
}

impl Worker {
    fn run(mut self, receiver: Receiver<Work>) {
        for work in receiver {
            std::thread::sleep(self.delays.next());
            if faults::strikes(Fault::StreamIsSlow, self.device) {
                std::thread::sleep(self.delays.longest * 100);
            }
            let result = if self.hangs() { Err(faults::error(Fault::StreamHangs, self.device)) } else { done(work) };
            self.finish(result);
        }
    }

    /// Waits while the stream hangs; whether it was ended meanwhile.
    fn hangs(&self) -> bool {
        if faults::strikes(Fault::StreamHangs, self.device) {
            while faults::is_planned(Fault::StreamHangs, self.device) {
                if self.progress.closing.load(Ordering::SeqCst) {
                    return true;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        false
    }

    fn finish(&self, result: Result<()>) {
        subtract(&self.counters.work_pending);
        let mut state = self.progress.state();
        state.done += 1;
        if let Err(error) = result {
            add(&self.counters.work_failed);
            state.error.get_or_insert(error);
        }
        self.progress.moved.notify_all();
    }
}

/// Does a piece of work; a panic is an error.
fn done(work: Work) -> Result<()> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
        Err(Error::internal(format!("work on a simulated device panicked: {text}")))
    })
}

/// Random delays, the same for the same seed.
struct Delays {
    state: u64,
    longest: Duration,
}

impl Delays {
    fn next(&mut self) -> Duration {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.longest.mul_f64((self.state >> 40) as f64 / f64::from(1 << 24))
    }
}
