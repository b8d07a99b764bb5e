//! What each device counts.

use std::sync::atomic::{AtomicU64, Ordering};

macro_rules! counters {
    ($($(#[doc = $doc:literal])* $name:ident,)*) => {
        /// Counters of a device, as C reads them.
        #[repr(C)]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct SimCounters {
            /// Bytes of this struct that its maker knows; the others are set as far as that reaches.
            pub struct_size: usize,
            $($(#[doc = $doc])* pub $name: u64,)*
        }

        /// Counters of a device.
        #[derive(Debug)]
        pub(crate) struct Counters {
            $(pub(crate) $name: AtomicU64,)*
        }

        impl Counters {
            pub(crate) const fn new() -> Self {
                Self { $($name: AtomicU64::new(0),)* }
            }

            pub(crate) fn read(&self) -> SimCounters {
                SimCounters { struct_size: size_of::<SimCounters>(), $($name: self.$name.load(Ordering::SeqCst),)* }
            }
        }
    };
}

counters! {
    /// Devices that are open.
    devices_live,
    /// Allocations that are not given back.
    allocations_live,
    /// Their bytes.
    bytes_live,
    /// Allocations so far.
    allocations,
    /// Allocations of the host's memory that are not given back.
    host_allocations_live,
    /// Streams that are not ended.
    streams_live,
    /// Streams so far.
    streams,
    /// Events that are not ended.
    events_live,
    /// Events so far.
    events,
    /// Events put into streams so far.
    events_recorded,
    /// Timers that are not ended.
    timers_live,
    /// Copies to the host so far.
    copies_to_host,
    /// Copies from the host so far.
    copies_to_device,
    /// Copies within the device so far.
    copies_in_device,
    /// Fills so far.
    fills,
    /// Callbacks so far.
    callbacks,
    /// Pieces of work of kernels so far.
    kernels,
    /// Pieces of work that are put into streams and not done.
    work_pending,
    /// Pieces of work that failed.
    work_failed,
    /// Uses of memory that is not given out, and memory given back that never was.
    wrong_uses,
    /// Waits on the host for the whole device.
    synchronizations,
}

/// Devices that can be counted.
pub(crate) const MOST_DEVICES: usize = 16;

/// Counters by device. They outlive it, so that what it leaves can be seen.
pub(crate) static COUNTERS: [Counters; MOST_DEVICES] = [const { Counters::new() }; MOST_DEVICES];

/// Adds one.
pub(crate) fn add(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::SeqCst);
}

/// Takes one away.
pub(crate) fn subtract(counter: &AtomicU64) {
    counter.fetch_sub(1, Ordering::SeqCst);
}
