//! Structs of devices: where their fields lie, and the types of the functions in them, as a C++ compiler sees
//! TensorFlow's.

use std::any::type_name;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::mem::{align_of, offset_of, size_of};

use oplink_abi::{
    SE_CreateDeviceFnsParams, SE_CreateDeviceParams, SE_CreateStreamExecutorParams, SE_MAJOR, SE_MINOR, SE_PATCH,
    SE_PlatformRegistrationParams, SP_AllocatorStats, SP_Device, SP_DeviceFns, SP_DeviceMemoryBase, SP_Platform,
    SP_PlatformFns, SP_StreamExecutor, SP_TimerFns, event_status,
};

use crate::{check, field_size};

const SIGNATURES: &str = include_str!("../../../../tests/abi/signatures.txt");

/// Writes lines of the recorded form, for types.
macro_rules! describe_types {
    ($out:ident; $($type:ident { $($field:ident $(as $c:literal)?),* })*) => {$($(
        let names = [stringify!($field), $($c,)?];
        let field = field_type::<$type, _>(|s| &s.$field);
        writeln!($out, "field {}.{}: {field}", stringify!($type), names[names.len() - 1]).unwrap();
    )*)*};
}

/// Passes all structs with their fields to a macro.
macro_rules! structs {
    ($macro:ident, $out:ident) => {
        $macro!($out;
            SE_CreateDeviceFnsParams { struct_size, ext, device_fns }
            SE_CreateDeviceParams { struct_size, ext, ordinal, device }
            SE_CreateStreamExecutorParams { struct_size, ext, stream_executor }
            SE_PlatformRegistrationParams {
                struct_size, ext, major_version, minor_version, patch_version, platform, platform_fns,
                destroy_platform, destroy_platform_fns
            }
            SP_AllocatorStats {
                struct_size, num_allocs, bytes_in_use, peak_bytes_in_use, largest_alloc_size, has_bytes_limit,
                bytes_limit, bytes_reserved, peak_bytes_reserved, has_bytes_reservable_limit, bytes_reservable_limit,
                largest_free_block_bytes
            }
            SP_Device { struct_size, ext, ordinal, device_handle, hardware_name, device_vendor, pci_bus_id }
            SP_DeviceFns { struct_size, ext, get_numa_node, get_memory_bandwidth, get_gflops }
            SP_DeviceMemoryBase { struct_size, ext, opaque, size, payload }
            SP_Platform {
                struct_size, ext, name, kind as "type", supports_unified_memory, use_bfc_allocator, force_memory_growth
            }
            SP_PlatformFns {
                struct_size, ext, get_device_count, create_device, destroy_device, create_device_fns,
                destroy_device_fns, create_stream_executor, destroy_stream_executor, create_timer_fns, destroy_timer_fns
            }
            SP_StreamExecutor {
                struct_size, ext, allocate, deallocate, host_memory_allocate, host_memory_deallocate,
                unified_memory_allocate, unified_memory_deallocate, get_allocator_stats, device_memory_usage,
                create_stream, destroy_stream, create_stream_dependency, get_stream_status, create_event,
                destroy_event, get_event_status, record_event, wait_for_event, create_timer, destroy_timer,
                start_timer, stop_timer, memcpy_dtoh, memcpy_htod, memcpy_dtod, sync_memcpy_dtoh, sync_memcpy_htod,
                sync_memcpy_dtod, block_host_for_event, block_host_until_done, synchronize_all_activity, mem_zero,
                memset, memset32, host_callback
            }
            SP_TimerFns { struct_size, ext, nanoseconds }
        );
    };
}

#[test]
fn structs_lie_in_memory_as_in_c() {
    let mut out = String::new();
    structs!(describe, out);
    check(&out);
}

#[test]
fn numbers_are_those_of_c() {
    let mut out = String::new();
    macro_rules! values {
        ($($name:ident = $value:expr;)*) => { $(writeln!(out, "value {} {}", stringify!($name), $value).unwrap();)* };
    }
    values! {
        SE_MAJOR = SE_MAJOR;
        SE_MINOR = SE_MINOR;
        SE_PATCH = SE_PATCH;
        SE_EVENT_UNKNOWN = event_status::UNKNOWN;
        SE_EVENT_ERROR = event_status::ERROR;
        SE_EVENT_PENDING = event_status::PENDING;
        SE_EVENT_COMPLETE = event_status::COMPLETE;
        SE_CREATE_DEVICE_FNS_PARAMS_STRUCT_SIZE = SE_CreateDeviceFnsParams::STRUCT_SIZE;
        SE_CREATE_DEVICE_PARAMS_STRUCT_SIZE = SE_CreateDeviceParams::STRUCT_SIZE;
        SE_CREATE_STREAM_EXECUTOR_PARAMS_STRUCT_SIZE = SE_CreateStreamExecutorParams::STRUCT_SIZE;
        SE_PLATFORM_REGISTRATION_PARAMS_STRUCT_SIZE = SE_PlatformRegistrationParams::STRUCT_SIZE;
        SP_ALLOCATORSTATS_STRUCT_SIZE = SP_AllocatorStats::STRUCT_SIZE;
        SP_DEVICE_FNS_STRUCT_SIZE = SP_DeviceFns::STRUCT_SIZE;
        SP_DEVICE_MEMORY_BASE_STRUCT_SIZE = SP_DeviceMemoryBase::STRUCT_SIZE;
        SP_DEVICE_STRUCT_SIZE = SP_Device::STRUCT_SIZE;
        SP_PLATFORM_FNS_STRUCT_SIZE = SP_PlatformFns::STRUCT_SIZE;
        SP_PLATFORM_STRUCT_SIZE = SP_Platform::STRUCT_SIZE;
        SP_STREAMEXECUTOR_STRUCT_SIZE = SP_StreamExecutor::STRUCT_SIZE;
        SP_TIMER_FNS_STRUCT_SIZE = SP_TimerFns::STRUCT_SIZE;
    }
    check(&out);
}

#[test]
fn fields_have_the_types_of_c() {
    let mut out = String::new();
    structs!(describe_types, out);
    let recorded = SIGNATURES.replace("SE_EventStatus", "int");
    let recorded: HashSet<&str> = recorded.lines().collect();
    let wrong: Vec<_> = out.lines().filter(|line| !recorded.contains(line)).collect();
    assert!(wrong.is_empty(), "not what TensorFlow's header gives: {wrong:#?}");
}

/// The type of the field that the function reads, in C.
fn field_type<S, F>(_: fn(&S) -> &F) -> String {
    c_type(type_name::<F>())
}

/// A type as the C++ compiler prints it.
fn c_type(rust: &str) -> String {
    if let Some(inner) = rust.strip_prefix("core::option::Option<").and_then(|rest| rest.strip_suffix('>')) {
        return c_type(inner);
    }
    if let Some(rest) = rust.strip_prefix(r#"unsafe extern "C" fn("#) {
        let (arguments, result) = split_signature(rest);
        let arguments: Vec<_> = arguments.into_iter().map(c_type).collect();
        return format!("{} (*)({})", result.map_or("void".to_owned(), c_type), arguments.join(", "));
    }
    if let Some(pointee) = rust.strip_prefix("*const ") {
        return format!("const {}*", c_pointee(pointee));
    }
    if let Some(pointee) = rust.strip_prefix("*mut ") {
        return format!("{}*", c_pointee(pointee));
    }
    match rust {
        "i8" => "signed char",
        "u8" => "unsigned char",
        "i32" => "int",
        "u32" => "unsigned int",
        "i64" => "long int",
        "u64" | "usize" => "long unsigned int",
        "f64" => "double",
        "core::ffi::c_void" => "void",
        other => other.rsplit("::").next().unwrap_or(other),
    }
    .to_owned()
}

/// In C, text is not made of numbers.
fn c_pointee(rust: &str) -> String {
    if rust == "i8" { "char".to_owned() } else { c_type(rust) }
}

/// Arguments and result of what follows `fn(`.
fn split_signature(rest: &str) -> (Vec<&str>, Option<&str>) {
    let (mut depth, mut start, mut arguments) = (0, 0, Vec::new());
    for (at, character) in rest.char_indices() {
        match character {
            '(' => depth += 1,
            ')' if depth == 0 => {
                arguments.push(&rest[start..at]);
                return (arguments, rest[at + 1..].strip_prefix(" -> "));
            }
            ')' => depth -= 1,
            ',' if depth == 0 => {
                arguments.push(&rest[start..at]);
                start = at + 2;
            }
            _ => {}
        }
    }
    (arguments, None)
}
