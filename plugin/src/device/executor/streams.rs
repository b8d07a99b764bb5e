//! Streams, events, timers, and waiting for them.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use oplink_abi::{SE_EventStatus, SE_StatusCallbackFn, SP_Device, SP_Event, SP_Stream, SP_Timer, TF_Bool, TF_Status};
use oplink_api::{Result, ensure};

use crate::device::handles::{self, DeviceHandle, EventOf, Owned, StreamOf, TimerOf, hold, report};
use crate::device::traits::{Device, Platform};
use crate::device::values::{EventStatus, HostCallback};
use crate::guard::silent;

/// Makes something of a device and puts its handle where the host wants it; null where that failed.
///
/// # Safety
/// The host passes its device, where the handle goes, and its status.
unsafe fn create<P: Platform, H>(
    name: &str,
    device: *const SP_Device,
    place: *mut *mut H,
    status: *mut TF_Status,
    make: impl FnOnce(Arc<DeviceHandle<P>>) -> Result<*mut H>,
) {
    // SAFETY: `device` is null or alive, `place` is null or a slot and `status` is null or alive (Safety section).
    unsafe {
        report::<P>(name, status, || {
            ensure!(!place.is_null(), "the host gives no place for a handle: null");
            *place = ptr::null_mut();
            *place = make(hold(handles::device::<P>(device)?))?;
            Ok(())
        });
    }
}

/// Ends a handle that is a box.
///
/// # Safety
/// The handle is null or such a box, and is ended once.
unsafe fn end<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: not null, so a box of `T` that nobody uses any more (Safety section).
        silent((), || drop(unsafe { Box::from_raw(handle) }));
    }
}

/// # Safety
/// The host passes its device, where the handle goes, and its status.
pub(super) unsafe extern "C" fn create_stream<P: Platform>(
    device: *const SP_Device,
    stream: *mut SP_Stream,
    status: *mut TF_Status,
) {
    let make = |device: Arc<DeviceHandle<P>>| Ok(handles::put_stream(device.device.create_stream()?, device));
    // SAFETY: `device` is null or alive, `stream` is null or alive and `status` is null or alive (Safety section).
    unsafe { create::<P, _>("create_stream", device, stream, status, make) }
}

/// # Safety
/// The host passes a stream that `create_stream` made, once, or null.
pub(super) unsafe extern "C" fn destroy_stream<P: Platform>(_: *const SP_Device, stream: SP_Stream) {
    // SAFETY: `create_stream` made the handle, and the host destroys it once.
    silent((), || unsafe { handles::end_stream::<P>(stream) });
}

/// # Safety
/// The host passes its device, where the handle goes, and its status.
pub(super) unsafe extern "C" fn create_event<P: Platform>(
    device: *const SP_Device,
    event: *mut SP_Event,
    status: *mut TF_Status,
) {
    let make = |device: Arc<DeviceHandle<P>>| {
        let owned: Owned<P, EventOf<P>> = Owned { value: device.device.create_event()?, device };
        Ok(Box::into_raw(Box::new(owned)).cast())
    };
    // SAFETY: `device` is null or alive, `event` is null or alive and `status` is null or alive (Safety section).
    unsafe { create::<P, _>("create_event", device, event, status, make) }
}

/// # Safety
/// The host passes an event that `create_event` made, once, or null.
pub(super) unsafe extern "C" fn destroy_event<P: Platform>(_: *const SP_Device, event: SP_Event) {
    // SAFETY: `create_event` made the handle as a box, and the host destroys it once.
    unsafe { end(event.cast::<Owned<P, EventOf<P>>>()) }
}

/// # Safety
/// The host passes its device, where the handle goes, and its status.
pub(super) unsafe extern "C" fn create_timer<P: Platform>(
    device: *const SP_Device,
    timer: *mut SP_Timer,
    status: *mut TF_Status,
) {
    let make = |device: Arc<DeviceHandle<P>>| {
        let owned: Owned<P, TimerOf<P>> = Owned { value: device.device.create_timer()?, device };
        Ok(Box::into_raw(Box::new(owned)).cast())
    };
    // SAFETY: `device` is null or alive, `timer` is null or alive and `status` is null or alive (Safety section).
    unsafe { create::<P, _>("create_timer", device, timer, status, make) }
}

/// # Safety
/// The host passes a timer that `create_timer` made, once, or null.
pub(super) unsafe extern "C" fn destroy_timer<P: Platform>(_: *const SP_Device, timer: SP_Timer) {
    // SAFETY: `create_timer` made the handle as a box, and the host destroys it once.
    unsafe { end(timer.cast::<Owned<P, TimerOf<P>>>()) }
}

/// Calls the device with a stream.
///
/// # Safety
/// The host passes its device, a stream of it, and its status.
unsafe fn on_stream<P: Platform>(
    name: &str,
    (device, stream): (*const SP_Device, SP_Stream),
    status: *mut TF_Status,
    body: impl FnOnce(&P::Device, &StreamOf<P>) -> Result<()>,
) {
    // SAFETY: `status` is null or alive (Safety section).
    unsafe {
        report::<P>(name, status, || body(&handles::device::<P>(device)?.device, handles::stream::<P>(stream)?));
    }
}

/// # Safety
/// The host passes its device, streams of it, and its status.
pub(super) unsafe extern "C" fn create_stream_dependency<P: Platform>(
    device: *const SP_Device,
    dependent: SP_Stream,
    other: SP_Stream,
    status: *mut TF_Status,
) {
    // SAFETY: `device` is null or alive and `status` is null or alive (Safety section).
    unsafe {
        on_stream::<P>("create_stream_dependency", (device, dependent), status, |device, dependent| {
            device.wait_for_stream(dependent, handles::stream::<P>(other)?)
        });
    }
}

/// # Safety
/// The host passes its device, a stream of it, and its status.
pub(super) unsafe extern "C" fn get_stream_status<P: Platform>(
    device: *const SP_Device,
    stream: SP_Stream,
    status: *mut TF_Status,
) {
    // SAFETY: `device` is null or alive and `status` is null or alive (Safety section).
    unsafe { on_stream::<P>("get_stream_status", (device, stream), status, Device::stream_status) }
}

/// A panic is an error.
///
/// # Safety
/// The host passes its device and an event of it.
pub(super) unsafe extern "C" fn get_event_status<P: Platform>(
    device: *const SP_Device,
    event: SP_Event,
) -> SE_EventStatus {
    // SAFETY: `device` is null or alive (Safety section).
    let ask = || unsafe {
        let (device, event) = (handles::device::<P>(device).ok()?, handles::event::<P>(event).ok()?);
        Some(device.device.event_status(event))
    };
    silent(Some(EventStatus::Error), ask).unwrap_or(EventStatus::Unknown).to_c()
}

/// # Safety
/// The host passes its device, a stream and an event of it, and its status.
pub(super) unsafe extern "C" fn record_event<P: Platform>(
    device: *const SP_Device,
    stream: SP_Stream,
    event: SP_Event,
    status: *mut TF_Status,
) {
    // SAFETY: `device` is null or alive and `status` is null or alive (Safety section).
    unsafe {
        on_stream::<P>("record_event", (device, stream), status, |device, stream| {
            device.record_event(stream, handles::event::<P>(event)?)
        });
    }
}

/// # Safety
/// The host passes its device, a stream and an event of it, and its status.
pub(super) unsafe extern "C" fn wait_for_event<P: Platform>(
    device: *const SP_Device,
    stream: SP_Stream,
    event: SP_Event,
    status: *mut TF_Status,
) {
    // SAFETY: `device` is null or alive and `status` is null or alive (Safety section).
    unsafe {
        on_stream::<P>("wait_for_event", (device, stream), status, |device, stream| {
            device.wait_for_event(stream, handles::event::<P>(event)?)
        });
    }
}

/// # Safety
/// The host passes its device, a stream and a timer of it, and its status.
pub(super) unsafe extern "C" fn start_timer<P: Platform>(
    device: *const SP_Device,
    stream: SP_Stream,
    timer: SP_Timer,
    status: *mut TF_Status,
) {
    // SAFETY: `device` is null or alive and `status` is null or alive (Safety section).
    unsafe {
        on_stream::<P>("start_timer", (device, stream), status, |device, stream| {
            device.start_timer(stream, &handles::timer::<P>(timer)?.value)
        });
    }
}

/// # Safety
/// The host passes its device, a stream and a timer of it, and its status.
pub(super) unsafe extern "C" fn stop_timer<P: Platform>(
    device: *const SP_Device,
    stream: SP_Stream,
    timer: SP_Timer,
    status: *mut TF_Status,
) {
    // SAFETY: `device` is null or alive and `status` is null or alive (Safety section).
    unsafe {
        on_stream::<P>("stop_timer", (device, stream), status, |device, stream| {
            device.stop_timer(stream, &handles::timer::<P>(timer)?.value)
        });
    }
}

/// # Safety
/// The host passes its device, an event of it, and its status.
pub(super) unsafe extern "C" fn block_host_for_event<P: Platform>(
    device: *const SP_Device,
    event: SP_Event,
    status: *mut TF_Status,
) {
    // SAFETY: `device` is null or alive and `status` is null or alive (Safety section).
    unsafe {
        report::<P>("block_host_for_event", status, || {
            handles::device::<P>(device)?.device.block_for_event(handles::event::<P>(event)?)
        });
    }
}

/// # Safety
/// The host passes its device, a stream of it, and its status.
pub(super) unsafe extern "C" fn block_host_until_done<P: Platform>(
    device: *const SP_Device,
    stream: SP_Stream,
    status: *mut TF_Status,
) {
    // SAFETY: `device` is null or alive and `status` is null or alive (Safety section).
    unsafe { on_stream::<P>("block_host_until_done", (device, stream), status, Device::block_until_done) }
}

/// # Safety
/// The host passes its device and its status.
pub(super) unsafe extern "C" fn synchronize_all_activity<P: Platform>(
    device: *const SP_Device,
    status: *mut TF_Status,
) {
    // SAFETY: `device` is null or alive and `status` is null or alive (Safety section).
    unsafe {
        report::<P>("synchronize_all_activity", status, || handles::device::<P>(device)?.device.synchronize());
    }
}

/// False for an error and a panic.
///
/// # Safety
/// The host passes its device, a stream of it, and a function that may be called once with the argument.
pub(super) unsafe extern "C" fn host_callback<P: Platform>(
    device: *const SP_Device,
    stream: SP_Stream,
    function: SE_StatusCallbackFn,
    argument: *mut c_void,
) -> TF_Bool {
    // SAFETY: `device` is null or alive and `argument` is what this function asks for (Safety section).
    let call = || unsafe {
        let callback = HostCallback::new(function, argument);
        handles::device::<P>(device)?.device.call_back(handles::stream::<P>(stream)?, callback)
    };
    silent(false, || call().is_ok()).into()
}
