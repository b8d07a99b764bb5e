//! Memory that the plugin gives, with the way back.
//!
//! Tensors go while enqueued work still uses their memory. So memory goes back to the plugin when an event behind that
//! work has passed; where memory runs out, that is waited for once.

use std::collections::{HashMap, VecDeque};
use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oplink_abi::SP_DeviceMemoryBase;
use oplink_api::Result;
use oplink_core::DetachedDrop;
use oplink_core::memory::{RawMemory, RawRegion};

use crate::executor::{Event, Part, Progress};
use crate::stream_group::StreamGroup;

/// The alignment of blocks that the host makes of the plugin's memory: what devices want of addresses at most.
const ALIGNMENT: usize = 256;

/// The memory, as those share it who divide it. The last of them may be a tensor that outlives the device.
pub(crate) type SharedMemory = Arc<DetachedDrop<RawDeviceMemory>>;

/// The plugin's memory of one device.
pub(crate) struct RawDeviceMemory {
    streams: Arc<StreamGroup>,
    state: Mutex<State>,
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
    pub(crate) fn new(streams: Arc<StreamGroup>) -> SharedMemory {
        let name = streams.executor.name().to_owned();
        Arc::new(DetachedDrop::new(name, Self { streams, state: Mutex::default() }))
    }

    pub(crate) fn streams(&self) -> &StreamGroup {
        &self.streams
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Memory of the plugin; `None` where it has none even when all that is on its way back has arrived. Where the
    /// device's own memory has run out, memory that host and device see serves, if the platform has such.
    pub(crate) fn take(&self, bytes: usize) -> Option<SP_DeviceMemoryBase> {
        self.finish_leaving();
        let executor = &self.streams.executor;
        let of_device = |part| Given { part: Part(part), is_unified: false };
        let unified = || {
            let part = executor.platform().has_unified_memory().then(|| executor.allocate_unified(bytes))??;
            Some(Given { part: Part(part), is_unified: true })
        };
        let again = || self.wait_for_leaving().then(|| executor.allocate(bytes)).flatten();
        let given = executor.allocate(bytes).or_else(again).map(of_device).or_else(unified)?;
        self.state().held.insert(given.part.0.opaque.addr(), given);
        Some(given.part.0)
    }

    /// Takes memory of [`take`](Self::take) back, which work that is enqueued may still use.
    pub(crate) fn give(&self, handle: *mut c_void) {
        let Some(memory) = self.state().held.remove(&handle.addr()) else { return };
        let mark = || -> Result<Event> {
            let event = Event::new(&self.streams.executor)?;
            event.record(&self.streams.compute)?;
            Ok(event)
        };
        match mark() {
            Ok(event) => self.state().leaving.push_back((event, memory)),
            Err(_) => {
                let _ = self.streams.compute.wait();
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

    /// Waits for all that is on its way back; false where there is nothing.
    fn wait_for_leaving(&self) -> bool {
        let leaving = std::mem::take(&mut self.state().leaving);
        let is_some = !leaving.is_empty();
        for (event, memory) in leaving {
            // Where the work failed, it uses its memory no more either.
            let _ = event.wait();
            self.free(memory);
        }
        is_some
    }

    fn free(&self, Given { part, is_unified }: Given) {
        let executor = &self.streams.executor;
        if is_unified { executor.deallocate_unified(part.0) } else { executor.deallocate(part.0) }
    }
}

/// The same for the host's own allocator.
pub(super) struct Regions(pub(super) SharedMemory);

impl RawMemory for Regions {
    fn allocate(&self, bytes: usize) -> Option<RawRegion> {
        let memory = self.0.take(bytes)?;
        Some(RawRegion::new(memory.opaque, 0, bytes))
    }

    fn free(&self, region: RawRegion) {
        self.0.give(region.handle());
    }

    fn alignment(&self) -> usize {
        ALIGNMENT
    }
}

impl Drop for RawDeviceMemory {
    fn drop(&mut self) {
        let State { held, leaving } = std::mem::take(&mut *self.state());
        if !self.streams.wait_until_idle() {
            return std::mem::forget(leaving);
        }
        leaving.into_iter().for_each(|(_, memory)| self.free(memory));
        held.into_values().for_each(|memory| self.free(memory));
    }
}
