//! The devices' callbacks. Device memory has handles that are no addresses.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use oplink_abi::*;

use super::World;
use super::copies::*;
use super::platform::{Own, fails, finish};
use super::streams::{Event, Stream, stream_of};

/// Handles start here and are this far apart: nothing of the host is there.
const HANDLES: usize = 0x7EAD_0000_0000_0000;
const APART: usize = 1 << 36;

pub(super) type Device = *const SP_Device;
pub(super) type Status = *mut TF_Status;

pub(super) unsafe fn world<'a>(device: Device) -> &'a Arc<World> {
    // SAFETY: made by `create_device` and not ended yet.
    &unsafe { &*(*device).device_handle.cast::<Own>() }.world
}

impl World {
    /// Reads or writes device memory behind a handle.
    pub(crate) fn with_memory<T>(&self, handle: usize, bytes: usize, body: impl FnOnce(&mut [u8]) -> T) -> T {
        let mut state = self.state();
        let (start, memory) = state.device_memory.range_mut(..=handle).next_back().expect("an allocation");
        body(&mut memory[handle - start..][..bytes])
    }

    pub(super) fn copy_in(&self, to: usize, from: usize, bytes: usize) {
        let copied = self.with_memory(from, bytes, |memory| memory.to_vec());
        self.with_memory(to, bytes, |memory| memory.copy_from_slice(&copied));
    }
}

unsafe extern "C" fn allocate(device: Device, size: u64, space: i64, memory: *mut SP_DeviceMemoryBase) {
    // SAFETY: the device's handle is that of `create_device`; the struct of the memory is writable.
    unsafe {
        let (world, size) = (world(device), size as usize);
        assert_eq!((space, (*memory).struct_size), (0, SP_DeviceMemoryBase::STRUCT_SIZE));
        world.called("allocate");
        if world.next_failure("allocate").is_some() {
            return;
        }
        let mut state = world.state();
        if state.used + size > world.memory {
            return;
        }
        state.next_handle += 1;
        let handle = HANDLES + state.next_handle * APART;
        state.used += size;
        // Stale contents, which nobody may take for values.
        state.device_memory.insert(handle, vec![0xA5; size]);
        let opaque = std::ptr::without_provenance_mut(handle);
        *memory = SP_DeviceMemoryBase { opaque, size: size as u64, payload: 77, ..SP_DeviceMemoryBase::EMPTY };
        drop(state);
        world.made("memory");
    }
}

unsafe extern "C" fn deallocate(device: Device, memory: *mut SP_DeviceMemoryBase) {
    // SAFETY: the device's handle is that of `create_device`; the memory is of `allocate`.
    unsafe {
        let world = world(device);
        assert_eq!((*memory).payload, 77);
        let mut state = world.state();
        let freed = state.device_memory.remove(&(*memory).opaque.addr()).expect("an allocation");
        state.used -= freed.len();
        drop(state);
        world.ended("memory");
    }
}

unsafe extern "C" fn host_memory_allocate(device: Device, size: u64) -> *mut c_void {
    // SAFETY: the device's handle is that of `create_device`.
    let (world, size) = (unsafe { world(device) }, size as usize);
    world.called("host_memory_allocate");
    let mut state = world.state();
    if state.pinned_used + size > world.pinned {
        return std::ptr::null_mut();
    }
    state.pinned_used += size;
    drop(state);
    world.made("host_memory");
    // SAFETY: the size stands in front of the memory.
    unsafe {
        let block = libc::malloc(size + 16).cast::<usize>();
        block.write(size);
        block.byte_add(16).cast()
    }
}

unsafe extern "C" fn host_memory_deallocate(device: Device, memory: *mut c_void) {
    // SAFETY: the host's arguments; allocated above.
    unsafe {
        let block = memory.byte_sub(16).cast::<usize>();
        world(device).state().pinned_used -= block.read();
        world(device).ended("host_memory");
        libc::free(block.cast());
    }
}

unsafe extern "C" fn unified_memory_allocate(device: Device, size: u64) -> *mut c_void {
    // SAFETY: the device's handle is that of `create_device`.
    let world = unsafe { world(device) };
    world.called("unified_memory_allocate");
    world.made("unified");
    let mut state = world.state();
    state.next_handle += 1;
    let handle = HANDLES + state.next_handle * APART;
    state.device_memory.insert(handle, vec![0x5A; size as usize]);
    std::ptr::without_provenance_mut(handle)
}

unsafe extern "C" fn unified_memory_deallocate(device: Device, memory: *mut c_void) {
    // SAFETY: the device's handle is that of `create_device`.
    let world = unsafe { world(device) };
    world.state().device_memory.remove(&memory.addr()).expect("an allocation");
    world.ended("unified");
}

unsafe extern "C" fn get_allocator_stats(device: Device, stats: *mut SP_AllocatorStats) -> TF_Bool {
    // SAFETY: the device's handle is that of `create_device`; the struct is writable.
    unsafe {
        let world = world(device);
        world.called("get_allocator_stats");
        *stats = SP_AllocatorStats {
            num_allocs: world.calls("allocate") as i64,
            bytes_reserved: world.state().used as i64,
            ..SP_AllocatorStats::EMPTY
        };
    }
    1
}

unsafe extern "C" fn device_memory_usage(device: Device, free: *mut i64, total: *mut i64) -> TF_Bool {
    // SAFETY: the device's handle is that of `create_device`; both numbers are writable.
    unsafe {
        let world = world(device);
        *total = world.memory as i64;
        *free = (world.memory - world.state().used) as i64;
    }
    1
}

unsafe extern "C" fn create_stream(device: Device, stream: *mut SP_Stream, status: Status) {
    // SAFETY: the device's handle is that of `create_device`; the place of the stream is writable, the status alive.
    unsafe {
        let world = world(device);
        if !fails(world, "create_stream", status) {
            *stream = Box::into_raw(Box::new(Stream::new(world))).cast();
            world.state().streams.insert(stream.read().expose_provenance());
            world.made("stream");
        }
    }
}

unsafe extern "C" fn destroy_stream(device: Device, stream: SP_Stream) {
    // SAFETY: the host's arguments; made above.
    unsafe {
        world(device).state().streams.remove(&stream.addr());
        drop(Box::from_raw(stream.cast::<Stream>()));
        world(device).ended("stream");
    }
}

unsafe extern "C" fn create_stream_dependency(device: Device, dependent: SP_Stream, other: SP_Stream, status: Status) {
    // SAFETY: the device's handle is that of `create_device`; both streams are of `create_stream`, the status is alive.
    unsafe {
        if !fails(world(device), "create_stream_dependency", status) {
            let event = Event::default();
            event.record(stream_of(other));
            event.hold(stream_of(dependent));
        }
    }
}

unsafe extern "C" fn get_stream_status(device: Device, stream: SP_Stream, status: Status) {
    // SAFETY: the device's handle is that of `create_device`; the stream is of `create_stream`, the status is alive.
    unsafe {
        let failed = fails(world(device), "get_stream_status", status);
        if let Some(message) = stream_of(stream).failure.message().filter(|_| !failed) {
            let message = std::ffi::CString::new(message).unwrap();
            oplink_host::status::TF_SetStatus(status, code::ABORTED, message.as_ptr());
        }
    }
}

unsafe extern "C" fn create_event(device: Device, event: *mut SP_Event, status: Status) {
    // SAFETY: the device's handle is that of `create_device`; the place of the event is writable, the status alive.
    unsafe {
        if !fails(world(device), "create_event", status) {
            *event = Box::into_raw(Box::<Event>::default()).cast();
            world(device).made("event");
        }
    }
}

unsafe extern "C" fn destroy_event(device: Device, event: SP_Event) {
    // SAFETY: the host's arguments; made above.
    unsafe {
        drop(Box::from_raw(event.cast::<Event>()));
        world(device).ended("event");
    }
}

unsafe fn event_of<'a>(event: SP_Event) -> &'a Event {
    // SAFETY: made by `create_event` and not ended yet.
    unsafe { &*event.cast::<Event>() }
}

unsafe extern "C" fn get_event_status(_: Device, event: SP_Event) -> SE_EventStatus {
    // SAFETY: the event is of `create_event`.
    unsafe { event_of(event) }.status()
}

unsafe extern "C" fn record_event(device: Device, stream: SP_Stream, event: SP_Event, status: Status) {
    // SAFETY: the device's handle is that of `create_device`; stream and event are made by it and not ended, the status
    // is alive.
    unsafe {
        if !fails(world(device), "record_event", status) {
            event_of(event).record(stream_of(stream));
        }
    }
}

unsafe extern "C" fn wait_for_event(device: Device, stream: SP_Stream, event: SP_Event, status: Status) {
    // SAFETY: the device's handle is that of `create_device`; stream and event are made by it and not ended, the status
    // is alive.
    unsafe {
        if !fails(world(device), "wait_for_event", status) {
            event_of(event).hold(stream_of(stream));
        }
    }
}

unsafe extern "C" fn block_host_for_event(device: Device, event: SP_Event, status: Status) {
    // SAFETY: the device's handle is that of `create_device`; the event is of `create_event`, the status is alive.
    unsafe {
        if !fails(world(device), "block_host_for_event", status) {
            event_of(event).wait();
        }
    }
}

unsafe extern "C" fn block_host_until_done(device: Device, stream: SP_Stream, status: Status) {
    // SAFETY: the device's handle is that of `create_device`; the stream is of `create_stream`, the status is alive.
    unsafe {
        if !fails(world(device), "block_host_until_done", status) {
            stream_of(stream).wait();
        }
    }
}

unsafe extern "C" fn synchronize_all_activity(device: Device, status: Status) {
    // SAFETY: the device's handle is that of `create_device`, its streams are not ended, the status is alive.
    unsafe {
        let world = world(device);
        if fails(world, "synchronize_all_activity", status) {
            return;
        }
        let streams = world.state().streams.clone();
        streams.into_iter().for_each(|stream| stream_of(std::ptr::with_exposed_provenance_mut(stream)).wait());
    }
}

/// A timer: what the stream saw at start and stop.
#[derive(Clone, Default)]
struct Timer(Arc<(AtomicU64, AtomicU64)>);

fn now() -> u64 {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as u64
}

unsafe extern "C" fn create_timer(device: Device, timer: *mut SP_Timer, status: Status) {
    // SAFETY: the device's handle is that of `create_device`; the place of the timer is writable, the status alive.
    unsafe {
        if !fails(world(device), "create_timer", status) {
            *timer = Box::into_raw(Box::<Timer>::default()).cast();
            world(device).made("timer");
        }
    }
}

unsafe extern "C" fn destroy_timer(device: Device, timer: SP_Timer) {
    // SAFETY: the host's arguments; made above.
    unsafe {
        drop(Box::from_raw(timer.cast::<Timer>()));
        world(device).ended("timer");
    }
}

unsafe extern "C" fn start_timer(_: Device, stream: SP_Stream, timer: SP_Timer, _: Status) {
    // SAFETY: the stream is of `create_stream`, the timer of `create_timer`.
    let (stream, timer) = unsafe { (stream_of(stream), (*timer.cast::<Timer>()).clone()) };
    stream.enqueue(move |_| timer.0.0.store(now(), Relaxed));
}

unsafe extern "C" fn stop_timer(_: Device, stream: SP_Stream, timer: SP_Timer, _: Status) {
    // SAFETY: the stream is of `create_stream`, the timer of `create_timer`.
    let (stream, timer) = unsafe { (stream_of(stream), (*timer.cast::<Timer>()).clone()) };
    stream.enqueue(move |_| timer.0.1.store(now(), Relaxed));
}

unsafe extern "C" fn nanoseconds(timer: SP_Timer) -> u64 {
    // SAFETY: the timer is of `create_timer`.
    let timer = unsafe { &*timer.cast::<Timer>() };
    timer.0.1.load(Relaxed) - timer.0.0.load(Relaxed)
}

pub(super) fn timer_fns() -> SP_TimerFns {
    SP_TimerFns { nanoseconds: Some(nanoseconds), ..SP_TimerFns::EMPTY }
}

unsafe extern "C" fn host_callback(
    device: Device,
    stream: SP_Stream,
    callback: SE_StatusCallbackFn,
    argument: *mut c_void,
) -> TF_Bool {
    // SAFETY: the device's handle is that of `create_device`.
    let world = unsafe { world(device) };
    world.called("host_callback");
    if !world.calls_back {
        return 0;
    }
    let (argument, forgets) = (argument.addr(), world.forgets_to_call);
    // SAFETY: the host's stream.
    unsafe { stream_of(stream) }.enqueue(move |_| {
        let status = oplink_host::status::TF_NewStatus();
        // SAFETY: the callback takes the argument it was given with.
        unsafe {
            if let Some(callback) = callback.filter(|_| !forgets) {
                callback(std::ptr::without_provenance_mut(argument), status);
            }
            oplink_host::status::TF_DeleteStatus(status);
        }
    });
    1
}

pub(super) fn facts() -> SP_DeviceFns {
    unsafe extern "C" fn get_numa_node(_: Device) -> i32 {
        1
    }
    unsafe extern "C" fn get_memory_bandwidth(_: Device) -> i64 {
        1 << 30
    }
    unsafe extern "C" fn get_gflops(_: Device) -> f64 {
        -1.0
    }
    SP_DeviceFns {
        get_numa_node: Some(get_numa_node),
        get_memory_bandwidth: Some(get_memory_bandwidth),
        get_gflops: Some(get_gflops),
        ..SP_DeviceFns::EMPTY
    }
}

/// The table of callbacks.
macro_rules! table {
    ($world:expr; $($field:ident)*) => {{
        let mut functions = SP_StreamExecutor { $($field: Some($field),)* ..SP_StreamExecutor::EMPTY };
        finish!($world, functions, SP_StreamExecutor: $($field)*);
        functions
    }};
}

pub(super) fn functions(world: &World) -> SP_StreamExecutor {
    table!(world; allocate deallocate host_memory_allocate host_memory_deallocate unified_memory_allocate
        unified_memory_deallocate get_allocator_stats device_memory_usage create_stream destroy_stream
        create_stream_dependency get_stream_status create_event destroy_event get_event_status record_event
        wait_for_event create_timer destroy_timer start_timer stop_timer memcpy_dtoh memcpy_htod memcpy_dtod
        sync_memcpy_dtoh sync_memcpy_htod sync_memcpy_dtod block_host_for_event block_host_until_done
        synchronize_all_activity mem_zero memset memset32 host_callback)
}
