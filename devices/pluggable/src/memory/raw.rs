//! Memory that the plugin gives, with the way back.
//!
//! Tensors go while enqueued work still uses their memory. So memory goes back to the plugin when an event behind that
//! work has passed; where memory runs out, that is waited for once.

use std::collections::{HashMap, VecDeque};
use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oplink_abi::SP_DeviceMemoryBase;
use oplink_api::Result;

use crate::executor::{Event, Part, Progress};
use crate::lanes::Lanes;

/// What waits until the device's memory is not in use by copies.
type Hook = Box<dyn Fn() + Send + Sync>;

/// The plugin's memory of one device.
pub(crate) struct RawDeviceMemory {
    lanes: Arc<Lanes>,
    state: Mutex<State>,
    on_demand: Mutex<Option<Arc<Hook>>>,
}

#[derive(Default)]
struct State {
    /// What is given out, by handle.
    held: HashMap<usize, Given>,
    /// What goes back when its event has passed, in the order of the events.
    leaving: VecDeque<(Event, Given)>,
}

/// What the plugin gave.
#[derive(Clone, Copy)]
struct Given {
    part: Part,
    is_unified: bool,
}

impl RawDeviceMemory {
    pub(crate) fn new(lanes: Arc<Lanes>) -> Arc<Self> {
        Arc::new(Self { lanes, state: Mutex::default(), on_demand: Mutex::default() })
    }

    pub(crate) fn lanes(&self) -> &Lanes {
        &self.lanes
    }

    /// Sets what is waited for where memory runs out.
    pub(crate) fn wait_on_demand(&self, hook: Hook) {
        *self.on_demand.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(hook));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Memory of the plugin; `None` where it has none even when all that is on its way back has arrived. Where the
    /// device's own memory has run out, memory that host and device see serves, if the platform has such.
    pub(crate) fn take(&self, bytes: usize) -> Option<SP_DeviceMemoryBase> {
        self.finish_leaving();
        let executor = &self.lanes.executor;
        let of_device = |part| Given { part: Part(part), is_unified: false };
        let unified = || {
            let part = executor.platform().has_unified_memory().then(|| executor.allocate_unified(bytes))??;
            Some(Given { part: Part(part), is_unified: true })
        };
        let given = executor.allocate(bytes).map(of_device).or_else(|| {
            self.wait_for_leaving();
            executor.allocate(bytes).map(of_device).or_else(unified)
        })?;
        self.state().held.insert(given.part.0.opaque.addr(), given);
        Some(given.part.0)
    }

    /// Takes memory of [`take`](Self::take) back, which work that is enqueued may still use.
    pub(crate) fn give(&self, handle: *mut c_void) {
        let Some(memory) = self.state().held.remove(&handle.addr()) else { return };
        let mark = || -> Result<Event> {
            let event = Event::new(&self.lanes.executor)?;
            event.record(&self.lanes.compute)?;
            Ok(event)
        };
        match mark() {
            Ok(event) => self.state().leaving.push_back((event, memory)),
            Err(_) => {
                let _ = self.lanes.compute.wait();
                self.free(memory);
            }
        }
        self.finish_leaving();
    }

    /// The plugin's description of what it gave.
    pub(crate) fn allocation(&self, handle: *mut c_void) -> Option<SP_DeviceMemoryBase> {
        self.state().held.get(&handle.addr()).map(|given| given.part.0)
    }

    /// Gives back what no work uses any more.
    pub(crate) fn finish_leaving(&self) {
        loop {
            let mut state = self.state();
            if state.leaving.front().is_none_or(|(event, _)| event.progress() == Progress::Pending) {
                return;
            }
            let passed = state.leaving.pop_front();
            drop(state);
            passed.into_iter().for_each(|(_, memory)| self.free(memory));
        }
    }

    /// Waits for copies to the host, which hold memory, and for all that is on its way back.
    pub(crate) fn wait_for_leaving(&self) {
        let hook = self.on_demand.lock().unwrap_or_else(PoisonError::into_inner).clone();
        hook.into_iter().for_each(|hook| hook());
        let leaving = std::mem::take(&mut self.state().leaving);
        for (event, memory) in leaving {
            // Where the work failed, it uses its memory no more either.
            let _ = event.wait();
            self.free(memory);
        }
    }

    fn free(&self, Given { part, is_unified }: Given) {
        let executor = &self.lanes.executor;
        if is_unified { executor.deallocate_unified(part.0) } else { executor.deallocate(part.0) }
    }
}

impl Drop for RawDeviceMemory {
    fn drop(&mut self) {
        let _ = self.lanes.executor.synchronize_all_activity();
        let State { held, leaving } = std::mem::take(&mut *self.state());
        leaving.into_iter().for_each(|(_, memory)| self.free(memory));
        held.into_values().for_each(|memory| self.free(memory));
    }
}
