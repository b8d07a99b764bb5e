//! The executors of a context: one for all threads, and those that threads chose for themselves.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use oplink_api::Result;

use super::executor::EagerExecutor;

/// Which executor the calls of a thread go to.
pub struct Executors {
    common: Arc<EagerExecutor>,
    by_thread: Mutex<HashMap<ThreadId, Arc<EagerExecutor>>>,
    /// Whether a thread chose one.
    are_chosen: AtomicBool,
}

impl Executors {
    /// `common` for all threads.
    pub fn new(common: Arc<EagerExecutor>) -> Self {
        Self { common, by_thread: Mutex::default(), are_chosen: AtomicBool::new(false) }
    }

    /// The executor of this thread's calls. One that was shut down is passed over.
    pub fn current(&self) -> Arc<EagerExecutor> {
        let own = match self.are_chosen.load(Ordering::Acquire) {
            true => self.by_thread().get(&thread::current().id()).cloned(),
            false => None,
        };
        own.filter(|own| !own.has_ended()).unwrap_or_else(|| self.common.clone())
    }

    /// Sets the executor of this thread's calls; `None` for the common one.
    pub fn choose(&self, executor: Option<Arc<EagerExecutor>>) {
        let mut by_thread = self.by_thread();
        by_thread.retain(|_, chosen| !chosen.has_ended());
        match executor {
            Some(executor) if !Arc::ptr_eq(&executor, &self.common) => {
                by_thread.insert(thread::current().id(), executor);
                self.are_chosen.store(true, Ordering::Release);
            }
            _ => drop(by_thread.remove(&thread::current().id())),
        }
    }

    /// Waits for all queued calls, and clears the errors of the executors.
    ///
    /// # Errors
    /// A call failed: the first error that was found.
    pub fn wait(&self) -> Result<()> {
        let all = self.all();
        let waited = all.iter().map(|executor| executor.wait()).fold(Ok(()), Result::and);
        all.iter().for_each(|executor| executor.clear_error());
        waited
    }

    /// Waits for all queued calls; those of the common executor are the last.
    pub fn shut_down(&self) {
        for executor in self.all() {
            // Their errors were for those who hold the outputs.
            let _ = executor.wait();
        }
        self.by_thread().clear();
        self.common.shut_down();
    }

    fn all(&self) -> Vec<Arc<EagerExecutor>> {
        [self.common.clone()].into_iter().chain(self.by_thread().values().cloned()).collect()
    }

    fn by_thread(&self) -> MutexGuard<'_, HashMap<ThreadId, Arc<EagerExecutor>>> {
        self.by_thread.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
