//! The functions of `SP_StreamExecutor`: each finds the device behind the host's handle and calls the vendor's.
#![allow(unsafe_code, reason = "room: the C ABI")]

mod copies;
mod memory;
mod streams;
#[cfg(test)]
mod tests;

use std::ptr;

use oplink_abi::SP_StreamExecutor;

use super::traits::Platform;

/// All of them: hosts end their process where one that they need is not set.
pub(super) fn functions<P: Platform>() -> SP_StreamExecutor {
    SP_StreamExecutor {
        struct_size: SP_StreamExecutor::STRUCT_SIZE,
        ext: ptr::null_mut(),
        allocate: Some(memory::allocate::<P>),
        deallocate: Some(memory::deallocate::<P>),
        host_memory_allocate: Some(memory::host_memory_allocate::<P>),
        host_memory_deallocate: Some(memory::host_memory_deallocate::<P>),
        unified_memory_allocate: Some(memory::unified_memory_allocate::<P>),
        unified_memory_deallocate: Some(memory::unified_memory_deallocate::<P>),
        get_allocator_stats: Some(memory::get_allocator_stats::<P>),
        device_memory_usage: Some(memory::device_memory_usage::<P>),
        create_stream: Some(streams::create_stream::<P>),
        destroy_stream: Some(streams::destroy_stream::<P>),
        create_stream_dependency: Some(streams::create_stream_dependency::<P>),
        get_stream_status: Some(streams::get_stream_status::<P>),
        create_event: Some(streams::create_event::<P>),
        destroy_event: Some(streams::destroy_event::<P>),
        get_event_status: Some(streams::get_event_status::<P>),
        record_event: Some(streams::record_event::<P>),
        wait_for_event: Some(streams::wait_for_event::<P>),
        create_timer: Some(streams::create_timer::<P>),
        destroy_timer: Some(streams::destroy_timer::<P>),
        start_timer: Some(streams::start_timer::<P>),
        stop_timer: Some(streams::stop_timer::<P>),
        memcpy_dtoh: Some(copies::memcpy_dtoh::<P>),
        memcpy_htod: Some(copies::memcpy_htod::<P>),
        memcpy_dtod: Some(copies::memcpy_dtod::<P>),
        sync_memcpy_dtoh: Some(copies::sync_memcpy_dtoh::<P>),
        sync_memcpy_htod: Some(copies::sync_memcpy_htod::<P>),
        sync_memcpy_dtod: Some(copies::sync_memcpy_dtod::<P>),
        block_host_for_event: Some(streams::block_host_for_event::<P>),
        block_host_until_done: Some(streams::block_host_until_done::<P>),
        synchronize_all_activity: Some(streams::synchronize_all_activity::<P>),
        mem_zero: Some(copies::mem_zero::<P>),
        memset: Some(copies::memset::<P>),
        memset32: Some(copies::memset32::<P>),
        host_callback: Some(streams::host_callback::<P>),
    }
}
