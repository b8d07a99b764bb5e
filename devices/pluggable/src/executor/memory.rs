//! Memory: of the device, of the host for copies, and of both.
#![allow(unsafe_code, reason = "room: calls into a plugin")]

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;

use oplink_abi::{SP_AllocatorStats, SP_DeviceMemoryBase};

use super::Executor;
use crate::padded_struct::PaddedStruct;

impl Executor {
    /// Device memory; `None` where there is not enough.
    pub(crate) fn allocate(&self, bytes: usize) -> Option<SP_DeviceMemoryBase> {
        let function = self.functions()?.allocate?;
        let mut memory = PaddedStruct::<SP_DeviceMemoryBase>::new();
        // SAFETY: the folder's contract; the struct says its size.
        unsafe { function(self.as_ptr(), bytes as u64, 0, memory.as_mut_ptr()) };
        memory.forget_beyond_size();
        (!memory.opaque.is_null())
            .then_some(SP_DeviceMemoryBase { struct_size: SP_DeviceMemoryBase::STRUCT_SIZE, ..*memory })
    }

    /// Takes device memory of [`allocate`](Self::allocate) back, which no work uses any more.
    pub(crate) fn deallocate(&self, mut memory: SP_DeviceMemoryBase) {
        if let Some(function) = self.functions().and_then(|functions| functions.deallocate) {
            // SAFETY: the platform was checked to have the function; the device is not ended yet, the memory is the
            // plugin's.
            unsafe { function(self.as_ptr(), &raw mut memory) }
        }
    }

    /// Memory that device and host see; `None` where there is not enough, or no such memory.
    pub(crate) fn allocate_unified(&self, bytes: usize) -> Option<SP_DeviceMemoryBase> {
        let function = self.functions()?.unified_memory_allocate?;
        // SAFETY: the platform was checked to have the function; the device is the plugin's and not ended yet.
        let opaque = NonNull::new(unsafe { function(self.as_ptr(), bytes as u64) })?.as_ptr();
        Some(SP_DeviceMemoryBase { opaque, size: bytes as u64, ..SP_DeviceMemoryBase::EMPTY })
    }

    /// Takes memory of [`allocate_unified`](Self::allocate_unified) back.
    pub(crate) fn deallocate_unified(&self, memory: SP_DeviceMemoryBase) {
        if let Some(function) = self.functions().and_then(|functions| functions.unified_memory_deallocate) {
            // SAFETY: the platform was checked to have the function; the device is not ended yet, the memory is the
            // plugin's.
            unsafe { function(self.as_ptr(), memory.opaque) }
        }
    }

    /// Free and total bytes of device memory, where the plugin tells.
    pub(crate) fn memory_usage(&self) -> Option<(u64, u64)> {
        let function = self.functions()?.device_memory_usage?;
        let (mut free, mut total) = (0_i64, 0_i64);
        // SAFETY: the folder's contract; both numbers are writable.
        let told = unsafe { function(self.as_ptr(), &raw mut free, &raw mut total) } != 0;
        told.then(|| (u64::try_from(free).unwrap_or(0), u64::try_from(total).unwrap_or(0)))
    }

    /// What the plugin's own allocator tells.
    pub(crate) fn allocator_stats(&self) -> Option<SP_AllocatorStats> {
        let function = self.functions()?.get_allocator_stats?;
        let mut stats = PaddedStruct::<SP_AllocatorStats>::new();
        // SAFETY: the folder's contract; the struct says its size.
        let told = unsafe { function(self.as_ptr(), stats.as_mut_ptr()) } != 0;
        stats.forget_beyond_size();
        (told && stats.struct_size != 0).then_some(*stats)
    }
}

/// Host memory that the device can copy from and to while the host goes on. Given back when dropped.
pub(crate) struct Pinned {
    executor: Arc<Executor>,
    memory: NonNull<c_void>,
    bytes: usize,
}

// SAFETY: plain memory with one owner; the folder's contract for giving it back.
unsafe impl Send for Pinned {}
// SAFETY: shared bytes are only read; the plugin takes calls from any thread.
unsafe impl Sync for Pinned {}

impl Pinned {
    /// `None` where the plugin has none to give.
    pub(crate) fn new(executor: &Arc<Executor>, bytes: usize) -> Option<Self> {
        let function = executor.functions()?.host_memory_allocate?;
        // SAFETY: the platform was checked to have the function; the device is the plugin's and not ended yet.
        let memory = NonNull::new(unsafe { function(executor.as_ptr(), bytes as u64) })?;
        // SAFETY: the plugin gave this many bytes; from here on all of them are initialised.
        unsafe { memory.cast::<u8>().write_bytes(0, bytes) };
        Some(Self { executor: executor.clone(), memory, bytes })
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes
    }

    /// The bytes; the device copies nothing here meanwhile.
    pub(crate) fn as_slice(&self) -> &[u8] {
        // SAFETY: this many bytes, initialised in `new`; the owner sees to it that no copy to them goes on.
        unsafe { std::slice::from_raw_parts(self.memory.cast::<u8>().as_ptr(), self.bytes) }
    }

    /// The bytes, to be written; the device copies nothing from here meanwhile.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: this many bytes, initialised in `new` and borrowed mutably; the owner sees to it that no copy from
        // them goes on.
        unsafe { std::slice::from_raw_parts_mut(self.memory.cast::<u8>().as_ptr(), self.bytes) }
    }

    pub(super) fn as_ptr(&self) -> *mut c_void {
        self.memory.as_ptr()
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if let Some(function) = self.executor.functions().and_then(|functions| functions.host_memory_deallocate) {
            // SAFETY: the folder's contract; given back once.
            unsafe { function(self.executor.as_ptr(), self.memory.as_ptr()) }
        }
    }
}
