//! Copies to the host in the order in which they were enqueued, each with its callback. A thread hands them out.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use oplink_api::{Result, Tensor};

/// The callback of a copy to the host.
pub(crate) type Done = Box<dyn FnOnce(Result<Tensor>) + Send>;

/// The copies of a device; `T` is what the interface keeps of one until it is done.
pub(crate) struct Downloads<T> {
    queue: Mutex<Queue<T>>,
    changed: Condvar,
}

struct Queue<T> {
    pending: VecDeque<(T, Done)>,
    enqueued: u64,
    released: u64,
    is_stopped: bool,
}

impl<T> Default for Downloads<T> {
    fn default() -> Self {
        let queue = Queue { pending: VecDeque::new(), enqueued: 0, released: 0, is_stopped: false };
        Self { queue: Mutex::new(queue), changed: Condvar::new() }
    }
}

impl<T> Downloads<T> {
    fn lock(&self) -> MutexGuard<'_, Queue<T>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enqueues a copy, under a lock, so that the order here is the device's. `done` is called at once where that
    /// fails.
    pub(crate) fn push(&self, enqueue: impl FnOnce() -> Result<T>, done: Done) {
        let mut queue = self.lock();
        match enqueue() {
            Ok(download) => {
                queue.pending.push_back((download, done));
                queue.enqueued += 1;
                drop(queue);
                self.changed.notify_all();
            }
            Err(error) => {
                drop(queue);
                done(Err(error));
            }
        }
    }

    /// Lets the thread end when it has handed everything out.
    pub(crate) fn stop(&self) {
        self.lock().is_stopped = true;
        self.changed.notify_all();
    }

    /// Waits until the copies enqueued so far keep no memory any more.
    pub(crate) fn wait(&self) {
        let queue = self.lock();
        let enqueued = queue.enqueued;
        drop(self.changed.wait_while(queue, |queue| queue.released < enqueued));
    }

    /// The thread: `finish` waits for each copy, gives back what it used, and says what it brought, until the thread is
    /// stopped.
    pub(crate) fn hand_out(&self, finish: impl Fn(T) -> Result<Tensor>) {
        while let Some((download, done)) = self.next() {
            let result = finish(download);
            self.lock().released += 1;
            self.changed.notify_all();
            // A panic of whoever asked is not the device's.
            let _ = catch_unwind(AssertUnwindSafe(|| done(result)));
        }
    }

    /// The next copy; `None` where there are none and the thread shall end.
    fn next(&self) -> Option<(T, Done)> {
        let nothing = |queue: &mut Queue<T>| queue.pending.is_empty() && !queue.is_stopped;
        let mut queue = self.changed.wait_while(self.lock(), nothing).unwrap_or_else(PoisonError::into_inner);
        queue.pending.pop_front()
    }
}
