//! Copies to the host: into pinned buffers, on a stream of their own; a thread hands the results out in order.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use oplink_api::{Code, Error, Result, Tensor};

use super::wake::Wake;
use super::{Done, Shared};
use crate::executor::{Event, Part, Pinned, Progress};

/// How often the thread looks by itself, in case that a plugin does not call back.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// A copy that was enqueued.
pub(super) struct Download {
    /// Kept until the copy is done.
    source: Tensor,
    buffer: Pinned,
    /// After the compute work before; the copies' stream waits for it.
    begin: Event,
    /// After the copy.
    end: Event,
    /// Whether the plugin calls back after the copy.
    calls_back: bool,
}

/// Copies in the order in which the stream does them.
pub(super) struct Downloads {
    queue: Mutex<Queue>,
    released: Condvar,
    pub(super) wake: Wake,
}

#[derive(Default)]
struct Queue {
    pending: VecDeque<(Download, Done)>,
    enqueued: u64,
    released: u64,
    is_stopped: bool,
}

impl Downloads {
    pub(super) fn new() -> Self {
        Self { queue: Mutex::default(), released: Condvar::new(), wake: Wake::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the thread end when it has handed everything out.
    pub(super) fn stop(&self) {
        self.lock().is_stopped = true;
        self.wake.raise();
    }

    /// Waits until the copies enqueued so far need no memory any more.
    pub(super) fn wait(&self) {
        let queue = self.lock();
        let enqueued = queue.enqueued;
        drop(self.released.wait_while(queue, |queue| queue.released < enqueued));
    }

    /// The next copy; `None` where there are none and the thread shall end.
    fn next(&self) -> Option<(Download, Done)> {
        loop {
            let seen = self.wake.count();
            let mut queue = self.lock();
            if let Some(next) = queue.pending.pop_front() {
                return Some(next);
            }
            if queue.is_stopped {
                return None;
            }
            drop(queue);
            self.wake.wait(seen, None);
        }
    }
}

impl Shared {
    /// Copies a part, which is the elements of `source`, to the host.
    pub(super) fn download(&self, source: &Tensor, from: Part, done: Done) {
        let enqueued = match self.staging.take(source.num_bytes()) {
            Some(buffer) => self.enqueue_download(source, from, buffer, done),
            None => Err((Error::unimplemented("no pinned memory"), done)),
        };
        match enqueued {
            Ok(()) => {}
            Err((error, done)) if error.code() == Code::Unimplemented => done(self.download_now(source, from)),
            Err((error, done)) => done(Err(error)),
        }
    }

    fn enqueue_download(
        &self,
        source: &Tensor,
        from: Part,
        buffer: Pinned,
        done: Done,
    ) -> std::result::Result<(), (Error, Done)> {
        let streams = &self.streams;
        let _order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        let begin = || {
            let begin = self.events.take()?;
            begin.record(&streams.compute)?;
            streams.to_host.wait_for_event(&begin)?;
            streams.executor.enqueue_to_host(&streams.to_host, from, &buffer)?;
            Ok(begin)
        };
        let begin = match begin() {
            Ok(begin) => begin,
            Err(error) => {
                // The stream may still wait for the event, which is ended now.
                let _ = streams.to_host.wait();
                return Err((error, done));
            }
        };
        let end = self.events.take().and_then(|end| end.record(&streams.to_host).map(|()| end));
        let end = match end {
            Ok(end) => end,
            Err(error) => {
                // The copy goes on without a mark: event, source and buffer are needed until it is done.
                let _ = streams.to_host.wait();
                return Err((error, done));
            }
        };
        let calls_back = self.downloads.wake.raise_after(&streams.to_host);
        let download = Download { source: source.clone(), buffer, begin, end, calls_back };
        let mut queue = self.downloads.lock();
        queue.pending.push_back((download, done));
        queue.enqueued += 1;
        drop(queue);
        self.downloads.wake.raise();
        Ok(())
    }

    /// Without pinned memory, or without copies in streams.
    fn download_now(&self, source: &Tensor, from: Part) -> Result<Tensor> {
        self.streams.compute.wait()?;
        let mut bytes = vec![0; source.num_bytes()];
        self.streams.executor.copy_to_host_now(from, &mut bytes)?;
        self.check_streams();
        self.finish_uploads();
        match self.faults.take() {
            Some(error) => Err(error),
            None => Tensor::from_bytes(source.dtype(), source.shape().clone(), &bytes),
        }
    }

    /// The thread: hands out what has arrived, in order, until it is stopped.
    pub(super) fn hand_out(&self) {
        while let Some((download, done)) = self.downloads.next() {
            self.wait_for_end(&download);
            let result = self.result(&download);
            self.release(download);
            // A panic of whoever asked is not the device's.
            let _ = catch_unwind(AssertUnwindSafe(|| done(result)));
        }
    }

    fn wait_for_end(&self, download: &Download) {
        loop {
            let seen = self.downloads.wake.count();
            if download.end.progress() != Progress::Pending {
                return;
            }
            if download.calls_back {
                self.downloads.wake.wait(seen, Some(LOOK_AGAIN));
            } else if let Err(error) = download.end.wait() {
                self.faults.add(error);
                return;
            }
        }
    }

    /// What the copy brought, or the failure of it or of work before it.
    fn result(&self, download: &Download) -> Result<Tensor> {
        let Download { source, buffer, end, .. } = download;
        let is_complete = end.progress() == Progress::Complete;
        self.check_streams();
        self.finish_uploads();
        let earlier = self.faults.take();
        if !is_complete {
            // What failed first says why.
            let failed = self.copy_failed(source.dtype(), source.shape(), "to the host");
            return Err(earlier.map_or_else(|| failed.clone(), |earlier| earlier.context(failed.message())));
        }
        match earlier {
            Some(error) => Err(error),
            None => {
                Tensor::from_bytes(source.dtype(), source.shape().clone(), &buffer.as_slice()[..source.num_bytes()])
            }
        }
    }

    /// Gives back what the copy used.
    fn release(&self, download: Download) {
        let Download { source, buffer, begin, end, .. } = download;
        drop(source);
        self.staging.give(buffer);
        if end.progress() == Progress::Complete {
            self.events.give(begin);
            self.events.give(end);
        }
        self.downloads.lock().released += 1;
        self.downloads.released.notify_all();
    }
}
