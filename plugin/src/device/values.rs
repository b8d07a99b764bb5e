//! What a device and its host hand each other.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_void;

use oplink_abi::{SE_EventStatus, SE_StatusCallbackFn, SP_AllocatorStats, SP_DeviceMemoryBase, event_status};
use oplink_api::{Error, Result};

use super::functions::Status;

/// A piece of a device's memory: a whole allocation, or a part of one. It owns nothing, and may be copied.
///
/// Hosts divide allocations by adding to `address`; they never read behind it, so that it may be any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Where it begins: the allocation's address plus an offset in bytes.
    pub address: usize,
    /// Bytes.
    pub bytes: u64,
    /// What `allocate` put there, in regions that are whole allocations; 0 elsewhere.
    pub payload: u64,
}

impl Region {
    /// A region without payload.
    pub const fn new(address: usize, bytes: u64) -> Self {
        Self { address, bytes, payload: 0 }
    }

    /// The region that C gives; `None` for null.
    pub(super) fn of(memory: &SP_DeviceMemoryBase) -> Option<Self> {
        let SP_DeviceMemoryBase { opaque, size, payload, .. } = *memory;
        (!opaque.is_null()).then(|| Self { address: opaque.addr(), bytes: size, payload })
    }

    /// Writes it for C; `None` is null.
    pub(super) fn put(region: Option<Self>, memory: &mut SP_DeviceMemoryBase) {
        let Self { address, bytes, payload } = region.unwrap_or(Self::new(0, 0));
        let opaque = std::ptr::without_provenance_mut(address);
        *memory = SP_DeviceMemoryBase { opaque, size: bytes, payload, ..SP_DeviceMemoryBase::EMPTY };
    }
}

/// What a device is, for people; absent where it is not known.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// What it is.
    pub hardware_name: Option<String>,
    /// Who made it.
    pub vendor: Option<String>,
    /// Where it is on the PCI bus, as `0000:00:02.1`.
    pub pci_bus_id: Option<String>,
}

/// Facts of a device; absent where they are not known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    /// The memory node that it is near.
    pub numa_node: Option<u16>,
    /// Bytes a second of its own memory.
    pub memory_bandwidth: Option<u64>,
    /// Operations of floating point a second, in units of 10^9.
    pub gflops: Option<f64>,
}

/// Memory of a device, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryUsage {
    /// What can still be given out.
    pub free: u64,
    /// What there is.
    pub total: u64,
}

/// What a device's allocator tells, in bytes but for `allocations`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AllocatorStatistics {
    /// Allocations so far.
    pub allocations: u64,
    /// Given out now.
    pub in_use: u64,
    /// Most given out at a time.
    pub peak: u64,
    /// The largest allocation so far.
    pub largest: u64,
    /// What can be given out, where there is a limit.
    pub limit: Option<u64>,
    /// Taken from the system.
    pub reserved: u64,
    /// Most taken from the system at a time.
    pub peak_reserved: u64,
    /// What can be taken from the system, where there is a limit.
    pub reservable_limit: Option<u64>,
    /// The largest free block.
    pub largest_free: u64,
}

impl AllocatorStatistics {
    pub(super) fn to_c(self) -> SP_AllocatorStats {
        SP_AllocatorStats {
            struct_size: SP_AllocatorStats::STRUCT_SIZE,
            num_allocs: self.allocations as i64,
            bytes_in_use: self.in_use as i64,
            peak_bytes_in_use: self.peak as i64,
            largest_alloc_size: self.largest as i64,
            has_bytes_limit: self.limit.is_some().into(),
            bytes_limit: self.limit.unwrap_or(0) as i64,
            bytes_reserved: self.reserved as i64,
            peak_bytes_reserved: self.peak_reserved as i64,
            has_bytes_reservable_limit: self.reservable_limit.is_some().into(),
            bytes_reservable_limit: self.reservable_limit.unwrap_or(0) as i64,
            largest_free_block_bytes: self.largest_free as i64,
        }
    }
}

/// How far an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventStatus {
    /// Nothing is known; hosts take it for an error.
    Unknown,
    /// The work before it failed. TensorFlow ends its process then.
    Error,
    /// The work before it goes on.
    Pending,
    /// The work before it is done, or it was never recorded.
    Complete,
}

impl EventStatus {
    pub(super) fn to_c(self) -> SE_EventStatus {
        match self {
            Self::Unknown => event_status::UNKNOWN,
            Self::Error => event_status::ERROR,
            Self::Pending => event_status::PENDING,
            Self::Complete => event_status::COMPLETE,
        }
    }
}

/// What memory is filled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// One byte, again and again.
    Byte(u8),
    /// Four bytes, in the order of this machine, again and again; the region's length is a multiple of four.
    Word(u32),
}

/// Memory of the host that a copy reads. It is valid until the host learns that the copy is done.
#[derive(Debug)]
pub struct HostSource {
    data: *const u8,
    bytes: usize,
}

// SAFETY: the host leaves the memory as it is until the copy is done, on whatever thread that happens.
unsafe impl Send for HostSource {}

impl HostSource {
    /// # Safety
    /// `data` has so many bytes that nobody writes until the host learns that the copy is done.
    pub(super) unsafe fn new(data: *const c_void, bytes: u64) -> Self {
        Self { data: data.cast(), bytes: if data.is_null() { 0 } else { bytes as usize } }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        if self.bytes == 0 {
            return &[];
        }
        // SAFETY: the contract of `new`; whoever implements a device promises to drop this before it tells that it is
        // done.
        unsafe { std::slice::from_raw_parts(self.data, self.bytes) }
    }
}

/// Memory of the host that a copy writes. It is valid until the host learns that the copy is done.
#[derive(Debug)]
pub struct HostTarget {
    data: *mut u8,
    bytes: usize,
}

// SAFETY: the host leaves the memory alone until the copy is done, on whatever thread that happens.
unsafe impl Send for HostTarget {}

impl HostTarget {
    /// # Safety
    /// `data` has so many bytes that nobody reads or writes until the host learns that the copy is done.
    pub(super) unsafe fn new(data: *mut c_void, bytes: u64) -> Self {
        Self { data: data.cast(), bytes: if data.is_null() { 0 } else { bytes as usize } }
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Writes the first bytes; fewer where `source` or this ends before.
    pub fn write(&mut self, source: &[u8]) {
        let bytes = source.len().min(self.bytes);
        if bytes > 0 {
            // SAFETY: both have so many bytes; the contract of `new`, and of whoever implements a device.
            unsafe { std::ptr::copy_nonoverlapping(source.as_ptr(), self.data, bytes) }
        }
    }

    /// Its address, for a driver's own copy.
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.data
    }
}

/// A function of the host, to be called once when its stream gets there. One that is never called keeps the host
/// waiting.
#[derive(Debug)]
pub struct HostCallback {
    function: SE_StatusCallbackFn,
    argument: *mut c_void,
}

// SAFETY: hosts expect to be called on any thread.
unsafe impl Send for HostCallback {}

impl HostCallback {
    /// # Safety
    /// The function may be called once, with this argument, on any thread.
    pub(super) unsafe fn new(function: SE_StatusCallbackFn, argument: *mut c_void) -> Self {
        Self { function, argument }
    }

    /// Calls the host.
    ///
    /// # Errors
    /// What the host's function says, and a host without one.
    pub fn call(self) -> Result<()> {
        let function = self.function.ok_or_else(|| Error::internal("the host gave no function to call back"))?;
        let status = Status::new()?;
        // SAFETY: the contract of `new`; the status is alive.
        unsafe { function(self.argument, status.raw()) };
        status.check()
    }
}
