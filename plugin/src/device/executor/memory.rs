//! Memory. None of these has a status: a failure, a panic too, is null or "not known".
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_void;
use std::ptr::{self, NonNull};

use oplink_abi::{SP_AllocatorStats, SP_Device, SP_DeviceMemoryBase, TF_Bool};
use oplink_api::Result;

use crate::device::handles;
use crate::device::traits::{Device, Platform};
use crate::device::values::Region;
use crate::guard::silent;

/// # Safety
/// The host passes its device, and where the memory goes.
pub(super) unsafe extern "C" fn allocate<P: Platform>(
    device: *const SP_Device,
    size: u64,
    _: i64,
    memory: *mut SP_DeviceMemoryBase,
) {
    // SAFETY: `device` is null or alive and `memory` is null or alive (Safety section).
    unsafe {
        let Some(memory) = memory.as_mut() else { return };
        let allocate = || handles::device::<P>(device).ok()?.device.allocate(size);
        Region::put(silent(None, allocate), memory);
    }
}

/// # Safety
/// The host passes its device, and memory that `allocate` gave it, or null.
pub(super) unsafe extern "C" fn deallocate<P: Platform>(device: *const SP_Device, memory: *mut SP_DeviceMemoryBase) {
    // SAFETY: `device` is null or alive and `memory` is null or alive (Safety section).
    silent((), || unsafe {
        let Some(memory) = memory.as_mut() else { return };
        if let (Ok(device), Some(region)) = (handles::device::<P>(device), Region::of(memory)) {
            device.device.deallocate(region);
            Region::put(None, memory);
        }
    });
}

/// What a function of the device gives, null for a failure.
///
/// # Safety
/// The host passes its device.
unsafe fn give<P: Platform>(
    device: *const SP_Device,
    body: impl FnOnce(&P::Device) -> Option<NonNull<u8>>,
) -> *mut c_void {
    // SAFETY: `device` is null or alive (Safety section).
    let given = silent(None, || unsafe { body(&handles::device::<P>(device).ok()?.device) });
    given.map_or(ptr::null_mut(), |memory| memory.as_ptr().cast())
}

/// Calls a function of the device with memory, unless it is null.
///
/// # Safety
/// The host passes its device.
unsafe fn take<P: Platform>(device: *const SP_Device, memory: *mut c_void, body: impl FnOnce(&P::Device, NonNull<u8>)) {
    // SAFETY: `device` is null or alive and `memory` is what this function asks for (Safety section).
    silent((), || unsafe {
        if let (Ok(device), Some(memory)) = (handles::device::<P>(device), NonNull::new(memory.cast())) {
            body(&device.device, memory);
        }
    });
}

/// # Safety
/// The host passes its device.
pub(super) unsafe extern "C" fn host_memory_allocate<P: Platform>(device: *const SP_Device, size: u64) -> *mut c_void {
    // SAFETY: `device` is null or alive (Safety section).
    unsafe { give::<P>(device, |device| device.allocate_host(size)) }
}

/// # Safety
/// The host passes its device, and what `host_memory_allocate` gave it, once.
pub(super) unsafe extern "C" fn host_memory_deallocate<P: Platform>(device: *const SP_Device, memory: *mut c_void) {
    // SAFETY: `device` is null or alive and `memory` is what this function asks for (Safety section).
    unsafe { take::<P>(device, memory, |device, memory| device.deallocate_host(memory)) }
}

/// # Safety
/// The host passes its device.
pub(super) unsafe extern "C" fn unified_memory_allocate<P: Platform>(
    device: *const SP_Device,
    bytes: u64,
) -> *mut c_void {
    // SAFETY: `device` is null or alive (Safety section).
    unsafe { give::<P>(device, |device| device.allocate_unified(bytes)) }
}

/// # Safety
/// The host passes its device, and what `unified_memory_allocate` gave it, once.
pub(super) unsafe extern "C" fn unified_memory_deallocate<P: Platform>(device: *const SP_Device, memory: *mut c_void) {
    // SAFETY: `device` is null or alive and `memory` is what this function asks for (Safety section).
    unsafe { take::<P>(device, memory, |device, memory| device.deallocate_unified(memory)) }
}

/// # Safety
/// The host passes its device, and where the answer goes, which starts with its size.
pub(super) unsafe extern "C" fn get_allocator_stats<P: Platform>(
    device: *const SP_Device,
    stats: *mut SP_AllocatorStats,
) -> TF_Bool {
    // SAFETY: the caller's contract; the answer is as long as what is written.
    let told = silent(None, || unsafe {
        let stats = stats.as_mut().filter(|stats| stats.struct_size >= SP_AllocatorStats::STRUCT_SIZE)?;
        *stats = handles::device::<P>(device).ok()?.device.allocator_statistics()?.to_c();
        Some(())
    });
    told.is_some().into()
}

/// # Safety
/// The host passes its device, and where the answers go.
pub(super) unsafe extern "C" fn device_memory_usage<P: Platform>(
    device: *const SP_Device,
    free: *mut i64,
    total: *mut i64,
) -> TF_Bool {
    let tell = || -> Result<bool> {
        // SAFETY: `device` is null or alive, `free` is null or a slot and `total` is null or a slot (Safety section).
        unsafe {
            let usage = handles::device::<P>(device)?.device.memory_usage();
            if let (Some(usage), Some(free), Some(total)) = (usage, free.as_mut(), total.as_mut()) {
                (*free, *total) = (usage.free as i64, usage.total as i64);
                return Ok(true);
            }
        }
        Ok(false)
    };
    silent(false, || tell().unwrap_or(false)).into()
}
