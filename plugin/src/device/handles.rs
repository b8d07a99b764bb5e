//! What the host keeps for a device: handles that it passes back.
//!
//! A device's handle keeps its platform, and handles of streams, events and timers keep their device. So each ends
//! before what it stands on, in whatever order a host ends them.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::any::Any;
use std::collections::BTreeMap;
use std::ffi::CString;
use std::sync::{Arc, PoisonError, RwLock};

use oplink_abi::{SP_Device, SP_DeviceMemoryBase, SP_Event, SP_Platform, SP_Stream, SP_Timer, TF_Status};
use oplink_api::{Error, Result};

use super::functions;
use super::kernel_streams::KernelStreams;
use super::traits::{Device, Platform};
use super::values::Region;
use crate::guard::guarded;
use crate::status::c_string;

/// A platform with the names that the host reads.
pub(super) struct PlatformHandle<P> {
    pub(super) platform: P,
    pub(super) name: CString,
    pub(super) kind: CString,
}

impl<P: Platform> PlatformHandle<P> {
    pub(super) fn new(platform: P) -> Self {
        Self { platform, name: c_string(P::NAME), kind: c_string(P::TYPE) }
    }
}

/// A device with the texts that the host reads.
pub(super) struct DeviceHandle<P: Platform> {
    pub(super) device: P::Device,
    pub(super) hardware_name: Option<CString>,
    pub(super) vendor: Option<CString>,
    pub(super) pci_bus_id: Option<CString>,
    pub(super) kernel_streams: KernelStreams<P>,
    #[allow(dead_code, reason = "ends after the device")]
    pub(super) platform: Arc<PlatformHandle<P>>,
}

/// A stream, an event or a timer.
pub(super) struct Owned<P: Platform, T> {
    pub(super) value: T,
    pub(super) device: Arc<DeviceHandle<P>>,
}

pub(super) type StreamOf<P> = <<P as Platform>::Device as Device>::Stream;
pub(super) type EventOf<P> = <<P as Platform>::Device as Device>::Event;
pub(super) type TimerOf<P> = <<P as Platform>::Device as Device>::Timer;

/// The platform behind the host's struct.
///
/// # Safety
/// The struct is null or one that `SE_InitPlugin` of this platform filled and nobody has ended.
pub(super) unsafe fn platform<'a, P: Platform>(platform: *const SP_Platform) -> Result<&'a PlatformHandle<P>> {
    // SAFETY: `platform` is null or alive (Safety section).
    unsafe { platform.as_ref().and_then(|platform| platform.ext.cast::<PlatformHandle<P>>().as_ref()) }
        .ok_or_else(|| missing::<P>("platform"))
}

/// The device behind the host's struct.
///
/// # Safety
/// The struct is null or one that `create_device` of this platform filled and nobody has ended.
pub(super) unsafe fn device<'a, P: Platform>(device: *const SP_Device) -> Result<&'a DeviceHandle<P>> {
    // SAFETY: `device` is null or alive (Safety section).
    unsafe { device.as_ref().and_then(|device| device.device_handle.cast::<DeviceHandle<P>>().as_ref()) }
        .ok_or_else(|| missing::<P>("device"))
}

/// Another hold on what one of the functions above gave.
///
/// # Safety
/// The reference is into an [`Arc`].
pub(super) unsafe fn hold<T>(value: &T) -> Arc<T> {
    // SAFETY: `value` lies in an `Arc` (Safety section), whose count is raised for the one that is made here.
    unsafe {
        Arc::increment_strong_count(std::ptr::from_ref(value));
        Arc::from_raw(std::ptr::from_ref(value))
    }
}

/// The stream behind the host's handle.
///
/// # Safety
/// The handle is null or one that `create_stream` of this platform made and nobody has destroyed.
pub(super) unsafe fn stream<'a, P: Platform>(stream: SP_Stream) -> Result<&'a StreamOf<P>> {
    // SAFETY: `stream` is null or an `Owned` stream of this platform that is alive for `'a` (Safety section).
    unsafe { stream.cast::<Owned<P, StreamOf<P>>>().as_ref() }
        .map(|owned| &owned.value)
        .ok_or_else(|| missing::<P>("stream"))
}

/// The event behind the host's handle.
///
/// # Safety
/// The handle is null or one that `create_event` of this platform made and nobody has destroyed.
pub(super) unsafe fn event<'a, P: Platform>(event: SP_Event) -> Result<&'a EventOf<P>> {
    // SAFETY: `event` is null or an `Owned` event of this platform that is alive for `'a` (Safety section).
    unsafe { event.cast::<Owned<P, EventOf<P>>>().as_ref() }
        .map(|owned| &owned.value)
        .ok_or_else(|| missing::<P>("event"))
}

/// The timer behind the host's handle.
///
/// # Safety
/// The handle is null or one that `create_timer` of this platform made and nobody has destroyed.
pub(super) unsafe fn timer<'a, P: Platform>(timer: SP_Timer) -> Result<&'a Owned<P, TimerOf<P>>> {
    // SAFETY: `timer` is null or an `Owned` timer of this platform that is alive for `'a` (Safety section).
    unsafe { timer.cast::<Owned<P, TimerOf<P>>>().as_ref() }.ok_or_else(|| missing::<P>("timer"))
}

/// The first `bytes` of the host's region.
///
/// # Safety
/// The struct is null or readable.
pub(super) unsafe fn region<P: Platform>(memory: *const SP_DeviceMemoryBase, bytes: u64) -> Result<Region> {
    // SAFETY: `memory` is null or alive (Safety section).
    let memory = unsafe { memory.as_ref() }.ok_or_else(|| missing::<P>("memory"))?;
    match Region::of(memory) {
        Some(region) if bytes <= region.bytes => Ok(Region { bytes, ..region }),
        Some(region) => {
            let message = format!("the host asks {} for {bytes} bytes of memory of {}", P::NAME, region.bytes);
            Err(Error::invalid_argument(message))
        }
        None => Err(missing::<P>("memory")),
    }
}

fn missing<P: Platform>(what: &str) -> Error {
    Error::invalid_argument(format!("the host gives {} no {what}: null", P::NAME))
}

/// Runs a callback that tells the host how it ended; a panic is an error too.
///
/// # Safety
/// The status is null or alive.
pub(super) unsafe fn report<P: Platform>(name: &str, status: *mut TF_Status, body: impl FnOnce() -> Result<()>) {
    let result = guarded(|| format!("{name} of the platform {}", P::NAME), body);
    // SAFETY: `status` is null or alive (Safety section).
    unsafe { functions::set(status, result) }
}

/// Streams that are alive, by handle: kernels are given a handle that may be another platform's.
static STREAMS: RwLock<BTreeMap<usize, Arc<dyn Any + Send + Sync>>> = RwLock::new(BTreeMap::new());

/// Makes a handle of a stream.
pub(super) fn put_stream<P: Platform>(value: StreamOf<P>, device: Arc<DeviceHandle<P>>) -> SP_Stream {
    let stream = Arc::new(Owned { value, device });
    let raw = Arc::into_raw(stream.clone());
    STREAMS.write().unwrap_or_else(PoisonError::into_inner).insert(raw.addr(), stream);
    raw.cast_mut().cast()
}

/// Ends a handle of a stream.
///
/// # Safety
/// The handle is null or one of [`put_stream`] for this platform, and is ended once.
pub(super) unsafe fn end_stream<P: Platform>(stream: SP_Stream) {
    if !stream.is_null() {
        STREAMS.write().unwrap_or_else(PoisonError::into_inner).remove(&stream.addr());
        // SAFETY: `stream` came from `Arc::into_raw` and is given up once (Safety section).
        drop(unsafe { Arc::from_raw(stream.cast::<Owned<P, StreamOf<P>>>()) });
    }
}

/// The stream of a handle that a kernel was given; `None` where it is not a live one of this platform.
pub(super) fn find_stream<P: Platform>(handle: usize) -> Option<Arc<Owned<P, StreamOf<P>>>> {
    let streams = STREAMS.read().unwrap_or_else(PoisonError::into_inner);
    streams.get(&handle).cloned()?.downcast().ok()
}
