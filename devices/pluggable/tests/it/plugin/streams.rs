//! Streams, each a thread that does its work in order with delays, and events.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use oplink_abi::{SE_EventStatus, SP_Stream, event_status};

use super::World;

type Work = Box<dyn FnOnce(&Failure) + Send>;

/// What a stream's work left.
#[derive(Default)]
pub(crate) struct Failure(Mutex<(Option<String>, bool)>);

impl Failure {
    pub(super) fn set(&self, what: &str) {
        *self.0.lock().unwrap() = (Some(format!("{what} failed in its stream")), true);
    }

    /// What the stream tells from now on.
    pub(super) fn message(&self) -> Option<String> {
        self.0.lock().unwrap().0.clone()
    }

    /// Whether work failed since the last event.
    fn take_new(&self) -> bool {
        std::mem::take(&mut self.0.lock().unwrap().1)
    }
}

/// A stream of the plugin.
pub(crate) struct Stream {
    work: Option<Sender<Work>>,
    thread: Option<JoinHandle<()>>,
    pub(super) failure: Arc<Failure>,
    delay: u64,
}

static RANDOM: AtomicU64 = AtomicU64::new(0x9E37_79B9_7F4A_7C15);

fn pause(longest: u64) {
    let mut x = RANDOM.fetch_add(0x9E37_79B9_7F4A_7C15, Relaxed);
    x ^= x >> 31;
    x = x.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^= x >> 27;
    if longest > 0 && !x.is_multiple_of(3) {
        std::thread::sleep(Duration::from_micros(x % longest));
    }
}

impl Stream {
    pub(super) fn new(world: &World) -> Self {
        let (sender, receiver) = channel::<Work>();
        let failure = Arc::<Failure>::default();
        let of_thread = failure.clone();
        let thread = std::thread::spawn(move || {
            for work in receiver {
                work(&of_thread);
            }
        });
        Self { work: Some(sender), thread: Some(thread), failure, delay: world.delay }
    }

    /// Puts work at the end.
    pub(crate) fn enqueue(&self, work: impl FnOnce(&Failure) + Send + 'static) {
        let delay = self.delay;
        let work = move |failure: &Failure| {
            pause(delay);
            work(failure);
        };
        self.work.as_ref().unwrap().send(Box::new(work)).unwrap();
    }

    pub(super) fn wait(&self) {
        let (sender, receiver) = channel();
        self.enqueue(move |_| sender.send(()).unwrap());
        receiver.recv().unwrap();
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        drop(self.work.take());
        let thread = self.thread.take().unwrap();
        assert_ne!(thread.thread().id(), std::thread::current().id());
        thread.join().unwrap();
    }
}

/// Puts compute work into a stream, as a kernel of the plugin does.
pub(crate) fn enqueue(stream: *mut std::ffi::c_void, work: impl FnOnce() + Send + 'static) {
    // SAFETY: a stream of this plugin that is alive.
    unsafe { &*stream.cast::<Stream>() }.enqueue(move |_| work());
}

/// The stream behind a handle.
pub(super) unsafe fn stream_of<'a>(stream: SP_Stream) -> &'a Stream {
    // SAFETY: made by `create_stream` and not ended yet.
    unsafe { &*stream.cast::<Stream>() }
}

/// An event of the plugin: how often it was recorded, how often it has passed, and whether the work before failed.
#[derive(Clone, Default)]
pub(super) struct Event(Arc<(Mutex<(u64, u64, bool)>, Condvar)>);

impl Event {
    pub(super) fn record(&self, stream: &Stream) {
        let number = {
            let mut state = self.0.0.lock().unwrap();
            state.0 += 1;
            state.2 = false;
            state.0
        };
        let event = self.clone();
        stream.enqueue(move |failure| {
            let failed = failure.take_new();
            let mut state = event.0.0.lock().unwrap();
            state.1 = number;
            state.2 |= failed;
            event.0.1.notify_all();
        });
    }

    pub(super) fn status(&self) -> SE_EventStatus {
        let state = self.0.0.lock().unwrap();
        match *state {
            (0, ..) => event_status::UNKNOWN,
            (recorded, passed, _) if passed < recorded => event_status::PENDING,
            (_, _, true) => event_status::ERROR,
            _ => event_status::COMPLETE,
        }
    }

    /// Waits for the record that was last when this was called.
    pub(super) fn wait(&self) {
        let state = self.0.0.lock().unwrap();
        let number = state.0;
        drop(self.0.1.wait_while(state, |state| state.1 < number).unwrap());
    }

    /// Lets a stream wait for the last record so far.
    pub(super) fn hold(&self, stream: &Stream) {
        let (number, event) = (self.0.0.lock().unwrap().0, self.clone());
        stream.enqueue(move |_| {
            let state = event.0.0.lock().unwrap();
            drop(event.0.1.wait_while(state, |state| state.1 < number).unwrap());
        });
    }
}
