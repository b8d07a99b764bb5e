//! Copies to the host: into pinned memory, on a stream of their own; a thread hands the results out in order.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cudarc::driver::{CudaEvent, DriverError};
use oplink_api::{Result, Tensor};

use super::{Done, Shared};
use crate::cuda::driver::{self, Place};

/// How long the thread looks again and again before it sleeps.
const LOOKS: Duration = Duration::from_micros(100);

/// A copy that was enqueued.
struct Download {
    /// Kept until the copy is done.
    source: Tensor,
    /// Written by the copy, and nobody else's until then.
    target: Tensor,
    /// After the compute work before, for which the copy waits.
    begin: CudaEvent,
    /// After the copy.
    end: CudaEvent,
}

/// Copies in the order in which the stream does them.
#[derive(Default)]
pub(super) struct Downloads {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    pending: VecDeque<(Download, Done)>,
    enqueued: u64,
    released: u64,
    is_stopped: bool,
}

impl Downloads {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the thread end when it has handed everything out.
    pub(super) fn stop(&self) {
        self.lock().is_stopped = true;
        self.changed.notify_all();
    }

    /// Waits until the copies enqueued so far need no memory any more.
    pub(super) fn wait(&self) {
        let queue = self.lock();
        let enqueued = queue.enqueued;
        drop(self.changed.wait_while(queue, |queue| queue.released < enqueued));
    }

    /// The next copy; `None` where there are none and the thread shall end.
    fn next(&self) -> Option<(Download, Done)> {
        let nothing = |queue: &mut Queue| queue.pending.is_empty() && !queue.is_stopped;
        let mut queue = self.changed.wait_while(self.lock(), nothing).unwrap_or_else(PoisonError::into_inner);
        queue.pending.pop_front()
    }

    fn released(&self) {
        self.lock().released += 1;
        self.changed.notify_all();
    }
}

impl Shared {
    /// Copies a place, which has the elements of `source`, to the host.
    pub(super) fn download(&self, source: &Tensor, from: Place, done: Done) {
        // Under the lock, so that the queue has the stream's order.
        let mut queue = self.downloads.lock();
        match self.enqueue_download(source, from) {
            Ok(download) => {
                queue.pending.push_back((download, done));
                queue.enqueued += 1;
                drop(queue);
                self.downloads.changed.notify_all();
            }
            Err(error) => {
                drop(queue);
                done(Err(error));
            }
        }
    }

    fn enqueue_download(&self, source: &Tensor, from: Place) -> Result<Download> {
        let streams = &self.streams;
        let mut target = self.pinned_target(source)?;
        let begin = self.events.record(&streams.compute)?;
        self.gpu.tell("waiting for an event", streams.to_host.wait(&begin))?;
        driver::to_host(&self.gpu, &streams.to_host, target.as_mut_bytes()?.as_mut_ptr(), from)?;
        match self.ends.record(&streams.to_host) {
            Ok(end) => Ok(Download { source: source.clone(), target, begin, end }),
            Err(error) => {
                // The copy goes on without a mark: source and target are needed until it is done.
                let _ = streams.to_host.synchronize();
                Err(error)
            }
        }
    }

    /// Host memory for a tensor's elements; ordinary memory where there is no more that is pinned.
    fn pinned_target(&self, source: &Tensor) -> Result<Tensor> {
        let (dtype, shape) = (source.dtype(), source.shape());
        Tensor::allocate(dtype, shape.clone(), Some(&self.pinned))
            .or_else(|_| Tensor::allocate(dtype, shape.clone(), None))
    }

    /// The thread: hands out what has arrived, in order, until it is stopped.
    pub(super) fn hand_out(&self) {
        while let Some((download, done)) = self.downloads.next() {
            let arrived = self.gpu.enter().and_then(|()| self.gpu.tell("a copy to the host", wait(&download.end)));
            let Download { source, target, begin, end } = download;
            drop(source);
            if arrived.is_ok() {
                self.events.give(begin);
                self.ends.give(end);
            }
            self.downloads.released();
            // A panic of whoever asked is not the device's.
            let _ = catch_unwind(AssertUnwindSafe(|| done(arrived.map(|()| target))));
        }
    }
}

/// Waits for an event: awake for a moment, which is the time of a small copy, then asleep.
fn wait(event: &CudaEvent) -> std::result::Result<(), DriverError> {
    let start = Instant::now();
    while start.elapsed() < LOOKS {
        if event.try_is_complete()? {
            return Ok(());
        }
        std::hint::spin_loop();
    }
    event.synchronize()
}
