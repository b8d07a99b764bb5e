//! Copies, and filling of memory. Nothing is called for no bytes.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_void;

use oplink_abi::{SP_Device, SP_DeviceMemoryBase, SP_Stream, TF_Status};
use oplink_api::{Error, Result, ensure};

use crate::device::handles::{self, StreamOf, region, report};
use crate::device::traits::{Device, Platform};
use crate::device::values::{HostSource, HostTarget, Pattern};

/// Calls the device with a stream, unless there are no bytes.
///
/// # Safety
/// The host passes its device, a stream of it, and its status.
unsafe fn on_stream<P: Platform>(
    name: &str,
    (device, stream, bytes): (*const SP_Device, SP_Stream, u64),
    status: *mut TF_Status,
    body: impl FnOnce(&P::Device, &StreamOf<P>) -> Result<()>,
) {
    // SAFETY: `status` is null or alive (Safety section).
    unsafe {
        now::<P>(name, (device, bytes), status, |device| body(device, handles::stream::<P>(stream)?));
    }
}

/// Calls the device, unless there are no bytes.
///
/// # Safety
/// The host passes its device and its status.
unsafe fn now<P: Platform>(
    name: &str,
    (device, bytes): (*const SP_Device, u64),
    status: *mut TF_Status,
    body: impl FnOnce(&P::Device) -> Result<()>,
) {
    // SAFETY: `status` is null or alive (Safety section).
    unsafe {
        report::<P>(name, status, || {
            let device = handles::device::<P>(device)?;
            if bytes == 0 { Ok(()) } else { body(&device.device) }
        });
    }
}

/// # Safety
/// The host leaves so many bytes to the copy until it is done.
unsafe fn target(memory: *mut c_void, bytes: u64) -> Result<HostTarget> {
    ensure!(!memory.is_null(), "the host gives no memory to copy to: null");
    // SAFETY: `memory` is null or has `bytes` bytes (Safety section).
    Ok(unsafe { HostTarget::new(memory, bytes) })
}

/// # Safety
/// The host leaves so many bytes as they are until the copy is done.
unsafe fn source(memory: *const c_void, bytes: u64) -> Result<HostSource> {
    ensure!(!memory.is_null(), "the host gives no memory to copy from: null");
    // SAFETY: `memory` is null or has `bytes` bytes (Safety section).
    Ok(unsafe { HostSource::new(memory, bytes) })
}

/// # Safety
/// The host passes its device, a stream of it, memory of both that stays until the copy is done, and its status.
pub(super) unsafe extern "C" fn memcpy_dtoh<P: Platform>(
    device: *const SP_Device,
    stream: SP_Stream,
    to: *mut c_void,
    from: *const SP_DeviceMemoryBase,
    size: u64,
    status: *mut TF_Status,
) {
    // SAFETY: `device` is null or alive, `to` is what this function asks for, `from` is null or alive and `status` is
    // null or alive (Safety section).
    unsafe {
        on_stream::<P>("memcpy_dtoh", (device, stream, size), status, |device, stream| {
            device.copy_to_host(stream, target(to, size)?, region::<P>(from, size)?)
        });
    }
}

/// # Safety
/// As [`memcpy_dtoh`].
pub(super) unsafe extern "C" fn memcpy_htod<P: Platform>(
    device: *const SP_Device,
    stream: SP_Stream,
    to: *mut SP_DeviceMemoryBase,
    from: *const c_void,
    size: u64,
    status: *mut TF_Status,
) {
    // SAFETY: `device` is null or alive, `to` is null or alive, `from` is null or has `size` bytes and `status` is null
    // or alive (Safety section).
    unsafe {
        report::<P>("memcpy_htod", status, || {
            let device = handles::device::<P>(device)?;
            if size == 0 {
                return Ok(());
            }
            let (stream, to) = (handles::stream::<P>(stream)?, region::<P>(to, size)?);
            let from = source(from, size)?;
            device.kernel_streams.hold_back(&device.device, stream)?;
            device.device.copy_to_device(stream, to, from)
        });
    }
}

/// # Safety
/// As [`memcpy_dtoh`].
pub(super) unsafe extern "C" fn memcpy_dtod<P: Platform>(
    device: *const SP_Device,
    stream: SP_Stream,
    to: *mut SP_DeviceMemoryBase,
    from: *const SP_DeviceMemoryBase,
    size: u64,
    status: *mut TF_Status,
) {
    // SAFETY: `device` is null or alive, `to` is null or alive, `from` is null or alive and `status` is null or alive
    // (Safety section).
    unsafe {
        on_stream::<P>("memcpy_dtod", (device, stream, size), status, |device, stream| {
            device.copy_in_device(stream, region::<P>(to, size)?, region::<P>(from, size)?)
        });
    }
}

/// # Safety
/// The host passes its device, memory of both, and its status.
pub(super) unsafe extern "C" fn sync_memcpy_dtoh<P: Platform>(
    device: *const SP_Device,
    to: *mut c_void,
    from: *const SP_DeviceMemoryBase,
    size: u64,
    status: *mut TF_Status,
) {
    // SAFETY: `device` is null or alive, `to` is what this function asks for, `from` is null or alive and `status` is
    // null or alive (Safety section).
    unsafe {
        now::<P>("sync_memcpy_dtoh", (device, size), status, |device| {
            device.copy_to_host_now(target(to, size)?, region::<P>(from, size)?)
        });
    }
}

/// # Safety
/// As [`sync_memcpy_dtoh`].
pub(super) unsafe extern "C" fn sync_memcpy_htod<P: Platform>(
    device: *const SP_Device,
    to: *mut SP_DeviceMemoryBase,
    from: *const c_void,
    size: u64,
    status: *mut TF_Status,
) {
    // SAFETY: `device` is null or alive, `to` is null or alive, `from` is null or has `size` bytes and `status` is null
    // or alive (Safety section).
    unsafe {
        now::<P>("sync_memcpy_htod", (device, size), status, |device| {
            device.copy_to_device_now(region::<P>(to, size)?, source(from, size)?)
        });
    }
}

/// # Safety
/// As [`sync_memcpy_dtoh`].
pub(super) unsafe extern "C" fn sync_memcpy_dtod<P: Platform>(
    device: *const SP_Device,
    to: *mut SP_DeviceMemoryBase,
    from: *const SP_DeviceMemoryBase,
    size: u64,
    status: *mut TF_Status,
) {
    // SAFETY: `device` is null or alive, `to` is null or alive, `from` is null or alive and `status` is null or alive
    // (Safety section).
    unsafe {
        now::<P>("sync_memcpy_dtod", (device, size), status, |device| {
            device.copy_in_device_now(region::<P>(to, size)?, region::<P>(from, size)?)
        });
    }
}

/// # Safety
/// The host passes its device, a stream and memory of it, and its status.
unsafe fn fill<P: Platform>(
    name: &str,
    (device, stream, size): (*const SP_Device, SP_Stream, u64),
    to: *mut SP_DeviceMemoryBase,
    pattern: Pattern,
    status: *mut TF_Status,
) {
    // SAFETY: `to` is null or alive and `status` is null or alive (Safety section).
    unsafe {
        on_stream::<P>(name, (device, stream, size), status, |device, stream| {
            if matches!(pattern, Pattern::Word(_)) && !size.is_multiple_of(4) {
                let message = format!("{name} of {size} bytes, which is no multiple of the pattern's four");
                return Err(Error::invalid_argument(message));
            }
            device.fill(stream, region::<P>(to, size)?, pattern)
        });
    }
}

/// # Safety
/// The host passes its device, a stream and memory of it, and its status.
pub(super) unsafe extern "C" fn mem_zero<P: Platform>(
    device: *const SP_Device,
    stream: SP_Stream,
    to: *mut SP_DeviceMemoryBase,
    size: u64,
    status: *mut TF_Status,
) {
    // SAFETY: `device` is null or alive, `to` is null or alive and `status` is null or alive (Safety section).
    unsafe { fill::<P>("mem_zero", (device, stream, size), to, Pattern::Byte(0), status) }
}

/// # Safety
/// The host passes its device, a stream and memory of it, and its status.
pub(super) unsafe extern "C" fn memset<P: Platform>(
    device: *const SP_Device,
    stream: SP_Stream,
    to: *mut SP_DeviceMemoryBase,
    pattern: u8,
    size: u64,
    status: *mut TF_Status,
) {
    // SAFETY: `device` is null or alive, `to` is null or alive and `status` is null or alive (Safety section).
    unsafe { fill::<P>("memset", (device, stream, size), to, Pattern::Byte(pattern), status) }
}

/// # Safety
/// The host passes its device, a stream and memory of it, and its status.
pub(super) unsafe extern "C" fn memset32<P: Platform>(
    device: *const SP_Device,
    stream: SP_Stream,
    to: *mut SP_DeviceMemoryBase,
    pattern: u32,
    size: u64,
    status: *mut TF_Status,
) {
    // SAFETY: `device` is null or alive, `to` is null or alive and `status` is null or alive (Safety section).
    unsafe { fill::<P>("memset32", (device, stream, size), to, Pattern::Word(pattern), status) }
}
