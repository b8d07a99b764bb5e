//! A plugin in this process: what a test wants of it, what it counts, and how it is opened.

mod copies;
mod device;
mod platform;
mod streams;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use oplink_api::Result;
use oplink_api::device::DeviceContext;
use oplink_core::{Device, DeviceOptions};
use oplink_device_pluggable::{Platform, StreamExecutorContext};
use oplink_host::status::StatusFunctions;

pub(crate) use platform::init;
pub(crate) use streams::enqueue;

/// What a test wants of the plugin, and what it does.
pub(crate) struct World {
    pub(crate) device_count: i32,
    pub(crate) name: &'static std::ffi::CStr,
    pub(crate) device_type: &'static std::ffi::CStr,
    /// Callbacks and fields that are left null.
    pub(crate) omitted: BTreeSet<&'static str>,
    /// Structs that tell another size, by name.
    pub(crate) sizes: BTreeMap<&'static str, usize>,
    pub(crate) major_version: i32,
    pub(crate) divides_memory: bool,
    pub(crate) has_unified_memory: bool,
    /// Bytes of each device.
    pub(crate) memory: usize,
    /// Bytes of pinned memory.
    pub(crate) pinned: usize,
    /// The longest that a piece of work is delayed, in microseconds.
    pub(crate) delay: u64,
    /// Whether streams call the host back.
    pub(crate) calls_back: bool,
    /// Whether a call back is promised and never made.
    pub(crate) forgets_to_call: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    calls: BTreeMap<&'static str, usize>,
    alive: BTreeMap<&'static str, isize>,
    /// How often a callback works yet, how often it fails then, and with which code.
    failing: BTreeMap<&'static str, (usize, usize, i32)>,
    /// How often the work of a callback fails from now on, after it was enqueued.
    faulty: BTreeMap<&'static str, usize>,
    device_memory: BTreeMap<usize, Vec<u8>>,
    used: usize,
    pinned_used: usize,
    next_handle: usize,
    streams: BTreeSet<usize>,
    ended: Vec<&'static str>,
}

impl Default for World {
    fn default() -> Self {
        Self {
            device_count: 1,
            name: c"TEST_PLATFORM",
            device_type: c"TESTED",
            omitted: BTreeSet::new(),
            sizes: BTreeMap::new(),
            major_version: 0,
            divides_memory: false,
            has_unified_memory: false,
            memory: 1 << 24,
            pinned: 1 << 24,
            delay: 200,
            calls_back: true,
            forgets_to_call: false,
            state: Mutex::default(),
        }
    }
}

thread_local! {
    /// The world of the plugin that this thread opens next.
    static NEXT: RefCell<Option<Arc<World>>> = const { RefCell::new(None) };
}

impl World {
    /// As it is but for what `change` does.
    pub(crate) fn new(change: impl FnOnce(&mut Self)) -> Arc<Self> {
        let mut world = Self::default();
        change(&mut world);
        Arc::new(world)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn called(&self, function: &'static str) {
        *self.state().calls.entry(function).or_default() += 1;
    }

    fn made(&self, what: &'static str) {
        *self.state().alive.entry(what).or_default() += 1;
    }

    fn ended(&self, what: &'static str) {
        let mut state = self.state();
        *state.alive.entry(what).or_default() -= 1;
        state.ended.push(what);
    }

    /// How often a callback was called.
    pub(crate) fn calls(&self, function: &str) -> usize {
        self.state().calls.get(function).copied().unwrap_or(0)
    }

    /// How many of a kind there are.
    pub(crate) fn alive(&self, what: &str) -> isize {
        self.state().alive.get(what).copied().unwrap_or(0)
    }

    /// Lets the next calls of a callback fail with a code.
    pub(crate) fn fail(&self, function: &'static str, times: usize, code: i32) {
        self.state().failing.insert(function, (0, times, code));
    }

    /// Lets a call of a callback fail after so many that work.
    pub(crate) fn fail_after(&self, working: usize, function: &'static str, code: i32) {
        self.state().failing.insert(function, (working, 1, code));
    }

    /// Lets the work of the next calls of a callback fail when the stream gets there.
    pub(crate) fn fault(&self, function: &'static str, times: usize) {
        self.state().faulty.insert(function, times);
    }

    fn next_failure(&self, function: &str) -> Option<i32> {
        let mut state = self.state();
        let (working, times, code) = state.failing.get_mut(function)?;
        if let Some(rest) = working.checked_sub(1) {
            *working = rest;
            return None;
        }
        *times = times.checked_sub(1)?;
        Some(*code)
    }

    fn next_fault(&self, function: &str) -> bool {
        let mut state = self.state();
        let times = state.faulty.get_mut(function);
        times.is_some_and(|times| times.checked_sub(1).map(|rest| *times = rest).is_some())
    }

    /// The kinds of which something is left, and how much.
    pub(crate) fn left(&self) -> Vec<(&'static str, isize)> {
        self.state().alive.iter().filter(|(_, count)| **count != 0).map(|(what, count)| (*what, *count)).collect()
    }

    /// What was ended, in order, one for each run of equal ones.
    pub(crate) fn order_of_ends(&self) -> Vec<&'static str> {
        let mut ended = self.state().ended.clone();
        ended.dedup();
        ended
    }

    /// Nothing is left of what the plugin made. Threads that end may take a moment.
    #[track_caller]
    pub(crate) fn check_nothing_is_left(&self) {
        let start = Instant::now();
        while !self.left().is_empty() && start.elapsed() < Duration::from_secs(5) {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(self.left(), []);
        let state = self.state();
        assert_eq!((state.used, state.pinned_used), (0, 0));
    }

    pub(crate) fn open(self: &Arc<Self>) -> Result<Arc<Platform>> {
        let status = StatusFunctions { new: new_status, take: take_status };
        NEXT.set(Some(self.clone()));
        // SAFETY: a plugin of this process; its statuses are the host's.
        let opened = unsafe { Platform::open(init, status, "tests/it/plugin") };
        NEXT.set(None);
        opened
    }

    pub(crate) fn devices(self: &Arc<Self>) -> Result<Vec<Arc<dyn Device>>> {
        self.open()?.create_devices(&DeviceOptions::default())
    }
}

fn new_status() -> *mut oplink_abi::TF_Status {
    oplink_host::status::TF_NewStatus()
}

fn take_status(status: *mut oplink_abi::TF_Status) -> Result<()> {
    let said = oplink_host::status::to_result(status);
    // SAFETY: of `new_status`, freed once.
    unsafe { oplink_host::status::TF_DeleteStatus(status) };
    said
}

/// The context of a device.
pub(crate) fn context(device: &Arc<dyn Device>) -> &Arc<dyn DeviceContext> {
    device.context().expect("a context")
}

/// As its own type.
pub(crate) fn own(device: &Arc<dyn Device>) -> &StreamExecutorContext {
    context(device).as_any().downcast_ref().expect("a context of this crate")
}

/// A world as it is but for what `change` does, and its first device.
pub(crate) fn device_of(change: impl FnOnce(&mut World)) -> (Arc<World>, Arc<dyn Device>) {
    let world = World::new(change);
    let device = world.devices().expect("a device").remove(0);
    (world, device)
}
