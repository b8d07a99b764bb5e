//! The devices' copies and fills, in streams or at once.

use std::ffi::c_void;

use oplink_abi::*;

use super::World;
use super::device::{Device, Status, world};
use super::platform::fails;
use super::streams::stream_of;

/// Work on device memory in a stream, or at once where there is none.
unsafe fn work(
    device: Device,
    name: &'static str,
    stream: Option<SP_Stream>,
    status: Status,
    body: impl FnOnce(&World) + Send + 'static,
) {
    // SAFETY: the device's handle is that of `create_device`; the status and the stream are alive.
    unsafe {
        let world = world(device).clone();
        if fails(&world, name, status) {
            return;
        }
        let Some(stream) = stream else { return body(&world) };
        let faulty = world.next_fault(name);
        stream_of(stream).enqueue(move |failure| if faulty { failure.set(name) } else { body(&world) });
    }
}

/// An address on its way to a stream's thread.
struct Host(*mut u8);
// SAFETY: the host keeps the memory until the stream is past the copy.
unsafe impl Send for Host {}

impl Host {
    unsafe fn bytes<'a>(self, count: usize) -> &'a mut [u8] {
        // SAFETY: the host's memory of this length.
        unsafe { std::slice::from_raw_parts_mut(self.0, count) }
    }
}

unsafe fn to_host(
    d: Device,
    name: &'static str,
    s: Option<SP_Stream>,
    to: *mut c_void,
    from: *const SP_DeviceMemoryBase,
    size: u64,
    status: Status,
) {
    // SAFETY: `from` describes memory of the device; the host keeps both sides until the stream is past the copy.
    unsafe {
        assert!(matches!((*from).payload, 0 | 77) && (*from).size == size);
        let (to, from, size) = (Host(to.cast()), (*from).opaque.addr(), size as usize);
        work(d, name, s, status, move |world| {
            world.with_memory(from, size, |memory| to.bytes(size).copy_from_slice(memory));
        });
    }
}

unsafe fn to_device(
    d: Device,
    name: &'static str,
    s: Option<SP_Stream>,
    to: *mut SP_DeviceMemoryBase,
    from: *const c_void,
    size: u64,
    status: Status,
) {
    // SAFETY: `to` describes memory of the device; the host keeps both sides until the stream is past the copy.
    unsafe {
        let (to, from, size) = ((*to).opaque.addr(), Host(from.cast_mut().cast()), size as usize);
        work(d, name, s, status, move |world| {
            world.with_memory(to, size, |memory| memory.copy_from_slice(from.bytes(size)));
        });
    }
}

unsafe fn in_device(
    d: Device,
    name: &'static str,
    s: Option<SP_Stream>,
    to: *mut SP_DeviceMemoryBase,
    from: *const SP_DeviceMemoryBase,
    size: u64,
    status: Status,
) {
    // SAFETY: both sides describe memory of the device, which the host keeps until the stream is past the copy.
    unsafe {
        let (to, from) = ((*to).opaque.addr(), (*from).opaque.addr());
        work(d, name, s, status, move |world| world.copy_in(to, from, size as usize));
    }
}

unsafe fn fill(
    d: Device,
    name: &'static str,
    s: SP_Stream,
    to: *mut SP_DeviceMemoryBase,
    pattern: Vec<u8>,
    size: u64,
    status: Status,
) {
    // SAFETY: `to` describes memory of the device, which the host keeps until the stream is past the work.
    unsafe {
        let to = (*to).opaque.addr();
        work(d, name, Some(s), status, move |world| {
            world.with_memory(to, size as usize, |memory| {
                memory.iter_mut().zip(pattern.iter().cycle()).for_each(|(byte, with)| *byte = *with);
            });
        });
    }
}

/// Callbacks that forward to a function above.
macro_rules! forward {
    ($($name:ident($($argument:ident: $ty:ty),*) = $body:expr;)*) => {$(
        pub(super) unsafe extern "C" fn $name(device: Device, $($argument: $ty,)* status: Status) {
            // SAFETY: the host calls with its device, with memory that it keeps, and with a status that is alive.
            unsafe { $body(device, stringify!($name), $($argument,)* status) }
        }
    )*};
}

forward! {
    memcpy_dtoh(s: SP_Stream, to: *mut c_void, from: *const SP_DeviceMemoryBase, size: u64)
        = |d, n, s, to, from, size, status| to_host(d, n, Some(s), to, from, size, status);
    memcpy_htod(s: SP_Stream, to: *mut SP_DeviceMemoryBase, from: *const c_void, size: u64)
        = |d, n, s, to, from, size, status| to_device(d, n, Some(s), to, from, size, status);
    memcpy_dtod(s: SP_Stream, to: *mut SP_DeviceMemoryBase, from: *const SP_DeviceMemoryBase, size: u64)
        = |d, n, s, to, from, size, status| in_device(d, n, Some(s), to, from, size, status);
    sync_memcpy_dtoh(to: *mut c_void, from: *const SP_DeviceMemoryBase, size: u64)
        = |d, n, to, from, size, status| to_host(d, n, None, to, from, size, status);
    sync_memcpy_htod(to: *mut SP_DeviceMemoryBase, from: *const c_void, size: u64)
        = |d, n, to, from, size, status| to_device(d, n, None, to, from, size, status);
    sync_memcpy_dtod(to: *mut SP_DeviceMemoryBase, from: *const SP_DeviceMemoryBase, size: u64)
        = |d, n, to, from, size, status| in_device(d, n, None, to, from, size, status);
    mem_zero(s: SP_Stream, to: *mut SP_DeviceMemoryBase, size: u64)
        = |d, n, s, to, size, status| fill(d, n, s, to, vec![0], size, status);
    memset(s: SP_Stream, to: *mut SP_DeviceMemoryBase, pattern: u8, size: u64)
        = |d, n, s, to, pattern: u8, size, status| fill(d, n, s, to, vec![pattern], size, status);
    memset32(s: SP_Stream, to: *mut SP_DeviceMemoryBase, pattern: u32, size: u64)
        = |d, n, s, to, pattern: u32, size, status| fill(d, n, s, to, pattern.to_ne_bytes().to_vec(), size, status);
}
